// Fits text that was written without a width in mind, such as help, notes and errors, to a terminal: lines are broken
// between words. A word that is longer than a line, such as a path, stays whole, so that it can be copied.

import { widthOf } from './columns.ts';

/** Columns that a description needs beside its term; with fewer, it goes below. */
const minBeside = 24;

/** A line with nothing but a command to type next, which a line break would change. */
const commandToCopy = /^ {2}(?:try: )?recall (?!.*(?:\S {2,}\S|[,;] ))/;

/** Lines that fit stay as they are. */
export function fitLines(text: string, columns: number): string {
  const fits = (line: string) => widthOf(line) <= columns || commandToCopy.test(line);
  return text
    .split('\n')
    .flatMap((line) => (fits(line) ? [line] : breakLine(line, columns)))
    .join('\n');
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
  const indent = ' '.repeat(widthOf(start));
  const [first = '', ...words] = line.slice(start.length).split(' ');
  let current = start + first;
  for (const word of words) {
    if (widthOf(current) + 1 + widthOf(word) > columns) {
      lines.push(current);
      current = indent + word;
    } else current += ` ${word}`;
  }
  return [...lines, current];
}
