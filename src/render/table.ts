// Rows in columns that fit the terminal. The first column is a path or a name and takes the space the others leave;
// if that is too little, the last columns are left out.

import { clip, clipPath, widthOf } from './columns.ts';

export interface Column {
  readonly title: string;
  /** Numbers are aligned right. */
  readonly side?: 'left' | 'right';
  readonly paint?: (text: string) => string;
}

const gap = '  ';
/** The width that the first column needs to be useful. */
const minFirst = 18;

/** The cells of a row are printable; there is one for each column. */
export function toTable(
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
  const toLine = (cells: readonly string[], isHeading: boolean) =>
    columns
      .slice(0, count)
      .map(({ side = 'left', paint = (text) => text }, i) => {
        const columnWidth = widths[i] ?? 0;
        const cell = cells[i] ?? '';
        const cut = isPath && i === 0 && !isHeading ? clipPath(cell, columnWidth) : clip(cell, columnWidth);
        const space = ' '.repeat(columnWidth - widthOf(cut));
        const text = isHeading ? cut : paint(cut);
        return side === 'left' ? text + space : space + text;
      })
      .join(gap)
      .trimEnd();
  const titles = columns.map((column) => column.title);
  const hasTitles = titles.some((title) => title !== '');
  return [...(hasTitles ? [toLine(titles, true)] : []), ...rows.map((row) => toLine(row, false))];
}
