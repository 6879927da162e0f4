// Lets the flags of a command come before it, as those of the program may: `recall --limit 3 search jwt`.

import type { CommandUnknownOpts as Command, Option } from '@commander-js/extra-typings';
import { findNearOption, findOption } from './separate-words.ts';

/** Moves them after it; then a mistyped one is reported with the flag that was probably meant. */
export function putCommandFirst(program: Command, argv: readonly string[]): readonly string[] {
  if (!argv[0]?.startsWith('-')) return argv;
  const options: readonly Option[] = [
    ...program.options,
    ...program.commands.flatMap((command) => command.options),
  ];
  const kept: string[] = [];
  const moved: string[] = [];
  let at = 0;
  for (; argv[at]?.startsWith('-') && argv[at] !== '--'; at++) {
    const argument = argv[at] ?? '';
    const option = findOption(argument, options) ?? findNearOption(argument, options);
    const takesNext = option?.required && !argument.includes('=') && at + 1 < argv.length;
    const isOfCommand = option !== undefined && !program.options.includes(option);
    (isOfCommand ? moved : kept).push(argument, ...(takesNext ? [argv[++at] ?? ''] : []));
  }
  const command = argv[at];
  const isKnown = program.commands.some((each) => each.name() === command);
  return command !== undefined && isKnown ? [...kept, command, ...moved, ...argv.slice(at + 1)] : argv;
}
