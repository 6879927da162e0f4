// A conversation on the whole screen, with what `/` found marked.

import { toColors } from '../../render/colors.ts';
import { clip, pad, widthOf } from '../../render/columns.ts';
import { formatCount } from '../../render/quantities.ts';
import type { Reader, State } from '../state.ts';
import type { Frame } from '../terminal/frame.ts';
import { toPrompt } from './prompt.ts';

const colors = toColors(true);

/** Lines of the conversation that are visible; a heading and a footer take two. */
export function toReaderRows({ size }: State): number {
  return Math.max(1, size.rows - 2);
}

export function toReaderFrame(reader: Reader, state: State, keys: string): Frame {
  const { columns } = state.size;
  const rows = toReaderRows(state);
  const { lines, offset, find } = reader;
  const shown = lines.slice(offset, offset + rows).map((line) => markFound(line, find.line.text));
  const body = Array.from({ length: rows }, (_, i) => shown[i] ?? '');
  const prompt = find.isTyping ? toPrompt(find.line, '/', columns) : null;
  return {
    lines: [toHeading(reader, rows, columns), ...body, prompt?.line ?? keys],
    cursor: prompt === null ? null : { row: rows + 1, column: prompt.column },
  };
}

function toHeading({ title, lines, offset, isWhole }: Reader, rows: number, columns: number): string {
  const last = Math.min(lines.length, offset + rows);
  const share = isWhole ? `${Math.floor((100 * last) / Math.max(1, lines.length))}%` : '';
  const place = lines.length === 0 ? 'reading …' : `${formatCount(last)}${isWhole ? '' : ' …'}  ${share}`;
  const name = clip(title, Math.max(1, columns - widthOf(place) - 2));
  return `${colors.bold(pad(name, columns - widthOf(place)))}${colors.dim(place)}`;
}

/** The text of a line, without styles. */
export function toPlainLine(line: string): string {
  return line.replace(/\x1b\[[\d;]*[mG]/g, '');
}

/** Where the text occurs in the plain line, without regard to case. */
export function isFoundIn(line: string, text: string): boolean {
  return text !== '' && toPlainLine(line).toLowerCase().includes(text.toLowerCase());
}

/** The line with each occurrence inverted; styles in between stay. */
export function markFound(line: string, text: string): string {
  if (!isFoundIn(line, text)) return line;
  const plain = toPlainLine(line).toLowerCase();
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
