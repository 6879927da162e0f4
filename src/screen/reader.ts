// A conversation on the whole screen: its keys, the lines that arrive for it, and how it is drawn. It scrolls like a pager; messages,
// matches and what `/` found are places to jump to.

import { chooseColors } from '../render/colors.ts';
import { clip, pad, widthOf } from '../render/columns.ts';
import { formatCount } from '../render/quantities.ts';
import { toReference, toTitle } from '../render/sessions.ts';
import { type Key, nameOf } from './decode-keys.ts';
import { drawPrompt, editLine, emptyLine, toLine } from './edit-line.ts';
import { findAction, readerKeys } from './keys.ts';
import type { Row } from './questions.ts';
import type { Frame } from './screen-terminal.ts';
import {
  countLinesAbove,
  findSearchedText,
  leave,
  type MessagePlace,
  only,
  type Preview,
  planLayout,
  type Reader,
  type ReaderPage,
  type State,
  type Updated,
} from './state.ts';

const ahead = 400;
const everything = Number.POSITIVE_INFINITY;

const nothingRead = { lines: [], matches: [], messages: [], isWhole: false, next: null, offset: 0 };

export function openReader(state: State, row: Row): Reader {
  const match = findSearchedText(state);
  return {
    type: 'reader',
    id: toReference(row.session),
    title: toTitle(row.session),
    match,
    messageCount: row.session.messageCount,
    columns: state.size.columns,
    ...nothingRead,
    // So that it can be said how many matches there are.
    wanted: match === '' ? ahead : everything,
    showsTools: false,
    showsSubagents: false,
    find: { line: emptyLine, isTyping: false, from: 0 },
    goal: findPreviewed(state, row) ?? (match === '' ? null : 'match'),
  };
}

/** Where the preview is; null at the start of a conversation in which nothing was searched for. */
function findPreviewed({ preview, size }: State, row: Row): MessagePlace | null {
  const rows = planLayout(size).preview?.rows ?? 0;
  if (preview === null || preview.id !== row.session.nativeId || rows === 0) return null;
  const { match, message } = findPlaceShown(preview, rows, countLinesAbove(rows));
  if (message === undefined || (match === undefined && preview.offset === 0)) return null;
  const isIn = message.line <= (match ?? -1);
  const before = preview.matches.filter((line) => line >= message.line && line < (match ?? 0));
  return { id: message.id, nth: isIn ? before.length : null };
}

type ShownLines = Pick<Preview, 'lines' | 'matches' | 'messages'> & { readonly offset: number };

/** The match that one is at, `margin` lines below the top or, at the end, anywhere; and the message with it, else the one at the top. */
export function findPlaceShown(
  { lines, offset, matches, messages }: ShownLines,
  rows: number,
  margin: number,
) {
  const end = offset + rows;
  const here = end >= lines.length && offset > 0 ? end : offset + margin;
  const match = matches.findLast((line) => line <= here) ?? matches.find((line) => line < end);
  const isShown = match !== undefined && match > offset;
  const top = isShown ? match : offset + 1;
  return { match, message: messages.findLast(({ line }) => line <= top) ?? messages[0] };
}

const looking = 'looking …';
const nothingFurther = 'nothing further was found';

export function updateReader(state: State, shown: Reader, key: Key): Updated {
  // Whoever presses a key no longer waits for what is looked for.
  const reader = shown.goal === 'next' ? { ...shown, goal: null } : shown;
  const say = (next: Reader | null, message: string) => only({ ...state, front: next, message });
  const show = (next: Reader | null) => say(next, '');
  const scroll = (wanted: number) => show(scrollTo(state, reader, wanted));
  if (reader.find.isTyping) {
    const next = typeToFind(state, reader, key);
    return say(next, next.find.isTyping ? '' : formatFindMessage(next));
  }
  const { offset, lines, messages, isWhole } = reader;
  const rows = countReaderRows(state);
  const action = findAction(readerKeys, nameOf(key));
  switch (action) {
    case undefined:
      return show(reader);
    case 'down':
      return scroll(offset + 1);
    case 'up':
      return show(scrollTo(state, { ...reader, goal: null }, offset - 1));
    case 'page-down':
      return scroll(offset + rows - 1);
    case 'page-up':
      return scroll(offset - rows + 1);
    case 'first':
      return scroll(0);
    case 'last': {
      const goal = isWhole ? null : 'end';
      return show({ ...scrollTo(state, reader, lines.length), wanted: everything, goal });
    }
    case 'next-message':
      return scroll(messages.find(({ line }) => line > offset)?.line ?? offset);
    case 'previous-message':
      return scroll(messages.findLast(({ line }) => line < offset)?.line ?? 0);
    case 'find':
      return show({ ...reader, find: { line: emptyLine, isTyping: true, from: offset } });
    case 'back':
      return show(null);
    case 'interrupt':
      return leave(state, { type: 'interrupted' });
    case 'help':
      return only({ ...state, front: { type: 'help', offset: 0, behind: reader } });
    case 'copy': {
      const message = findMessage(reader);
      if (message === undefined) return show(reader);
      return { state, effects: [{ type: 'copy', text: message.text, what: 'the message' }] };
    }
    case 'export':
      return only({ ...state, front: askForFile(reader) });
    case 'next-match':
    case 'previous-match': {
      const next = goToMatch(state, reader, action === 'next-match' ? 1 : -1);
      if (next !== undefined) return show(next);
      if (isWhole || action === 'previous-match') return say(reader, nothingFurther);
      return say({ ...reader, wanted: everything, goal: 'next' }, looking);
    }
    case 'tools': {
      const showsTools = !reader.showsTools;
      const message = showsTools ? 'each tool call on its own line' : 'tool calls in one line';
      return say(readAgain(state, { ...reader, showsTools }), message);
    }
    case 'subagents': {
      const showsSubagents = !reader.showsSubagents;
      const message = `${showsSubagents ? 'with' : 'without'} what subagents said`;
      return say(readAgain(state, { ...reader, showsSubagents }), message);
    }
  }
}

function scrollTo(state: State, reader: Reader, wanted: number): Reader {
  const rows = countReaderRows(state);
  const offset = Math.min(Math.max(0, wanted), Math.max(0, reader.lines.length - rows));
  return { ...reader, offset, wanted: Math.max(reader.wanted, offset + rows + ahead) };
}

/** The lines change, and the message at the top stays. */
export function readAgain(state: State, reader: Reader): Reader {
  const here = findMessage(reader);
  const isFirst = here === undefined || here === reader.messages[0];
  return {
    ...reader,
    columns: state.size.columns,
    ...nothingRead,
    wanted: Math.max(reader.wanted, ahead),
    goal: isFirst ? null : { id: here.id, nth: null },
  };
}

function findMessage({ messages, offset }: Reader) {
  return messages.findLast(({ line }) => line <= offset) ?? messages[0];
}

/** Typed text is found at once, from where the search started; Enter keeps the place and Esc goes back. */
function typeToFind(state: State, reader: Reader, key: Key): Reader {
  const { find } = reader;
  const name = key.type === 'key' ? key.name : '';
  if (name === 'enter') return { ...reader, find: { ...find, isTyping: false } };
  if (name === 'esc' || name === 'ctrl-c')
    return { ...scrollTo(state, reader, find.from), find: { ...find, line: emptyLine, isTyping: false } };
  const line = editLine(find.line, key);
  if (line === undefined) return reader;
  const from = reader.lines.findIndex((each, i) => i >= find.from && isFoundIn(each, line.text));
  const isFurther = from < 0 && line.text !== '' && !reader.isWhole;
  const typed: Reader = {
    ...reader,
    find: { ...find, line },
    wanted: everything,
    goal: isFurther ? 'next' : null,
  };
  return scrollTo(state, typed, from < 0 ? find.from : from - countContext(state));
}

function formatFindMessage({ find, lines, isWhole }: Reader): string {
  const { text } = find.line;
  if (text === '' || lines.some((line) => isFoundIn(line, text))) return '';
  return isWhole ? `nothing found for “${text}”` : looking;
}

function goToMatch(state: State, reader: Reader, step: 1 | -1): Reader | undefined {
  const { find, lines, matches } = reader;
  const text = find.line.text;
  const places = text === '' ? matches : lines.flatMap((line, i) => (isFoundIn(line, text) ? [i] : []));
  const context = countContext(state);
  const here = reader.offset + context;
  const next = step > 0 ? places.find((line) => line > here) : places.findLast((line) => line < here);
  if (next === undefined) return undefined;
  const moved = scrollTo(state, reader, next - context);
  // At either end of the conversation nothing moves any more, and all that is visible has been seen.
  return moved.offset === reader.offset ? undefined : moved;
}

function countContext(state: State): number {
  return Math.min(3, countReaderRows(state) - 1);
}

function askForFile(reader: Reader): State['front'] {
  const name = reader.title.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '');
  return {
    type: 'ask',
    question: 'export to:',
    line: toLine(`${[...name].slice(0, 40).join('').toLowerCase() || 'session'}.md`),
    choices: [{ keys: ['enter'], key: 'Enter', label: 'export', does: { type: 'export', id: reader.id } }],
    behind: reader,
  };
}

export function takePage(state: State, reader: Reader, page: ReaderPage): State {
  const front = addPage(state, reader, page);
  const isOver = reader.goal === 'next' && front.goal === null;
  const isFound = front.offset !== reader.offset;
  return { ...state, front, message: isOver ? (isFound ? '' : nothingFurther) : state.message };
}

function addPage(state: State, reader: Reader, page: ReaderPage): Reader {
  const grown: Reader = {
    ...reader,
    lines: reader.lines.concat(page.lines),
    matches: reader.matches.concat(page.matches),
    messages: reader.messages.concat(page.messages),
    isWhole: page.next === null,
    next: page.next,
  };
  const { goal } = grown;
  if (goal === null) return grown;
  if (goal === 'next') {
    const moved = goToMatch(state, { ...grown, wanted: ahead }, 1);
    if (moved !== undefined) return { ...moved, goal: null };
    return grown.isWhole ? { ...grown, goal: null } : grown;
  }
  if (goal === 'end')
    return { ...scrollTo(state, grown, grown.lines.length), goal: grown.isWhole ? null : goal };
  const isMatch = goal === 'match' || goal.nth !== null;
  const line = goal === 'match' ? grown.matches[0] : findPlace(grown, goal);
  if (line === undefined) return grown.isWhole ? { ...grown, goal: null } : { ...grown, wanted: everything };
  return { ...scrollTo(state, grown, line - (isMatch ? countContext(state) : 0)), goal: null };
}

function findPlace({ messages, matches }: Reader, { id, nth }: MessagePlace): number | undefined {
  const at = messages.findIndex((message) => message.id === id);
  const message = messages[at];
  if (message === undefined || nth === null) return message?.line;
  const end = messages[at + 1]?.line ?? Number.POSITIVE_INFINITY;
  const inside = matches.filter((line) => line >= message.line && line < end);
  return inside[nth] ?? inside.at(-1) ?? message.line;
}

const colors = chooseColors(true);

/** Lines of the conversation that are visible; a heading and a footer take two. */
function countReaderRows({ size }: State): number {
  return Math.max(1, size.rows - 2);
}

export function drawReader(reader: Reader, state: State, keys: string): Frame {
  const { columns } = state.size;
  const rows = countReaderRows(state);
  const { lines, offset, find } = reader;
  const shown = lines.slice(offset, offset + rows).map((line) => markFound(line, find.line.text));
  const body = Array.from({ length: rows }, (_, i) => shown[i] ?? '');
  const prompt = find.isTyping ? drawPrompt(find.line, '/', columns) : null;
  return {
    lines: [formatHeading(reader, state), ...body, prompt?.line ?? keys],
    cursor: prompt === null ? null : { row: rows + 1, column: prompt.column },
  };
}

function formatHeading(reader: Reader, state: State): string {
  const { columns } = state.size;
  if (reader.lines.length === 0) return formatPlace(reader.title, ['reading …', '…'], columns);
  const shown = findPlaceShown(reader, countReaderRows(state), countContext(state));
  return formatPlace(reader.title, describePlace(shown, reader), columns);
}

/** Where in a conversation one is, in words and as short as possible. */
export function describePlace(
  { match, message }: ReturnType<typeof findPlaceShown>,
  { matches, isWhole, messageCount }: Pick<Reader, 'matches' | 'isWhole' | 'messageCount'>,
): readonly [long: string, short: string] {
  const all = isWhole ? formatCount(matches.length) : `${formatCount(matches.length)}+`;
  const nth = match === undefined ? null : formatCount(matches.indexOf(match) + 1);
  const position = message?.position == null ? null : formatCount(message.position);
  const total = formatCount(messageCount);
  const say = (of: string, ...names: readonly [string, string]) => [
    ...(nth === null ? [] : [`${names[0]}${nth}${of}${all}`]),
    ...(position === null ? [] : [`${names[1]}${position}${of}${total}`]),
  ];
  return [say(' of ', 'match ', 'message ').join(', '), say('/', '', '#').join(' ')];
}

/** A title, and at the end of the line a place; the title has at least a third of it. */
export function formatPlace(
  title: string,
  [long, short]: readonly [string, string],
  columns: number,
): string {
  const place = [long, short].find((text) => widthOf(text) * 3 <= columns * 2) ?? '';
  const name = clip(title, Math.max(1, columns - widthOf(place) - 2));
  return `${colors.bold(pad(name, columns - widthOf(place)))}${colors.dim(place)}`;
}

export function removeStyles(line: string): string {
  return line.replace(/\x1b\[[\d;]*[mG]/g, '');
}

function isFoundIn(line: string, text: string): boolean {
  return text !== '' && removeStyles(line).toLowerCase().includes(text.toLowerCase());
}

export function markFound(line: string, text: string): string {
  if (!isFoundIn(line, text)) return line;
  const plain = removeStyles(line).toLowerCase();
  const wanted = text.toLowerCase();
  const isMarked = new Set<number>();
  for (let at = plain.indexOf(wanted); at >= 0; at = plain.indexOf(wanted, at + wanted.length))
    for (let i = at; i < at + wanted.length; i++) isMarked.add(i);
  let marked = '';
  let place = 0;
  for (const [piece] of line.matchAll(/\x1b\[[\d;]*[mG]|[\s\S]/g)) {
    if (piece.startsWith('\x1b')) {
      marked += piece;
      continue;
    }
    const [isOn, wasOn] = [isMarked.has(place), isMarked.has(place - 1)];
    if (isOn && !wasOn) marked += '\x1b[7m';
    if (!isOn && wasOn) marked += '\x1b[27m';
    marked += piece;
    place++;
  }
  return isMarked.has(place - 1) ? `${marked}\x1b[27m` : marked;
}
