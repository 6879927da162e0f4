// Two texts as a unified diff with a single hunk, from the first difference to the last: enough for a change in one
// place, which is all it is used for.

import { toPrintable } from '../text/printable.ts';
import type { Colors } from './colors.ts';

const contextLines = 3;
/** Longer lines are cut to the part around the difference. */
const maxLineChars = 240;
const keptChars = 60;

export function toDiff(path: string, before: string, after: string, colors: Colors): string {
  const [oldLines, newLines] = [toLines(before), toLines(after)];
  const { head, tail } = countShared(oldLines, newLines);
  const removed = oldLines.slice(head, oldLines.length - tail);
  const added = newLines.slice(head, newLines.length - tail);
  const above = oldLines.slice(Math.max(0, head - contextLines), head);
  const below = oldLines.slice(oldLines.length - tail, oldLines.length - tail + contextLines);
  const first = head - above.length + 1;
  const size = (changed: readonly string[]) => above.length + changed.length + below.length;
  const range = (changed: readonly string[]) => `${size(changed) === 0 ? 0 : first},${size(changed)}`;
  const [shortRemoved, shortAdded] = toComparable(removed, added);
  return [
    colors.bold(`--- ${path}`),
    colors.bold(`+++ ${path}`),
    colors.dim(`@@ -${range(removed)} +${range(added)} @@`),
    ...above.map((line) => colors.dim(` ${toShown(line)}`)),
    ...shortRemoved.map((line) => colors.yellow(`-${toShown(line)}`)),
    ...shortAdded.map((line) => colors.cyan(`+${toShown(line)}`)),
    ...below.map((line) => colors.dim(` ${toShown(line)}`)),
  ].join('\n');
}

/** How much two lists of lines, or two lines, have in common at the start and at the end. */
function countShared<T extends string | readonly string[]>(one: T, other: T): { head: number; tail: number } {
  const limit = Math.min(one.length, other.length);
  let head = 0;
  while (head < limit && one[head] === other[head]) head++;
  let tail = 0;
  while (tail < limit - head && one.at(-1 - tail) === other.at(-1 - tail)) tail++;
  return { head, tail };
}

function toLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Shortens the one line of a file that is a single very long line to what surrounds the change. */
function toComparable(
  removed: readonly string[],
  added: readonly string[],
): [readonly string[], readonly string[]] {
  const [oldLine = '', newLine = ''] = [removed[0], added[0]];
  if (removed.length !== 1 || added.length !== 1 || Math.max(oldLine.length, newLine.length) <= maxLineChars)
    return [removed, added];
  const { head, tail } = countShared(oldLine, newLine);
  const start = Math.max(0, head - keptChars);
  const cut = (line: string): string => {
    const end = Math.min(line.length, line.length - tail + keptChars);
    return `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`;
  };
  return [[cut(oldLine)], [cut(newLine)]];
}

function toShown(line: string): string {
  const printable = toPrintable(line.replace(/\r$/, '')).replaceAll('\n', ' ');
  return printable.length > 4 * maxLineChars ? `${printable.slice(0, 4 * maxLineChars)}…` : printable;
}
