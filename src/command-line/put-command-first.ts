// Lets the flags of a command come before it, as those of the program may: `recall --limit 3 search jwt`. What is meant by a
// first word that is not a command is decided here too, since only here it is known which word is the first.

import type { CommandUnknownOpts as Command, Option } from '@commander-js/extra-typings';
import { type CommandLine, toCommandLine } from './implied-command.ts';
import { findNearOption, findOption } from './separate-words.ts';

/** Moves them after it; then a mistyped one is reported with the flag that was probably meant. */
export function putCommandFirst(program: Command, argv: readonly string[]): CommandLine {
  if (argv.length === 0) return { argv, implied: null };
  if (!argv[0]?.startsWith('-')) return toCommandLine(argv);
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
  const words = argv.slice(at);
  // A mistyped flag may have a value that looks like the first word: then the flag is what has to be reported.
  const isClear = kept.every(
    (each) => !each.startsWith('-') || findOption(each, program.options) !== undefined,
  );
  if (words.length === 0 || words[0] === '--' || !isClear) return { argv, implied: null };
  const { argv: meant, implied } = toCommandLine(words);
  const [command = '', ...rest] = meant;
  return { argv: [...kept, command, ...moved, ...rest], implied };
}
