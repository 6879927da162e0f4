// The query guide as a help page, fitted to the width of the terminal.

import { widthOf, wrap } from './columns.ts';
import { queryGuide, tierGuide } from './query-guide.ts';

/** Longer lines are hard to read, however wide the terminal is. */
const maxColumns = 100;
/** An example wider than this has its meaning on the next line. */
const exampleColumns = 26;

export function toQueryHelp(columns: number): string {
  const room = Math.min(columns, maxColumns);
  const sections = [
    ...queryGuide.map(({ heading, text, rows }) => ({
      heading,
      text,
      rows: rows.map((row) => [row.examples.join('  '), row.meaning] as const),
    })),
    { ...tierGuide, rows: tierGuide.tiers },
  ];
  const pages = sections.map(({ heading, text, rows }) =>
    [
      `${heading}:`,
      ...indented(text, 2, room),
      '',
      ...rows.flatMap(([name, meaning]) => toRow(name, meaning, room)),
    ].join('\n'),
  );
  return [
    'Usage: recall search [words...]',
    ...pages,
    wrap('Flags and more examples: recall help search', room).join('\n'),
  ].join('\n\n');
}

function toRow(name: string, meaning: string, room: number): string[] {
  const below = indented(meaning, 2 + exampleColumns, room);
  if (widthOf(name) > exampleColumns - 2 || room < 60) {
    return [...indented(name, 2, room), ...(room < 60 ? indented(meaning, 6, room) : below)];
  }
  const [first = '', ...rest] = below;
  return [`  ${name}${' '.repeat(exampleColumns - widthOf(name))}${first.trimStart()}`, ...rest];
}

function indented(text: string, by: number, room: number): string[] {
  return wrap(text, room - by).map((line) => ' '.repeat(by) + line);
}
