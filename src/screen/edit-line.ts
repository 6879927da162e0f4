// A line of text with a cursor, edited as in a shell. Pure; the cursor is between characters as a person sees them.

import { chooseColors } from '../render/colors.ts';
import { clipStart, cutToColumns, widthOf } from '../render/columns.ts';
import { toClusters } from '../text/clusters.ts';
import { toPrintable } from '../text/printable.ts';
import type { Key } from './decode-keys.ts';

export interface Line {
  readonly text: string;
  readonly cursor: number;
}

export const emptyLine: Line = { text: '', cursor: 0 };

export function toLine(text: string): Line {
  return { text, cursor: text.length };
}

/** More than anybody types; a pasted file would make every key slow. */
const maxChars = 4000;

const edits: Readonly<Record<string, (line: Line) => Line>> = {
  left: (line) => ({ ...line, cursor: before(line) }),
  right: (line) => ({ ...line, cursor: after(line) }),
  'ctrl-b': (line) => ({ ...line, cursor: before(line) }),
  'ctrl-f': (line) => ({ ...line, cursor: after(line) }),
  'ctrl-a': (line) => ({ ...line, cursor: 0 }),
  'ctrl-e': (line) => ({ ...line, cursor: line.text.length }),
  'alt-b': (line) => ({ ...line, cursor: wordBefore(line) }),
  'alt-f': (line) => ({ ...line, cursor: wordAfter(line) }),
  'ctrl-left': (line) => ({ ...line, cursor: wordBefore(line) }),
  'ctrl-right': (line) => ({ ...line, cursor: wordAfter(line) }),
  backspace: (line) => cut(line, before(line), line.cursor),
  delete: (line) => cut(line, line.cursor, after(line)),
  'ctrl-d': (line) => cut(line, line.cursor, after(line)),
  // A shell's Ctrl-W goes back to a space.
  'ctrl-w': (line) => cut(line, /\S*\s*$/.exec(line.text.slice(0, line.cursor))?.index ?? 0, line.cursor),
  'alt-backspace': (line) => cut(line, wordBefore(line), line.cursor),
  'alt-d': (line) => cut(line, line.cursor, wordAfter(line)),
  'ctrl-u': (line) => cut(line, 0, line.cursor),
  'ctrl-k': (line) => cut(line, line.cursor, line.text.length),
};

export function editLine(line: Line, key: Key): Line | undefined {
  if (key.type === 'key') return edits[key.name]?.(line);
  const { text, cursor } = line;
  const added = toPrintable(key.text)
    .replace(/\n+/g, ' ')
    .slice(0, Math.max(0, maxChars - text.length));
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length };
}

function cut({ text }: Line, from: number, to: number): Line {
  return { text: text.slice(0, from) + text.slice(to), cursor: from };
}

function before({ text, cursor }: Line): number {
  return cursor - (toClusters(text.slice(0, cursor)).at(-1)?.length ?? 0);
}

function after({ text, cursor }: Line): number {
  return cursor + (toClusters(text.slice(cursor))[0]?.length ?? 0);
}

function wordBefore({ text, cursor }: Line): number {
  return /[\p{L}\p{N}\p{M}]*[^\p{L}\p{N}\p{M}]*$/u.exec(text.slice(0, cursor))?.index ?? 0;
}

function wordAfter({ text, cursor }: Line): number {
  return cursor + (/^[^\p{L}\p{N}\p{M}]*[\p{L}\p{N}\p{M}]*/u.exec(text.slice(cursor))?.[0].length ?? 0);
}

const colors = chooseColors(true);

export function drawPrompt({ text, cursor }: Line, mark: string, columns: number) {
  const room = Math.max(1, columns - widthOf(mark) - 1);
  const before = clipStart(text.slice(0, cursor), room);
  const left = room - widthOf(before);
  const after = cutToColumns(text.slice(cursor), Math.max(1, left), 0)[0] ?? '';
  const line = `${colors.bold(colors.cyan(mark))}${before}${left > 0 ? after : ''}`;
  return { line, column: Math.min(columns - 1, widthOf(mark) + widthOf(before)) };
}
