// Lets a query contain words that start with a dash: `recall search --flag` searches for the word, while
// --limit stays an option and a mistyped option is still reported.

import type { CommandUnknownOpts as Command, Option } from '@commander-js/extra-typings';
import { editDistance } from '../text/compare.ts';

export function separateWords(program: Command, argv: readonly string[]): string[] {
  const at = findCommand(argv, program.options);
  const search = program.commands.find((command) => command.name() === 'search');
  if (search === undefined || argv[at] !== 'search') return [...argv];
  const options = [...program.options, ...search.options];
  const kept: string[] = [];
  const words: string[] = [];
  const rest = argv.slice(at + 1);
  for (let i = 0; i < rest.length; i++) {
    const argument = rest[i] ?? '';
    if (argument === '--') {
      words.push(...rest.slice(i + 1));
      break;
    }
    if (!isOption(argument, options)) {
      words.push(argument);
      continue;
    }
    kept.push(argument);
    if (!findOption(argument, options)?.required || argument.includes('=')) continue;
    const value = rest[i + 1];
    // Commander would take the dashes before the words for its value.
    if (value === undefined) return [...argv.slice(0, at + 1), ...kept];
    // It looks for the program's own options first, so these are no values.
    if (findOption(value, program.options) !== undefined) continue;
    kept.push(value);
    i++;
  }
  return [...argv.slice(0, at + 1), ...kept, ...(words.length === 0 ? [] : ['--', ...words])];
}

/** The index of the command: the first argument that is neither an option nor the value of one. */
export function findCommand(argv: readonly string[], options: readonly Option[]): number {
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i] ?? '';
    if (!argument.startsWith('-')) return i;
    if (findOption(argument, options)?.required && !argument.includes('=')) i++;
  }
  return -1;
}

export function findOption(argument: string, options: readonly Option[]): Option | undefined {
  const name = argument.split('=')[0];
  return options.find((option) => option.long === name || option.short === name);
}

/** An option, or so close to one that it must be a typing mistake. */
function isOption(argument: string, options: readonly Option[]): boolean {
  if (argument === '-h' || argument === '--help') return true;
  if (!argument.startsWith('-') || argument.includes(' ')) return false;
  return findOption(argument, options) !== undefined || findNearOption(argument, options) !== undefined;
}

/** The option that was probably meant; undefined if the argument is too short to tell. */
export function findNearOption(argument: string, options: readonly Option[]): Option | undefined {
  const name = argument.split('=')[0] ?? '';
  if (name.length <= 5) return undefined;
  return options.find((option) => editDistance(name, option.long ?? '', 2) <= 2);
}
