// Keys in the list: what is typed edits the query, everything else moves, chooses or opens something.

import { maxListed } from '../../records.ts';
import { toForgetWarning } from '../../render/resumption.ts';
import { toTitle } from '../../render/sessions.ts';
import { editLine, emptyLine, toLine } from '../edit-line.ts';
import { findAction, type ListAction, listKeys } from '../keys.ts';
import { toLayout } from '../layout.ts';
import { type Row, scopes } from '../questions.ts';
import { type Effect, findSelected, firstLimit, isStale, type SessionAction, type State } from '../state.ts';
import type { Key } from '../terminal/decode-keys.ts';
import { countVisible, fitTop } from '../views/list-pane.ts';
import { openReader } from './update-reader.ts';
import { offer } from './update-restore.ts';
import { interrupt, type Updated } from './updated.ts';

export function updateList(state: State, key: Key): Updated {
  const action = toAction(state, key);
  if (action !== undefined) return act(state, action, key);
  const line = editLine(state.line, key);
  if (line === undefined) return { state, effects: [] };
  const isSame = line.text === state.line.text;
  return { state: isSame ? { ...state, line } : withQuery(state, line), effects: [] };
}

/** With nothing typed yet, a question mark is not the start of a query, and Ctrl-D has nothing to delete. */
function toAction({ line }: State, key: Key): ListAction | undefined {
  if (line.text === '' && key.type === 'text' && key.text === '?') return 'help';
  if (line.text === '' && key.type === 'key' && key.name === 'ctrl-d') return 'escape';
  return key.type === 'key' ? findAction(listKeys, key.name) : undefined;
}

/** A new question: its results start at the top. */
export function withQuery(state: State, line: State['line']): State {
  return { ...state, line, selected: 0, top: 0, limit: firstLimit };
}

function act(state: State, action: ListAction, key: Key): Updated {
  const page = toPage(state);
  const last = (state.results?.rows.length ?? 1) - 1;
  const only = (next: State): Updated => ({ state: next, effects: [] });
  switch (action) {
    case 'up':
      return only(select(state, state.selected - 1));
    case 'down':
      return only(select(state, state.selected + 1));
    case 'page-up':
      return only(select(state, state.selected - page));
    case 'page-down':
      return only(select(state, state.selected + page));
    case 'first':
      return only(select(state, 0));
    case 'last':
      return only(goToEnd(select(state, last)));
    case 'pick':
      return only(pick(state, Number((key.type === 'key' ? key.name : '').slice(-1)) - 1, page));
    case 'scope':
      return only(turnScope(state, 1));
    case 'scope-back':
      return only(turnScope(state, -1));
    case 'sort':
      return only({
        ...withQuery(state, state.line),
        sort: state.sort === 'recent' ? 'relevance' : 'recent',
      });
    case 'preview-up':
      return only(scrollPreview(state, -3));
    case 'preview-down':
      return only(scrollPreview(state, 3));
    case 'next-match':
      return only(goToMatch(state, 1));
    case 'previous-match':
      return only(goToMatch(state, -1));
    case 'filter':
      return {
        state: {
          ...state,
          front: { type: 'menu', filter: null, selected: 0, line: emptyLine, projects: null },
        },
        effects: [],
      };
    case 'help':
      return only({ ...state, front: { type: 'help', offset: 0, behind: null } });
    case 'escape':
      if (state.line.text !== '') return only(withQuery(state, emptyLine));
      return leave(state, { type: 'left' });
    case 'interrupt':
      return interrupt(state);
    default:
      return withSelected(state, action);
  }
}

function leave(state: State, outcome: Extract<Effect, { type: 'leave' }>['outcome']): Updated {
  return { state, effects: [{ type: 'leave', outcome }] };
}

/** What was typed last decides: a list that is about to change is waited for. */
export function withSelected(state: State, action: SessionAction): Updated {
  if (isStale(state)) return { state: { ...state, waiting: action }, effects: [] };
  const row = findSelected(state);
  if (row === undefined) return { state, effects: [] };
  const id = row.session.nativeId;
  if (action === 'read') return { state: { ...state, front: openReader(state, row) }, effects: [] };
  if (action === 'forget') return { state: { ...state, front: askToForget(row) }, effects: [] };
  const { resume, isResumable } = row.resumption;
  if (!isResumable || resume === null) return { state: { ...state, front: offer(row, action) }, effects: [] };
  if (action === 'copy')
    return { state, effects: [{ type: 'copy', text: resume.command, what: 'the resume command' }] };
  return leave(state, { type: action, id });
}

function askToForget({ session, resumption }: Row): State['front'] {
  return {
    type: 'ask',
    question: `Remove “${toTitle(session)}” from the index for good? There is no way back. ${toForgetWarning(resumption)}`,
    line: null,
    choices: [
      { keys: ['y'], key: 'y', label: 'remove it', does: { type: 'forget', id: session.nativeId } },
      { keys: ['n'], key: 'n', label: 'keep it', does: { type: 'nothing' } },
    ],
    behind: null,
  };
}

function toPage({ results, top, size, now }: State): number {
  return results === null ? 1 : countVisible(results, top, toLayout(size).list, now);
}

/** Moves the selection, and asks for more rows when it comes near the last one. */
export function select(state: State, wanted: number): State {
  const { results, limit, size, now } = state;
  if (results === null) return state;
  const last = Math.max(0, results.rows.length - 1);
  const selected = Math.min(Math.max(0, wanted), last);
  const isNearEnd = results.rows.length < results.total && selected >= results.rows.length - 10;
  return {
    ...state,
    selected,
    top: fitTop(results, Math.min(state.top, last), selected, toLayout(size).list, now),
    limit: isNearEnd ? Math.min(maxListed, Math.max(limit, results.rows.length * 3)) : limit,
  };
}

/** Those that were not asked for yet are asked for first. */
function goToEnd(state: State): State {
  const { results, limit } = state;
  if (results === null || results.rows.length >= results.total) return state;
  const wanted = results.isTotalExact ? results.total : maxListed;
  return { ...state, limit: Math.min(maxListed, Math.max(limit, wanted)), isGoingToEnd: true };
}

function pick(state: State, nth: number, page: number): State {
  return nth < page ? select(state, state.top + nth) : state;
}

function turnScope(state: State, step: 1 | -1): State {
  const next = scopes.indexOf(state.scope) + step + scopes.length;
  return { ...withQuery(state, state.line), scope: scopes[next % scopes.length] ?? 'everywhere' };
}

function scrollPreview(state: State, step: number): State {
  const { preview } = state;
  if (preview === null) return state;
  const rows = toLayout(state.size).preview?.rows ?? 0;
  const last = Math.max(0, preview.lines.length - rows + (preview.isCut ? 1 : 0));
  return { ...state, preview: { ...preview, offset: Math.min(Math.max(0, preview.offset + step), last) } };
}

/** From the line under which the preview is placed, so that going on from a match finds another. */
function goToMatch(state: State, step: 1 | -1): State {
  const { preview } = state;
  const rows = toLayout(state.size).preview?.rows ?? 0;
  if (preview === null || rows === 0) return state;
  const margin = toMargin(rows);
  const here = preview.offset + margin;
  const next =
    step > 0
      ? preview.matches.find((line) => line > here)
      : preview.matches.findLast((line) => line < Math.max(here, step));
  if (next === undefined) return { ...state, message: step > 0 ? 'no further match' : 'no earlier match' };
  return { ...state, preview: { ...preview, offset: Math.max(0, next - margin) } };
}

/** Lines of context above a match. */
export function toMargin(rows: number): number {
  return Math.min(4, Math.floor(rows / 3));
}

/** A query that was chosen rather than typed. */
export function withText(state: State, text: string): State {
  return withQuery(state, toLine(text));
}
