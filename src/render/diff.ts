// Two texts as a unified diff with a single block, from the first difference to the last: enough for a change in one
// place, which is all it is used for.

import { toPrintable } from '../text/printable.ts';
import type { Colors } from './colors.ts';

const contextLines = 3;
/** Longer lines are cut to the part around the difference. */
const maxLineChars = 240;
const keptChars = 60;

export function toDiff(path: string, before: string, after: string, colors: Colors): string {
  const [old, young] = [toLines(before), toLines(after)];
  const { head, tail } = countShared(old, young);
  const gone = old.slice(head, old.length - tail);
  const come = young.slice(head, young.length - tail);
  const above = old.slice(Math.max(0, head - contextLines), head);
  const below = old.slice(old.length - tail, old.length - tail + contextLines);
  const first = head - above.length + 1;
  const size = (changed: readonly string[]) => above.length + changed.length + below.length;
  const range = (changed: readonly string[]) => `${size(changed) === 0 ? 0 : first},${size(changed)}`;
  const [shortGone, shortCome] = toComparable(gone, come);
  return [
    colors.bold(`--- ${path}`),
    colors.bold(`+++ ${path}`),
    colors.dim(`@@ -${range(gone)} +${range(come)} @@`),
    ...above.map((line) => colors.dim(` ${toShown(line)}`)),
    ...shortGone.map((line) => colors.yellow(`-${toShown(line)}`)),
    ...shortCome.map((line) => colors.cyan(`+${toShown(line)}`)),
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

/** For a file that is one very long line: what surrounds the change. */
function toComparable(
  gone: readonly string[],
  come: readonly string[],
): [readonly string[], readonly string[]] {
  const [old = '', young = ''] = [gone[0], come[0]];
  if (gone.length !== 1 || come.length !== 1 || Math.max(old.length, young.length) <= maxLineChars)
    return [gone, come];
  const { head, tail } = countShared(old, young);
  const start = Math.max(0, head - keptChars);
  const cut = (line: string): string => {
    const end = Math.min(line.length, line.length - tail + keptChars);
    return `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`;
  };
  return [[cut(old)], [cut(young)]];
}

function toShown(line: string): string {
  const printable = toPrintable(line.replace(/\r$/, '')).replaceAll('\n', ' ');
  return printable.length > 4 * maxLineChars ? `${printable.slice(0, 4 * maxLineChars)}…` : printable;
}
