// `-h`: help on one screen. What a command is for, as many of its flags as fit, each on one line, the names of the others, and three
// examples. `--help` has everything; both come from the same definitions.

import type { CommandUnknownOpts, Help } from '@commander-js/extra-typings';
import { clip, fitLines, hang, pad, widthOf } from '../render/columns.ts';

/** A terminal of 24 rows, in which the prompt takes one. */
const maxLines = 23;
const maxExamples = 3;

export function formatBriefHelp(command: CommandUnknownOpts, help: Help, examples: string): string {
  const columns = help.helpWidth ?? 80;
  const isProgram = command.parent === null;
  const rows: Row[] = isProgram
    ? help.visibleCommands(command).map((each) => ({
        term: [each.name(), ...help.visibleArguments(each).map(formatArgument)].join(' '),
        name: each.name(),
        text: help.subcommandDescription(each),
      }))
    : help
        .visibleOptions(command)
        .filter(({ long }) => long !== '--help')
        .map(({ flags, long, description }) => ({ term: flags, name: long ?? flags, text: description }));
  const usage = `Usage: ${help.commandUsage(command)}`.split('\n');
  const whole = `everything: recall ${isProgram ? '' : `${command.name()} `}--help`;
  const above = [...usage, ...hang(help.commandDescription(command), '', columns), ''];
  let lines: string[] = [];
  for (let examplesShown = maxExamples; examplesShown > 0; examplesShown--)
    for (let shown = rows.length; shown >= 0; shown--) {
      const others = rows.slice(shown).map(({ name }) => name);
      const also = others.length === 0 ? [] : hang(`  also: ${others.join(', ')}`, '  also: ', columns);
      const below = ['', 'Examples:', ...takeExamples(examples, examplesShown), '', whole];
      lines = [...above, ...formatRows(rows.slice(0, shown), columns), ...also, ...below];
      if (countLines(lines, columns) <= maxLines) return toText(lines);
    }
  return toText(lines);
}

function toText(lines: readonly string[]): string {
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

/** A command to copy is not broken between words: the terminal breaks it where it is full. */
function countLines(lines: readonly string[], columns: number): number {
  const fitted = fitLines(lines.join('\n'), columns).split('\n');
  return fitted.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0);
}

interface Row {
  readonly term: string;
  readonly name: string;
  readonly text: string;
}

function formatArgument(argument: {
  name(): string;
  readonly required: boolean;
  readonly variadic: boolean;
}) {
  const name = `${argument.name()}${argument.variadic ? '…' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function formatRows(rows: readonly Row[], columns: number): string[] {
  const width = Math.max(0, ...rows.map(({ term }) => widthOf(term)));
  return rows.map(({ term, text }) => {
    const start = `  ${pad(term, width)}  `;
    return `${start}${shorten(text, Math.max(10, columns - widthOf(start)))}`;
  });
}

/** Where all of it does not fit, without what explains it: after a colon, a semicolon, in brackets; or up to a comma. `join: …` begins with the action it is for. */
function shorten(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  for (const ends of [/ \(.*|(?<= .*):.*|; .*/, /, .*/]) {
    const start = text.replace(ends, '');
    if (widthOf(start) <= columns) return start;
  }
  return clip(text, columns);
}

/** The first few: a line, and what is indented below it. */
function takeExamples(text: string, count: number): string[] {
  const listed = /^Examples:\n((?: {2}.*\n?)*)/m.exec(text)?.[1]?.trimEnd().split('\n') ?? [];
  const starts = listed.flatMap((line, i) => (/^ {2}\S/.test(line) ? [i] : []));
  return listed.slice(0, starts[count] ?? listed.length);
}
