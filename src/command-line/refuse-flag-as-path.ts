// `--db --json`: commander takes what follows a flag for its value, whatever it looks like. Where the value is a file or a
// folder, another flag in its place means that the value was forgotten, and would become the name of a new index.

import type { CommandUnknownOpts as Command, Option } from '@commander-js/extra-typings';
import { UserError } from '../errors.ts';
import { findCommand, findOption } from './separate-words.ts';

const taken: Readonly<Record<string, string>> = { file: 'a file', path: 'a path', dir: 'a folder' };

/** `argv` as it was typed. A name that starts with dashes can still be given: `--db=--json`. */
export function refuseFlagAsPath(program: Command, argv: readonly string[]): void {
  const name = argv[findCommand(argv, program.options)];
  const command = program.commands.find((each) => each.name() === name);
  const options = [...program.options, ...(command?.options ?? [])];
  for (let i = 0; i < argv.length && argv[i] !== '--'; i++) {
    const argument = argv[i] ?? '';
    const option = argument.includes('=') ? undefined : findOption(argument, options);
    const value = argv[i + 1];
    if (!option?.required || value === undefined) continue;
    const [placeholder, what = ''] = /<(.*)>/.exec(option.flags) ?? [];
    // Commander looks for the program's own flags first, so one of these is not the value of a command's flag.
    if (taken[what] === undefined) i += findOption(value, program.options) === undefined ? 1 : 0;
    else if (isFlag(value, options))
      throw new UserError(`${argument} needs ${taken[what]}, not ${value}`, {
        code: 'usage',
        hint: `${argument} ${placeholder}; if ${value} is its name: ${option.long}=${value}`,
      });
    else i++;
  }
}

function isFlag(value: string, options: readonly Option[]): boolean {
  return value.startsWith('--') || value === '-h' || findOption(value, options) !== undefined;
}
