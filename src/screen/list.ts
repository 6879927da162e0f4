// The list of sessions. What is typed edits the query; other keys move, choose or open something. A session takes one line where it
// is wide enough, else two; in the order of time, each day has a heading. A session that cannot be resumed is offered to be restored.

import type { Restoration } from '../api/answers.ts';
import type { LabelRequest } from '../api/requests.ts';
import { toHintText } from '../hints.ts';
import { sessionKinds, toTag } from '../records.ts';
import { chooseColors } from '../render/colors.ts';
import { clip, clipPath, pad, widthOf } from '../render/columns.ts';
import { formatAge, formatCount, formatDayHeading, formatNumbered } from '../render/quantities.ts';
import {
  explainObstacle,
  explainRestoredObstacle,
  explainRunning,
  findRestorableText,
  formatForgetWarning,
  formatLoss,
} from '../render/resumption.ts';
import {
  formatMachine,
  formatShortDeleted,
  formatTags,
  shortenPath,
  toReference,
  toStarredTitle,
  toTitle,
} from '../render/sessions.ts';
import { toPrintableLine } from '../text/printable.ts';
import { toMarkedPieces } from '../text/snippet.ts';
import { type Key, nameOf } from './decode-keys.ts';
import { editLine, emptyLine, toLine } from './edit-line.ts';
import { findAction, type ListAction, listKeys, type RestoreAction, restoreKeys } from './keys.ts';
import { type Failure, type Results, type Row, scopes } from './questions.ts';
import { openReader } from './reader.ts';
import {
  type Area,
  type Ask,
  type Choice,
  type ChosenAction,
  countLinesAbove,
  findSelected,
  firstLimit,
  isStale,
  type LabelAction,
  leave,
  type Outcome,
  only,
  planLayout,
  type ResumeAction,
  type ScreenSetting,
  type SessionAction,
  type State,
  type ToRestore,
  type Updated,
} from './state.ts';

export function updateList(state: State, key: Key): Updated {
  const action = findListAction(state, key);
  if (action === 'interrupt') return leave(state, { type: 'interrupted' });
  if (action === 'escape' && state.line.text === '') return leave(state, { type: 'left' });
  if (action === 'escape') return only(withQuery(state, emptyLine));
  if (action !== undefined)
    return action in changes
      ? only(changes[action as keyof typeof changes](state, key))
      : withSelected(state, action as SessionAction);
  const line = editLine(state.line, key);
  if (line === undefined) return only(state);
  const isSame = line.text === state.line.text;
  return only(isSame ? { ...state, line } : withQuery(state, line));
}

/** With nothing typed yet, a question mark is not the start of a query, and Ctrl-D has nothing to delete. */
function findListAction({ line }: State, key: Key): ListAction | undefined {
  if (line.text === '' && key.type === 'text' && key.text === '?') return 'help';
  if (line.text === '' && key.type === 'key' && key.name === 'ctrl-d') return 'escape';
  return key.type === 'key' ? findAction(listKeys, key.name) : undefined;
}

export function withQuery(state: State, line: State['line']): State {
  return { ...state, line, selected: 0, top: 0, limit: firstLimit };
}

type ListChange = Exclude<ListAction, SessionAction | 'escape' | 'interrupt'>;

const changes: Readonly<Record<ListChange, (state: State, key: Key) => State>> = {
  up: (state) => select(state, state.selected - 1),
  down: (state) => select(state, state.selected + 1),
  'page-up': (state) => select(state, state.selected - countVisible(state)),
  'page-down': (state) => select(state, state.selected + countVisible(state)),
  first: (state) => select(state, 0),
  last: (state) => goToEnd(select(state, (state.results?.rows.length ?? 1) - 1)),
  pick: (state, key) => {
    const nth = Number(nameOf(key).slice(-1)) - 1;
    return nth < countVisible(state) ? select(state, state.top + nth) : state;
  },
  scope: (state) => turnScope(state, 1),
  'scope-back': (state) => turnScope(state, -1),
  sort: (state) => ({
    ...withQuery(state, state.line),
    sort: state.sort === 'recent' ? 'relevance' : 'recent',
  }),
  'preview-up': (state) => scrollPreview(state, -3),
  'preview-down': (state) => scrollPreview(state, 3),
  'next-match': (state) => goToMatch(state, 1),
  'previous-match': (state) => goToMatch(state, -1),
  filter: (state) => ({
    ...state,
    front: { type: 'menu', filter: null, selected: 0, line: emptyLine, values: null },
  }),
  help: (state) => ({ ...state, front: { type: 'help', offset: 0, behind: null } }),
};

/** What was typed last decides: a list that is about to change is waited for. */
export function withSelected(state: State, action: SessionAction): Updated {
  if (isStale(state)) return only({ ...state, waiting: action });
  const row = findSelected(state);
  if (row === undefined) return only(state);
  const id = toReference(row.session);
  if (action === 'read') return only({ ...state, front: openReader(state, row) });
  if (action === 'forget') return only({ ...state, front: askToForget(row) });
  if (action === 'star') {
    const request = { starred: !row.session.labels.isStarred };
    return { state, effects: [{ type: 'label', id, request }] };
  }
  if (action === 'name' || action === 'tags' || action === 'note')
    return only({ ...state, front: askForLabel(row, action) });
  const { resume, isResumable } = row.resumption;
  if (!isResumable || resume === null) return only({ ...state, front: offer(row, action) });
  if (action === 'copy')
    return { state, effects: [{ type: 'copy', text: resume.command, what: 'the resume command' }] };
  const warning = explainRunning(row.resumption.live);
  if (warning === null) return leave(state, { type: action, id });
  return only({ ...state, front: askAboutRunning(warning, { type: action, id }) });
}

function askAboutRunning(warning: string, outcome: Extract<Outcome, { readonly id: string }>): Ask {
  const does = (isCopy: boolean) => ({ type: 'leave', outcome: { ...outcome, isCopy } }) as const;
  return ask(warning, [
    { keys: ['c'], key: 'c', label: 'continue a copy', does: does(true) },
    { keys: ['y'], key: 'y', label: 'resume it all the same', does: does(false) },
  ]);
}

function askForLabel({ session }: Row, action: LabelAction): Ask {
  const { name, tags, notes } = session.labels;
  const note = notes.find(({ message }) => message === null)?.text ?? '';
  const text = { name: name ?? '', tags: tags.join(', '), note }[action];
  const does = { type: 'label', id: toReference(session), action, tags } as const;
  return {
    type: 'ask',
    question: `${action}:`,
    line: toLine(toPrintableLine(text)),
    choices: [{ keys: ['enter'], key: 'Enter', label: 'save', does }],
    behind: null,
  };
}

export function toLabelRequest(
  { action, tags }: Extract<ChosenAction, { type: 'label' }>,
  typed: string,
): LabelRequest {
  if (action !== 'tags') return { [action]: typed };
  const wanted = typed
    .split(',')
    .map(toTag)
    .filter((tag) => tag !== '');
  return { tags: wanted, untag: tags.filter((tag) => !wanted.includes(tag)) };
}

function askToForget({ session, resumption }: Row): State['front'] {
  return {
    type: 'ask',
    question: `Remove “${toTitle(session)}” from the index for good? There is no way back. ${formatForgetWarning(resumption)}`,
    line: null,
    choices: [
      { keys: ['y'], key: 'y', label: 'remove it', does: { type: 'forget', id: session.nativeId } },
      { keys: ['n'], key: 'n', label: 'keep it', does: { type: 'nothing' } },
    ],
    behind: null,
  };
}

function offer({ session, resumption }: Row, action: ResumeAction): Ask {
  const obstacle = explainObstacle(resumption);
  const gives = findRestorableText(resumption);
  if (gives === null) return ask(formatReason(obstacle), []);
  const restore = buildChoice('restore', { type: 'restore', id: toReference(session), action });
  return ask(`${obstacle.reason}; it can be ${gives}`, [restore]);
}

/** A hint that names a command says how to read the session; here a key does that. */
function formatReason({ reason, hint }: ReturnType<typeof explainObstacle>): string {
  return typeof hint === 'string' ? `${reason}; ${toHintText(hint)}` : reason;
}

/** Whatever else is offered, it can be read. */
function ask(question: string, choices: readonly Choice[]): Ask {
  const always = [buildChoice('read', { type: 'read' }), buildChoice('back', { type: 'nothing' })];
  return { type: 'ask', question, line: null, choices: [...choices, ...always], behind: null };
}

function buildChoice(action: RestoreAction, does: ChosenAction, text?: string): Choice {
  const { keys = [], label = '', brief = '' } = restoreKeys.find((each) => each.action === action) ?? {};
  return { keys, key: label.split(' ')[0] ?? '', label: text ?? brief, does };
}

export function takeRestored(state: State, restored: Restoration): Updated {
  const { front } = state;
  if (front?.type !== 'restoring') return only(state);
  const [damage] = restored.damages;
  if (damage === undefined) return useRestored({ ...state, front: null }, restored, front);
  const { id, action } = front;
  const question = `${toPrintableLine(damage.path)}: ${damage.reason}; ${formatLoss(restored)}`;
  if (restored.obstacle !== null) return showObstacle(state, restored, `${question}; `);
  const goOn = buildChoice('restore', { type: 'use-restored', restored, id, action }, '');
  return only({ ...state, front: ask(question, [goOn]) });
}

export function useRestored(state: State, restored: Restoration, { id, action }: ToRestore): Updated {
  const text = restored.resume?.command;
  if (text === undefined || restored.obstacle !== null) return showObstacle(state, restored, '');
  if (action !== 'copy') return leave(state, { type: action, id, restored });
  return { state, effects: [{ type: 'copy', text, what: 'the resume command of the restored session' }] };
}

function showObstacle(state: State, restored: Restoration, losses: string): Updated {
  const question = `${losses}it is restored; ${formatReason(explainRestoredObstacle(restored))}`;
  return only({ ...state, front: ask(question, []) });
}

/** The transcript is written last, and files beside it that are there are passed over, so that it can be tried again. */
export function takeFailure(state: State, { message, hint }: Failure): State {
  const { front } = state;
  if (front?.type !== 'restoring') return { ...state, message };
  const { id, action } = front;
  const again = buildChoice('restore', { type: 'restore', id, action }, 'try again');
  return { ...state, front: ask(hint === '' ? message : `${message}; ${hint}`, [again]) };
}

function select(state: State, wanted: number): State {
  const { results, limit } = state;
  if (results === null) return state;
  const last = Math.max(0, results.rows.length - 1);
  const selected = Math.min(Math.max(0, wanted), last);
  const isNearEnd = results.rows.length < results.total && selected >= results.rows.length - 10;
  return {
    ...state,
    selected,
    top: fitTop({ ...state, selected, top: Math.min(state.top, last) }),
    limit: isNearEnd ? Math.max(limit, results.rows.length * 3) : limit,
    staysOnTop: false,
  };
}

function goToEnd(state: State): State {
  const { results, limit } = state;
  if (results === null || results.rows.length >= results.total) return state;
  return { ...state, limit: Math.max(limit, results.total), isGoingToEnd: true };
}

function turnScope(state: State, step: 1 | -1): State {
  const next = scopes.indexOf(state.scope) + step + scopes.length;
  return { ...withQuery(state, state.line), scope: scopes[next % scopes.length] ?? 'everywhere' };
}

function scrollPreview(state: State, step: number): State {
  const { preview } = state;
  if (preview === null) return state;
  const rows = planLayout(state.size).preview?.rows ?? 0;
  const last = Math.max(0, preview.lines.length - rows + (preview.isCut ? 1 : 0));
  const offset = Math.min(Math.max(0, preview.offset + step), last);
  return { ...state, staysOnTop: false, preview: { ...preview, offset } };
}

/** From the line under which the preview is placed, so that going on from a match finds another. */
function goToMatch(state: State, step: 1 | -1): State {
  const { preview } = state;
  const rows = planLayout(state.size).preview?.rows ?? 0;
  if (preview === null || rows === 0) return state;
  const margin = countLinesAbove(rows);
  const here = preview.offset + margin;
  const { matches } = preview;
  const next = step > 0 ? matches.find((line) => line > here) : matches.findLast((line) => line < here);
  if (next === undefined) return { ...state, message: step > 0 ? 'no further match' : 'no earlier match' };
  return { ...state, staysOnTop: false, preview: { ...preview, offset: Math.max(0, next - margin) } };
}

const colors = chooseColors(true);

/** From this width on, a title and its facts share a line. */
const minColumnsForOneLine = 76;
/** In fewer rows, headings would leave no room for sessions. */
const minRowsForHeadings = 12;
/** The mark of the selected row, a number, a space. */
const marginColumns = 3;
/** With fewer columns, a path is too short to be useful. */
const minPlaceColumns = 12;

function formatHeading({ results, size, now }: State, index: number): string {
  return results?.isByDay && planLayout(size).list.rows >= minRowsForHeadings
    ? formatDayHeading(results.rows[index]?.session.modifiedAt ?? null, now)
    : '';
}

function countLines(state: State, index: number, top: number): number {
  const heading = formatHeading(state, index);
  const isFirst = index === top || heading !== formatHeading(state, index - 1);
  const { columns } = planLayout(state.size).list;
  return (columns < minColumnsForOneLine ? 2 : 1) + (heading !== '' && isFirst ? 1 : 0);
}

/** The first row to show, so that the selected one is visible and as little moves as possible. */
export function fitTop(state: State): number {
  const { top, selected } = state;
  const { rows } = planLayout(state.size).list;
  if (selected <= top) return Math.max(0, selected);
  for (let first = Math.max(top, selected - rows); first < selected; first++) {
    let lines = 0;
    for (let i = first; i <= selected; i++) lines += countLines(state, i, first);
    if (lines <= rows) return first;
  }
  return selected;
}

function countVisible(state: State): number {
  const { results, top, size } = state;
  let lines = 0;
  let index = top;
  for (; index < (results?.rows.length ?? 0); index++) {
    lines += countLines(state, index, top);
    if (lines > planLayout(size).list.rows) break;
  }
  return Math.max(1, index - top);
}

export function drawList(state: State, { homeDir }: ScreenSetting): string[] {
  const { results, top, selected, now } = state;
  if (results === null) return [];
  const { list: area } = planLayout(state.size);
  const hasAgents = new Set(results.rows.map(({ session }) => session.agent)).size > 1;
  const shown = results.rows.slice(top, top + countVisible(state) + 1).map((row): ShownRow => {
    const agent = hasAgents ? row.session.agent : '';
    const path = toPrintableLine(shortenPath(row.session.project ?? '', homeDir));
    const current = row.session.nativeId === results.currentId ? 'this session' : '';
    return { ...row, marks: formatMarks(row, [agent, current]), path };
  });
  const paths = shown.map(({ path }) => path);
  const cells = area.columns < minColumnsForOneLine ? null : formatCells(shown, area, now);
  const room = Math.max(1, area.columns - marginColumns);
  const lines: string[] = [];
  for (const [i, row] of shown.entries()) {
    const isSelected = top + i === selected;
    const heading = formatHeading(state, top + i);
    if (heading !== '' && (i === 0 || heading !== formatHeading(state, top + i - 1)))
      lines.push(colors.cyan(clip(heading, area.columns)));
    const bar = isSelected ? colors.cyan('▌') : ' ';
    const facts = cells?.[i] ?? '';
    const title = formatTitle(row, results, room - widthOf(facts), isSelected);
    lines.push(`${bar}${colors.dim(i < 9 ? String(i + 1) : ' ')} ${title}${colors.dim(facts)}`);
    if (cells === null) lines.push(`${bar}  ${colors.dim(formatFacts(row, now, room, paths))}`);
  }
  return lines.slice(0, area.rows);
}

type ShownRow = Row & Readonly<Record<'marks' | 'path', string>>;

function formatFacts(
  { session, marks, path }: ShownRow,
  now: Date,
  room: number,
  paths: readonly string[],
): string {
  const facts = [formatAge(session.modifiedAt, now), formatNumbered(session.messageCount, 'message'), marks];
  const rest = facts.filter((fact) => fact !== '').join('  ');
  // What is cut at the end of a narrow line are marks, which the preview or the reader repeats.
  const left = Math.max(minPlaceColumns, room - widthOf(rest) - 2);
  const branch = formatBranch(session);
  const project = clipPath(path, Math.max(Math.floor(left * 0.6), left - widthOf(branch) - 2), paths);
  const beside = left - widthOf(project) - 2;
  const place =
    beside < 5 || branch === '' ? clipPath(path, left, paths) : `${project}  ${clip(branch, beside)}`;
  return clip(
    room < 2 * minPlaceColumns ? rest : [place, rest].filter((part) => part !== '').join('  '),
    room,
  );
}

function formatBranch({ branch }: Row['session']): string {
  return branch === 'HEAD' ? '' : toPrintableLine(branch ?? '');
}

/** Marks, project, branch, age and messages of each row, one below the other, no wider than they have to be. */
function formatCells(rows: readonly ShownRow[], { columns }: Area, now: Date): string[] {
  const alignColumn = (max: number, format: (row: ShownRow) => string, fill = pad) => {
    const texts = rows.map(format);
    const width = Math.min(max, Math.max(...texts.map(widthOf)));
    return texts.map((text) => (width === 0 ? '' : `  ${fill(clip(text, width), width)}`));
  };
  const paths = rows.map(({ path }) => path);
  const padStart = (text: string, width: number) => text.padStart(width);
  const cells = [
    alignColumn(24, ({ marks }) => marks),
    alignColumn(30, ({ path }) => clipPath(path, Math.floor(columns * 0.2), paths)),
    alignColumn(Math.floor(columns * 0.14), ({ session }) => formatBranch(session)),
    alignColumn(5, ({ session }) => formatAge(session.modifiedAt, now), padStart),
    alignColumn(9, ({ session }) => formatCount(session.messageCount), padStart),
  ];
  return rows.map((_, i) => cells.map((column) => column[i]).join(''));
}

function formatMarks(row: Row, others: readonly string[]): string {
  const copies = row.copies > 0 ? `+${row.copies}` : '';
  // The kind already says that only prompts are left.
  const deleted = row.session.kind === 'history' ? '' : formatShortDeleted(row);
  const running = row.resumption.live === null ? '' : 'running';
  const kind = sessionKinds[row.session.kind].mark;
  return [formatTags(row.session), formatMachine(row.session), copies, kind, deleted, running, ...others]
    .filter((mark) => mark !== '')
    .join(' ');
}

function formatTitle({ session }: Row, { terms }: Results, columns: number, isSelected: boolean): string {
  const title = pad(clip(toStarredTitle(session), Math.max(1, columns)), columns);
  const text = toMarkedPieces(title, terms)
    .map((piece) => (piece.isMatch ? colors.underline(colors.yellow(piece.text)) : piece.text))
    .join('');
  return isSelected ? colors.bold(text) : text;
}
