// A table for a terminal: columns side by side if they fit, otherwise each row as a list of labelled values.

import type { Colors } from '../colors.ts';
import { type Span, wrapSpans } from './styled-text.ts';

export interface Cell {
  readonly spans: readonly Span[];
  readonly width: number;
  readonly isRight: boolean;
}

const between = '  ';

/** The first row contains the column names. */
export function toTableLines(rows: readonly (readonly Cell[])[], columns: number, colors: Colors): string[] {
  const [head = [], ...body] = rows;
  const widths = head.map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, row[column]?.width ?? 0), 1),
  );
  const total = widths.reduce((sum, width) => sum + width, 0) + between.length * (widths.length - 1);
  if (total > columns) return toLists(head, body, columns, colors);
  const toLine = (row: readonly Cell[]) =>
    widths
      .map((width, i) => {
        const cell = row[i];
        const text = paintCell(cell?.spans ?? []);
        const room = ' '.repeat(width - (cell?.width ?? 0));
        return cell?.isRight ? room + text : text + room;
      })
      .join(between)
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join(between);
  return [colors.bold(toLine(head)), colors.dim(rule), ...body.map(toLine)];
}

function paintCell(spans: readonly Span[]): string {
  return spans.map(({ text, paint }) => paint(text)).join('');
}

function toLists(
  head: readonly Cell[],
  body: readonly (readonly Cell[])[],
  columns: number,
  colors: Colors,
): string[] {
  return body.flatMap((row, i) => {
    const lines = row.flatMap((cell, column) => {
      const label = head[column]?.spans.map(({ text }) => text).join('') ?? '';
      const name: Span[] = label === '' ? [] : [{ text: `${label}: `, paint: colors.bold }];
      if (cell.width === 0) return [];
      const [first = '', ...rest] = wrapSpans([...name, ...cell.spans], columns - 2);
      return [column === 0 ? first : `  ${first}`, ...rest.map((line) => `  ${line}`)];
    });
    return i === 0 ? lines : ['', ...lines];
  });
}
