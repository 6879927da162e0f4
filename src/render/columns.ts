// Fits text into terminal columns, of which an East Asian character takes two: cut, broken between words, or as the rows
// of a table.

import { eastAsianWidth } from 'get-east-asian-width';
import { toClusters } from '../text/clusters.ts';

/** Latin letters, ordinary punctuation, arrows and box drawing: one column each, and most text is nothing else. */
const simple =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u2199\u2500-\u257f]*$/;

export function widthOf(text: string): number {
  if (simple.test(text)) return text.length;
  let width = 0;
  for (const cluster of toClusters(text)) width += widthOfCluster(cluster);
  return width;
}

/** Cuts to at most `columns`, with an ellipsis where text was lost. */
export function clip(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  if (columns < 1) return '';
  const start = simple.test(text)
    ? text.slice(0, columns - 1)
    : takeFitting(toClusters(text), columns - 1).join('');
  return `${start.trimEnd()}…`;
}

export function clipStart(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  if (columns < 1) return '';
  const end = takeFitting(toClusters(text).reverse(), columns - 1).reverse();
  return `…${end.join('').trimStart()}`;
}

function takeFitting(clusters: readonly string[], columns: number): string[] {
  let width = 0;
  const tooMany = clusters.findIndex((cluster) => {
    width += widthOf(cluster);
    return width > columns;
  });
  return clusters.slice(0, tooMany);
}

/**
 * Shortened in the middle, between components. In this order, as far as there is room: the last one, what tells it from the paths
 * `beside` it that end alike, where it starts, and what comes before the last one.
 */
export function clipPath(text: string, columns: number, beside: readonly string[] = []): string {
  if (widthOf(text) <= columns) return text;
  const parts = toComponents(text);
  const last = parts.length - 1;
  const telling = findTelling(parts, beside);
  const kept = new Set<number>();
  const keep = (i: number): boolean => {
    const isFitting = widthOf(joinKept(parts, new Set([...kept, i]))) <= columns;
    if (isFitting) kept.add(i);
    return isFitting;
  };
  for (const i of [last, ...telling, 0]) keep(i);
  for (let i = last - 1; i > 0 && keep(i); ) i--;
  // Not even the last component fits.
  return kept.has(last) ? joinKept(parts, kept) : clipStart(text, columns);
}

/** Columns in which a path still differs from those beside it that end alike; 0 if none does. */
export function leastPathColumns(text: string, beside: readonly string[]): number {
  const parts = toComponents(text);
  const telling = findTelling(parts, beside);
  return telling.length === 0 ? 0 : widthOf(joinKept(parts, new Set([parts.length - 1, ...telling])));
}

/** Each with the slash after it. */
function toComponents(path: string): string[] {
  return path.split(/(?<=[\\/])(?=.)/);
}

/** The places at which it differs from others that end with the same component, counted from the end. */
function findTelling(parts: readonly string[], beside: readonly string[]): number[] {
  const last = parts.length - 1;
  const places = beside.flatMap((path) => {
    if (!path.endsWith(parts[last] ?? '')) return [];
    const others = toComponents(path);
    const place = parts.findLastIndex((part, i) => part !== others[others.length - 1 - (last - i)]);
    return place < 0 || place === last ? [] : [place];
  });
  return [...new Set(places)].sort((a, b) => b - a);
}

function joinKept(parts: readonly string[], kept: ReadonlySet<number>): string {
  return parts
    .map((part, i) => (kept.has(i) ? part : i > 0 && !kept.has(i - 1) ? '' : `…${/[\\/]$/.exec(part) ?? ''}`))
    .join('');
}

/** For a pipe, in which nothing is cut: whoever reads it knows how much they want. */
export const uncutColumns = 10_000;

export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}

/** Cuts wherever a line is full. `used` columns of the first line are already taken, so its part may be empty. */
export function cutToColumns(text: string, columns: number, used: number): string[] {
  const parts: string[] = [];
  if (simple.test(text)) {
    let at = Math.max(0, columns - used);
    parts.push(text.slice(0, at));
    for (; at < text.length; at += columns) parts.push(text.slice(at, at + columns));
    return parts;
  }
  let part = '';
  let width = used;
  for (const cluster of toClusters(text)) {
    const more = widthOfCluster(cluster);
    if (width > 0 && width + more > columns) {
      parts.push(part);
      part = '';
      width = 0;
    }
    part += cluster;
    width += more;
  }
  return [...parts, part];
}

/** Before a selector, a joiner or a keycap, even a plain character may be drawn as an emoji, which takes two. */
const emojiMark = /[\u200d\u20e3\ufe0f]/;
const invisible = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]$/u;
const spacingMark = /^\p{Mc}$/u;

function widthOfCluster(cluster: string): number {
  let base: number | undefined;
  let marks = 0;
  for (const character of cluster) {
    const width = eastAsianWidth(character.codePointAt(0) ?? 0);
    if (spacingMark.test(character)) marks += width;
    else if (!invisible.test(character)) base ??= emojiMark.test(cluster) ? 2 : width;
  }
  return (base ?? 0) + marks;
}

export interface Column {
  readonly title: string;
  readonly side?: 'left' | 'right';
  readonly paint?: (text: string) => string;
}

const gap = '  ';
const minFirst = 18;

/** The first column takes the space that the others leave; if that is too little, the last columns are left out. */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { width, isPath }: { readonly width: number; readonly isPath: boolean },
): string[] {
  const widths = columns.map((column, i) =>
    Math.max(widthOf(column.title), ...rows.map((row) => widthOf(row[i] ?? ''))),
  );
  const least = Math.min(widths[0] ?? 0, minFirst);
  let count = columns.length;
  const rest = () => widths.slice(1, count).reduce((sum, each) => sum + gap.length + each, 0);
  while (count > 1 && rest() + least > width) count--;
  widths[0] = Math.min(widths[0] ?? 0, Math.max(0, width - rest()));
  const firsts = rows.map(([first = '']) => first);
  const formatRow = (cells: readonly string[], isHeading: boolean) =>
    columns
      .slice(0, count)
      .map(({ side = 'left', paint = (text) => text }, i) => {
        const columnWidth = widths[i] ?? 0;
        const cell = cells[i] ?? '';
        const cut =
          isPath && i === 0 && !isHeading ? clipPath(cell, columnWidth, firsts) : clip(cell, columnWidth);
        const space = ' '.repeat(columnWidth - widthOf(cut));
        const text = isHeading ? cut : paint(cut);
        return side === 'left' ? text + space : space + text;
      })
      .join(gap)
      .trimEnd();
  const titles = columns.map((column) => column.title);
  const hasTitles = titles.some((title) => title !== '');
  return [...(hasTitles ? [formatRow(titles, true)] : []), ...rows.map((row) => formatRow(row, false))];
}

/** Columns that a description needs beside its term; with fewer, it goes below. */
const minBeside = 24;

/** A line with nothing but a command to type next, which a line break would change. */
const commandToCopy = /^ {2}(?:try: )?recall (?!.*(?:\S {2,}\S|[,;] ))/;

/** For help, notes and errors. A word that is longer than a line, such as a path, stays whole, so that it can be copied. */
export function fitLines(text: string, columns: number): string {
  const fits = (line: string) => widthOf(line) <= columns || commandToCopy.test(line);
  return text
    .split('\n')
    .flatMap((line) => (fits(line) ? [line] : breakLine(line, columns)))
    .join('\n');
}

/** Wraps text between words for a terminal; a pipe gets every line whole. */
export function fitTo(
  { isTerminal, columns }: { readonly isTerminal: boolean; readonly columns: number },
  text: string,
): string {
  return isTerminal ? fitLines(text, columns) : text;
}

function breakLine(line: string, columns: number): string[] {
  const [, margin = '', term = '', gap = '', rest] = /^( *)(\S+(?: \S+)*)( {2,})(\S.*)$/.exec(line) ?? [];
  if (rest === undefined) return hang(line, /^ *(?:(?:recall|try|error): )?/.exec(line)?.[0] ?? '', columns);
  const beside = `${margin}${term}${gap}`;
  if (columns - widthOf(beside) >= minBeside) return hang(line, beside, columns);
  const below = `${margin}    `;
  return [...hang(`${margin}${term}`, margin, columns), ...hang(`${below}${rest}`, below, columns)];
}

/** Breaks the line between words after its `start`; later lines are indented by the width of `start`. */
export function hang(line: string, start: string, columns: number): string[] {
  const lines: string[] = [];
  let margin = start;
  let current = '';
  for (const word of line.slice(start.length).split(' ')) {
    if (current !== '' && widthOf(`${margin}${current} ${word}`) > columns) {
      lines.push(margin + current);
      margin = ' '.repeat(widthOf(start));
      current = word;
    } else current = current === '' ? word : `${current} ${word}`;
  }
  return [...lines, margin + current];
}

export function wrap(text: string, columns: number): string[] {
  return hang(text, '', columns).map((line) => clip(line, columns));
}
