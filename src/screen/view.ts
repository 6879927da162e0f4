// The state → the lines of the screen and the cursor. The list, the menu and the reader draw themselves; everything around them
// is drawn here.

import { filterNames } from '../filters.ts';
import { chooseColors } from '../render/colors.ts';
import { clip, pad, widthOf, wrap } from '../render/columns.ts';
import { formatProgress } from '../render/index-summary.ts';
import { explainBlame, formatWhen } from '../render/notes.ts';
import { formatCount, formatNumbered } from '../render/quantities.ts';
import { shortenPath } from '../render/sessions.ts';
import { toPrintableLine } from '../text/printable.ts';
import { drawPrompt } from './edit-line.ts';
import { type Binding, formatHelp, listKeys, menuKeys, readerKeys } from './keys.ts';
import { drawList } from './list.ts';
import { drawMenu } from './menu.ts';
import type { Results } from './questions.ts';
import { describePlace, drawReader, findPlaceShown, formatPlace, removeStyles } from './reader.ts';
import { type Frame, jumpToColumn } from './screen-terminal.ts';
import {
  type Area,
  type Ask,
  type Choice,
  countLinesAbove,
  findSelected,
  type Help,
  type Layout,
  planLayout,
  type ScreenSetting,
  type State,
} from './state.ts';

const colors = chooseColors(true);

export function drawScreen(state: State, surroundings: ScreenSetting): Frame {
  const { front } = state;
  const { columns } = state.size;
  if (front?.type === 'reader') return drawReader(front, state, formatFooter(readerKeys, '?', state));
  if (front?.type === 'help') return drawHelp(state, front);
  if (front?.type === 'ask') {
    const { behind } = front;
    const frame = behind === null ? drawMain(state, surroundings) : drawReader(behind, state, '');
    return drawAtBottom(frame, formatQuestion(front, surroundings.verb, columns), state);
  }
  const frame = drawMain(state, surroundings);
  if (front?.type !== 'restoring') return frame;
  return drawAtBottom(frame, { lines: [colors.yellow(clip('restoring …', columns))], column: null }, state);
}

function drawMain(state: State, surroundings: ScreenSetting): Frame {
  const { size, line, front } = state;
  const layout = planLayout(size);
  const menu = front?.type === 'menu' ? front : null;
  const prompt = drawPrompt(line, '❯ ', size.columns);
  const lines = [prompt.line];
  if (layout.hasStatus) lines.push(formatStatus(state, surroundings));
  let cursor: Frame['cursor'] = { row: 0, column: prompt.column };
  if (menu === null) lines.push(...drawBody(state, surroundings, layout));
  else {
    const drawn = drawMenu(menu, state, surroundings, layout.body);
    lines.push(...fill(drawn.lines, layout.body.rows));
    cursor = drawn.cursor;
  }
  if (layout.hasFooter) {
    // In the middle of a query, a question mark is part of it.
    const help = line.text === '' ? '?' : 'F1';
    const footer = formatFooter(listKeys, help, state, surroundings.verb);
    lines.push(menu === null ? footer : formatFooter(menuKeys, '', state));
  }
  return { lines, cursor };
}

function drawBody(state: State, surroundings: ScreenSetting, { list, preview, body }: Layout): string[] {
  const isEmpty = state.failure !== null || (state.results?.rows.length ?? 0) === 0;
  if (isEmpty) return fill(explainEmptyList(state, surroundings, body), body.rows);
  const left = fill(drawList(state, surroundings), list.rows);
  if (preview === null) return left;
  const right = drawPreview(state, preview);
  if (preview.left === 0) return [...left, colors.dim('─'.repeat(body.columns)), ...right];
  const rule = `${jumpToColumn(preview.left - 2)}${colors.dim('│')} `;
  return left.map((line, i) => `${line}${rule}${right[i] ?? ''}`);
}

/** The title stays at the top with the place, and below it who speaks there and since when. */
function drawPreview(state: State, { rows, columns }: Area): string[] {
  const { preview } = state;
  if (preview === null) return fill([], rows);
  const { lines, offset, isCut, matches, messages } = preview;
  const shown = lines.slice(offset, offset + rows);
  const [title = ''] = lines;
  const messageCount = findSelected(state)?.session.messageCount ?? 0;
  const place = findPlaceShown(preview, rows, countLinesAbove(rows));
  if (rows > 2) {
    const described = describePlace(place, { matches, isWhole: !isCut, messageCount });
    shown[0] = formatPlace(removeStyles(title), described, columns);
    const atTop = messages.findLast(({ line }) => line <= offset + 1);
    if (atTop !== undefined && offset > 0 && atTop.line <= offset) shown[1] = atTop.heading;
  }
  const isEnd = isCut && offset + rows > lines.length;
  return fill(isEnd ? [...shown, colors.dim('… Ctrl-V reads on')] : shown, rows);
}

function drawHelp({ size }: State, { offset, behind }: Help): Frame {
  const { columns, rows } = size;
  const lines = formatHelp(behind !== null, columns);
  const shown = lines.slice(offset, offset + rows - 1);
  const isMore = offset + rows - 1 < lines.length;
  const footer = colors.dim(isMore ? '↑ ↓ scroll   q back' : 'q back');
  return { lines: [...fill(shown, rows - 1), footer], cursor: null };
}

function drawAtBottom(frame: Frame, { lines, column }: ReturnType<typeof formatQuestion>, { size }: State) {
  const shown = lines.slice(-Math.max(1, size.rows - 1));
  const kept = fill(frame.lines, size.rows).slice(0, size.rows - shown.length);
  return { lines: [...kept, ...shown], cursor: column === null ? null : { row: size.rows - 1, column } };
}

function fill(lines: readonly string[], rows: number): string[] {
  return Array.from({ length: Math.max(0, rows) }, (_, i) => lines[i] ?? '');
}

function formatStatus(state: State, surroundings: ScreenSetting): string {
  const { columns } = state.size;
  const facts = [
    formatTotal(state.results),
    formatScope(state, surroundings),
    formatFilters(state.results),
    formatOrder(state),
  ];
  const known = facts.filter((fact) => fact !== '').join(' · ');
  const left = `  ${clip(known, Math.max(1, columns - 2))}`;
  const room = columns - widthOf(left) - 3;
  const aside = formatActivity(state, room);
  if (aside === '' || room < 12) return colors.dim(left);
  return `${colors.dim(pad(left, columns - widthOf(aside)))}${colors.yellow(aside)}`;
}

function formatTotal(results: Results | null): string {
  if (results === null) return '';
  const { rows, total, isTotalExact } = results;
  const of = `${isTotalExact ? '' : 'more than '}${formatNumbered(total, 'session')}`;
  return rows.length < total ? `${formatCount(rows.length)} of ${of}` : of;
}

function formatScope({ scope }: State, { directories, homeDir }: ScreenSetting): string {
  if (scope === 'everywhere') return 'everywhere';
  const path = toPrintableLine(shortenPath(directories[scope], homeDir));
  return scope === 'project' ? `project ${path}` : `below ${path}`;
}

/** As they were understood: what only looks like a filter is a word. */
function formatFilters(results: Results | null): string {
  const { only = {}, without = {} } = results?.understood?.filters ?? {};
  return filterNames
    .flatMap((name) => [
      ...(only[name] === undefined ? [] : [`${name} ${toPrintableLine(only[name])}`]),
      ...(without[name] ?? []).map((value) => `not ${name} ${toPrintableLine(value)}`),
    ])
    .join(', ');
}

function formatOrder({ results, sort }: State): string {
  return results?.isByDay && sort === 'relevance' ? '' : sort === 'recent' ? 'newest first' : 'best first';
}

function formatActivity({ activity, results }: State, room: number): string {
  if (activity?.progress != null) return formatProgress(activity.progress, activity.elapsedMs, room + 1);
  return clip(activity?.text || formatUnderstood(results), Math.max(1, room));
}

/** How the words were understood, if not as typed; short, since it shares a line of the screen. */
function formatUnderstood(results: Results | null): string {
  if (results === null || results.understood === null) return '';
  const { rows, understood } = results;
  const { tier, corrections, completeHits, time } = understood;
  if (time?.isAlone) return `sessions active ${formatWhen(time)}`;
  if (rows.length === 0) return '';
  if (tier === 'any' && completeHits > 0)
    return completeHits < rows.length ? `${completeHits} with all words, others with some` : '';
  if (corrections.length > 0)
    return `searched for ${corrections.map(([, meant]) => `“${toPrintableLine(meant)}”`).join(', ')}`;
  if (tier === 'prefix') return 'longer words included';
  return tier === 'any' ? 'only some of the words match' : '';
}

function explainEmptyList(state: State, surroundings: ScreenSetting, { columns, rows }: Area): string[] {
  const { said, next } = explain(state, surroundings);
  const room = Math.max(1, columns - 4);
  const lines = [
    '',
    ...wrap(said, room).map((line) => `  ${line}`),
    ...next.flatMap((each) => wrap(each, room)).map((line) => `  ${colors.dim(line)}`),
  ];
  return lines.slice(rows < 5 ? 1 : 0).slice(0, rows);
}

function explain(state: State, surroundings: ScreenSetting): { said: string; next: string[] } {
  const { failure, results, activity, scope, line } = state;
  if (failure !== null)
    return { said: failure.message, next: failure.hint === '' ? [] : [`try: ${failure.hint}`] };
  if (results === null || results.emptiness === null) return { said: 'opening the index …', next: [] };
  const { sessions, messages, blame } = results.emptiness;
  if (sessions === 0 && activity !== null)
    return { said: 'reading your sessions for the first time', next: ['they appear here, the newest first'] };
  if (sessions === 0) {
    const next = ['recall finds what Claude Code and other agents have written here'];
    return { said: 'no sessions yet', next };
  }
  const query = toPrintableLine(line.text);
  const what = query === '' ? 'no sessions' : `nothing found for “${query}”`;
  const label = formatScope(state, surroundings);
  const where = scope === 'everywhere' ? '' : scope === 'project' ? ` in ${label}` : ` ${label}`;
  const tried = `in ${formatNumbered(sessions, 'session')} with ${formatNumbered(messages, 'message')}`;
  return {
    said: blame === null ? `${what}${where === '' ? ` ${tried}` : where}` : explainBlame(blame).message,
    next: [
      ...(scope === 'everywhere' ? [] : ['Tab: search elsewhere']),
      ...(blame === null && query !== '' ? ['fewer or different words, or no filters'] : []),
      ...(query === '' ? [] : ['Esc: clear the query']),
    ],
  };
}

const gap = '  ';

type FooterEntry = readonly [key: string, brief: string];

/** The message, else as many keys as fit. The way back and the help, if `help` is a key, are always among them. */
function formatFooter(bindings: readonly Binding<string>[], help: string, state: State, verb = ''): string {
  const { columns } = state.size;
  if (state.message !== '') return colors.yellow(clip(state.message, columns));
  const toEntry = ({ label, brief = '', action }: Binding<string>): FooterEntry => [
    label.split(' ')[0] ?? '',
    action === 'resume' ? verb : brief,
  ];
  const isBack = ({ action }: Binding<string>) => action === 'back';
  const always: FooterEntry[] = bindings.filter(isBack).map(toEntry);
  if (help !== '') always.push([help, 'help']);
  const shown: FooterEntry[] = [];
  for (const binding of bindings) {
    if (binding.brief === undefined || isBack(binding)) continue;
    const entry = toEntry(binding);
    if (widthOfEntries([...shown, entry, ...always]) > columns - 1) break;
    shown.push(entry);
  }
  const all = [...shown, ...always];
  if (widthOfEntries(all) > columns) return '';
  return all.map(([label, brief]) => `${colors.cyan(label)} ${colors.dim(brief)}`).join(gap);
}

function widthOfEntries(entries: readonly FooterEntry[]): number {
  return widthOf(entries.map((entry) => entry.join(' ')).join(gap));
}

/** A question that one key answers takes as many lines as it needs. */
function formatQuestion({ question, line, choices }: Ask, verb: string, columns: number) {
  const offered = choices.map((choice) => `${choice.key} ${formatLabel(choice, verb)}`).join('   ');
  if (line === null) {
    const keys = wrap(offered, columns).filter((each) => each !== '');
    return { lines: [...wrap(question, columns).map(colors.yellow), ...keys.map(colors.cyan)], column: null };
  }
  const prompt = drawPrompt(line, `${clip(question, Math.max(4, columns - 12))} `, columns);
  return { lines: [prompt.line], column: prompt.column };
}

/** After restoring, what was asked for is done. */
function formatLabel({ label, does }: Choice, verb: string): string {
  if (does.type !== 'restore' && does.type !== 'use-restored') return label;
  const action = does.action === 'resume' ? verb : does.action;
  return label === '' ? action : `${label} and ${action}`;
}
