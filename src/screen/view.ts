// The state → the lines of the screen and the cursor. Pure: the same state always gives the same frame. The list, the menu and the
// reader draw themselves; everything around them is drawn here.

import { toColors } from '../render/colors.ts';
import { clip, pad, widthOf, wrap } from '../render/columns.ts';
import { toProgressLine } from '../render/index-summary.ts';
import { toBlameText, toWhen } from '../render/notes.ts';
import { formatCount, formatNumbered } from '../render/quantities.ts';
import { toShortPath } from '../render/sessions.ts';
import { toPrintableLine } from '../text/printable.ts';
import { toPrompt } from './edit-line.ts';
import { type Binding, listKeys, menuKeys, readerKeys, toHelpLines } from './keys.ts';
import { toListLines } from './list.ts';
import { toMenu } from './menu.ts';
import type { Results } from './questions.ts';
import { toReaderFrame } from './reader.ts';
import { type Frame, type Position, toColumn } from './screen-terminal.ts';
import {
  type Area,
  type Ask,
  type Choice,
  type Layout,
  type Reader,
  type State,
  type Surroundings,
  toLayout,
} from './state.ts';

const colors = toColors(true);

export function toFrame(state: State, surroundings: Surroundings): Frame {
  const { front } = state;
  if (front?.type === 'reader') return toReaderFrame(front, state, toKeys(readerKeys, '?', state));
  if (front?.type === 'help') return toHelpFrame(state, front.offset, front.behind !== null);
  if (front?.type === 'ask') {
    const asked = toAskLines(front, surroundings.verb, state.size.columns);
    return atBottom(toBehind(state, front.behind, surroundings), asked, state);
  }
  if (front?.type === 'restoring')
    return atBottom(toMainFrame(state, surroundings), toRestoringLines(state), state);
  return toMainFrame(state, surroundings);
}

function toBehind(state: State, reader: Reader | null, surroundings: Surroundings): Frame {
  return reader === null ? toMainFrame(state, surroundings) : toReaderFrame(reader, state, '');
}

function toKeys(bindings: readonly Binding<string>[], help: string, state: State, verb = ''): string {
  return state.message === '' ? toKeysLine(bindings, help, verb, state.size.columns) : toMessageLine(state);
}

function toMainFrame(state: State, surroundings: Surroundings): Frame {
  const { size, line, front } = state;
  const layout = toLayout(size);
  const menu = front?.type === 'menu' ? front : null;
  const prompt = toPrompt(line, '❯ ', size.columns);
  const lines = [prompt.line];
  if (layout.hasStatus) lines.push(toStatusLine(state, surroundings));
  let cursor: Position | null = { row: 0, column: prompt.column };
  if (menu === null) lines.push(...toBody(state, surroundings, layout));
  else {
    const drawn = toMenu(menu, state, layout.body);
    lines.push(...fill(drawn.lines, layout.body.rows));
    cursor = drawn.cursor;
  }
  if (layout.hasFooter) {
    // In the middle of a query, a question mark is part of it.
    const help = line.text === '' ? '?' : 'F1';
    lines.push(
      menu === null ? toKeys(listKeys, help, state, surroundings.verb) : toKeys(menuKeys, '', state),
    );
  }
  return { lines, cursor };
}

function toBody(state: State, surroundings: Surroundings, { list, preview, body }: Layout): string[] {
  const isEmpty = state.failure !== null || (state.results?.rows.length ?? 0) === 0;
  if (isEmpty) return fill(toNothingLines(state, surroundings, body), body.rows);
  const left = fill(toListLines(state, surroundings), list.rows);
  if (preview === null) return left;
  const right = toPreviewLines(state, preview);
  if (preview.left === 0) return [...left, colors.dim('─'.repeat(body.columns)), ...right];
  const rule = `${toColumn(preview.left - 2)}${colors.dim('│')} `;
  return left.map((line, i) => `${line}${rule}${right[i] ?? ''}`);
}

function toPreviewLines({ preview }: State, { rows }: Area): string[] {
  if (preview === null) return fill([], rows);
  const { lines, offset, isCut } = preview;
  const shown = lines.slice(offset, offset + rows);
  const isEnd = isCut && offset + rows > lines.length;
  return fill(isEnd ? [...shown, colors.dim('… Ctrl-V reads on')] : shown, rows);
}

function toHelpFrame(state: State, offset: number, isReader: boolean): Frame {
  const { columns, rows } = state.size;
  const lines = toHelpLines(isReader, columns);
  const shown = lines.slice(offset, offset + rows - 1);
  const isMore = offset + rows - 1 < lines.length;
  const footer = colors.dim(isMore ? '↑ ↓ scroll   q back' : 'q back');
  return { lines: [...fill(shown, rows - 1), footer], cursor: null };
}

/** At the bottom, over what is there. */
function atBottom(frame: Frame, { lines, column }: Bottom, { size }: State): Frame {
  const shown = lines.slice(-Math.max(1, size.rows - 1));
  const kept = fill(frame.lines, size.rows).slice(0, size.rows - shown.length);
  return {
    lines: [...kept, ...shown],
    cursor: column === null ? null : { row: size.rows - 1, column },
  };
}

/** Exactly this many lines. */
function fill(lines: readonly string[], rows: number): string[] {
  return Array.from({ length: Math.max(0, rows) }, (_, i) => lines[i] ?? '');
}

function toStatusLine(state: State, surroundings: Surroundings): string {
  const { columns } = state.size;
  const facts = [toCount(state.results), toScopeLabel(state, surroundings), toOrder(state)].filter(
    (fact) => fact !== '',
  );
  const left = `  ${clip(facts.join(' · '), Math.max(1, columns - 2))}`;
  const room = columns - widthOf(left) - 3;
  const aside = toAside(state, room);
  if (aside === '' || room < 12) return colors.dim(left);
  return `${colors.dim(pad(left, columns - widthOf(aside)))}${colors.yellow(aside)}`;
}

function toCount(results: Results | null): string {
  if (results === null) return '';
  const { rows, total, isTotalExact } = results;
  const of = `${isTotalExact ? '' : 'more than '}${formatNumbered(total, 'session')}`;
  return rows.length < total ? `${formatCount(rows.length)} of ${of}` : of;
}

function toScopeLabel({ scope }: State, { directories, homeDir }: Surroundings): string {
  if (scope === 'everywhere') return 'everywhere';
  const path = toPrintableLine(toShortPath(directories[scope], homeDir));
  return scope === 'project' ? `project ${path}` : `below ${path}`;
}

function toOrder({ results, sort }: State): string {
  return results?.isByDay && sort === 'relevance' ? '' : sort === 'recent' ? 'newest first' : 'best first';
}

function toAside({ activity, results }: State, room: number): string {
  if (activity?.progress != null) return toProgressLine(activity.progress, activity.elapsedMs, room + 1);
  return clip(activity?.text || formatUnderstood(results), Math.max(1, room));
}

/** How the words were understood, if not as typed; short, since it shares a line of the screen. */
function formatUnderstood(results: Results | null): string {
  if (results === null || results.understood === null) return '';
  const { rows, understood } = results;
  const { tier, corrections, completeHits, time } = understood;
  if (time?.isAlone) return `sessions active ${toWhen(time)}`;
  if (rows.length === 0) return '';
  if (tier === 'any' && completeHits > 0)
    return completeHits < rows.length ? `${completeHits} with all words, others with some` : '';
  if (corrections.length > 0)
    return `searched for ${corrections.map(([, meant]) => `“${toPrintableLine(meant)}”`).join(', ')}`;
  return shortNotes[tier];
}

const shortNotes = {
  all: '',
  prefix: 'longer words included',
  any: 'only some of the words match',
  fuzzy: '',
} as const;

function toNothingLines(state: State, surroundings: Surroundings, { columns, rows }: Area): string[] {
  const { said, next } = toTexts(state, surroundings);
  const room = Math.max(1, columns - 4);
  const lines = [
    '',
    ...wrap(said, room).map((line) => `  ${line}`),
    ...next.flatMap((each) => wrap(each, room)).map((line) => `  ${colors.dim(line)}`),
  ];
  return lines.slice(rows < 5 ? 1 : 0).slice(0, rows);
}

interface Texts {
  readonly said: string;
  readonly next: readonly string[];
}

function toTexts(state: State, surroundings: Surroundings): Texts {
  const { failure, results, activity, scope, line } = state;
  if (failure !== null)
    return { said: failure.message, next: failure.hint === '' ? [] : [`try: ${failure.hint}`] };
  if (results === null || results.emptiness === null) return { said: 'opening the index …', next: [] };
  const { sessions, messages, blame } = results.emptiness;
  if (sessions === 0)
    return activity === null
      ? {
          said: 'no sessions yet',
          next: ['recall finds what Claude Code and other agents have written here'],
        }
      : { said: 'reading your sessions for the first time', next: ['they appear here, the newest first'] };
  const query = toPrintableLine(line.text);
  const what = query === '' ? 'no sessions' : `nothing found for “${query}”`;
  const label = toScopeLabel(state, surroundings);
  const where = scope === 'everywhere' ? '' : scope === 'project' ? ` in ${label}` : ` ${label}`;
  const tried = `in ${formatNumbered(sessions, 'session')} with ${formatNumbered(messages, 'message')}`;
  return {
    said: blame === null ? `${what}${where === '' ? ` ${tried}` : where}` : toBlameText(blame).message,
    next: [
      ...(scope === 'everywhere' ? [] : ['Tab: search elsewhere']),
      ...(blame === null && query !== '' ? ['fewer or different words, or no filters'] : []),
      ...(query === '' ? [] : ['Esc: clear the query']),
    ],
  };
}

const gap = '  ';

type Entry = readonly [key: string, brief: string];

/** As many keys as fit, in the order of the list; the way back and the help, if `help` is a key, are always among them. */
function toKeysLine(
  bindings: readonly Binding<string>[],
  help: string,
  verb: string,
  columns: number,
): string {
  const toEntry = ({ label, brief = '', action }: Binding<string>): Entry => [
    label.split(' ')[0] ?? '',
    action === 'resume' ? verb : brief,
  ];
  const isBack = ({ action }: Binding<string>) => action === 'back';
  const always: Entry[] = bindings.filter(isBack).map(toEntry);
  if (help !== '') always.push([help, 'help']);
  const shown: Entry[] = [];
  for (const binding of bindings) {
    if (binding.brief === undefined || isBack(binding)) continue;
    const entry = toEntry(binding);
    if (toWidth([...shown, entry, ...always]) > columns - 1) break;
    shown.push(entry);
  }
  const all = [...shown, ...always];
  if (toWidth(all) > columns) return '';
  return all.map(([label, brief]) => `${colors.cyan(label)} ${colors.dim(brief)}`).join(gap);
}

function toWidth(entries: readonly Entry[]): number {
  return widthOf(entries.map((entry) => entry.join(' ')).join(gap));
}

function toMessageLine({ message, size }: State): string {
  return colors.yellow(clip(message, size.columns));
}

/** Lines over what is there, and the cursor if there is something to type. */
interface Bottom {
  readonly lines: readonly string[];
  readonly column: number | null;
}

function toRestoringLines({ size }: State): Bottom {
  return { lines: [colors.yellow(clip('restoring …', size.columns))], column: null };
}

/** The question, over as many lines as it takes. */
function toAskLines({ question, line, choices }: Ask, verb: string, columns: number): Bottom {
  const offered = choices.map((choice) => `${choice.key} ${toLabel(choice, verb)}`).join('   ');
  if (line === null) {
    const lines = [
      ...wrap(question, columns).map(colors.yellow),
      ...wrap(offered, columns)
        .filter((each) => each !== '')
        .map(colors.cyan),
    ];
    return { lines, column: null };
  }
  const prompt = toPrompt(line, `${clip(question, Math.max(4, columns - 12))} `, columns);
  return { lines: [prompt.line], column: prompt.column };
}

/** What comes after restoring is what was asked for. */
function toLabel({ label, does }: Choice, verb: string): string {
  if (does.type !== 'restore' && does.type !== 'use-restored') return label;
  const action = does.action === 'resume' ? verb : does.action;
  return label === '' ? action : `${label} and ${action}`;
}
