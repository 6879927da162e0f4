// What is meant by a command line whose first word is not a command: a search, a command by the name that other programs have
// for it, or a command that was misspelt.

import { UserError } from '../errors.ts';
import { type CommandName, commandNames, type Hint, hint, recall } from '../hints.ts';
import { editDistance } from '../text/compare.ts';
import { quoteForShell } from '../text/printable.ts';

export interface CommandLine {
  readonly argv: readonly string[];
  /** If no command was typed: what was, which is taken for a search. */
  readonly implied: readonly string[] | null;
}

/** Commands that are not for hints. */
const furtherNames = ['help', '__complete'];

export function isCommand(word: string): boolean {
  return [...commandNames, ...furtherNames].includes(word);
}

/** Names of other programs that do the same thing here. */
const aliases: Readonly<Record<string, CommandName>> = { ls: 'list', grep: 'search', resume: 'open' };

/** Every first word that is not searched for; the build gives them to the loader. */
export const firstWords: readonly string[] = [...commandNames, ...furtherNames, ...Object.keys(aliases)];

/** What people expect to be a command, and the one that does it. A command of this name would come before it. */
const expected: Readonly<Record<string, (ref: string) => Hint>> = {
  export: (ref) => hint`write it to a file: ${recall('show', ref, '--output', 'session.md')}`,
  delete: (ref) => hint`${recall('forget', ref)}`,
  remove: (ref) => hint`${recall('forget', ref)}`,
  rm: (ref) => hint`${recall('forget', ref)}`,
  resume: (ref) => hint`${recall('open', ref)}`,
};

/** `argv` starts with a word, not with a flag. */
export function toCommandLine(argv: readonly string[]): CommandLine {
  const [word = '', ...rest] = argv;
  if (isCommand(word)) return { argv, implied: null };
  const others = rest.filter((each) => !each.startsWith('-'));
  const alias = Object.hasOwn(aliases, word) ? aliases[word] : undefined;
  if (alias !== undefined && takes(alias, others)) return { argv: [alias, ...rest], implied: null };
  const hint = Object.hasOwn(expected, word) ? expected[word] : undefined;
  if (hint !== undefined && (others.length === 0 || takes('open', others)))
    throw unknownCommand(word, hint(others[0] ?? '<number or id>'));
  return { argv: ['search', ...argv], implied: argv };
}

/** Whether these can be the arguments of a command, rather than more words to search for. */
function takes(command: CommandName, others: readonly string[]): boolean {
  if (command === 'list') return others.length === 0;
  if (command === 'search') return others.length > 0;
  return others.length === 1 && /^(\d{1,4}|[0-9a-f]{4,8}(-[0-9a-f-]*)?)(:\d+)?$/i.test(others[0] ?? '');
}

function unknownCommand(word: string, next: Hint): UserError {
  return new UserError(`unknown command '${word}'`, { code: 'usage', hint: next });
}

/** For a first word that was found nowhere: the command that was probably meant, if any. */
export function findMisspelt([word = '', ...rest]: readonly string[]): UserError | undefined {
  const meant = findNearest(word, [...commandNames, 'help']);
  return meant === undefined ? undefined : unknownCommand(word, toTypedLine([meant, ...rest]));
}

/** The nearest name, if it is near enough to be meant; the first one among equals. */
export function findNearest(typed: string, names: readonly string[]): string | undefined {
  const name = typed.split('=')[0] ?? '';
  const limit = name.replace(/^-+/, '').length < 5 ? 1 : 2;
  let nearest: string | undefined;
  let least = limit + 1;
  for (const each of names) {
    const distance = editDistance(name.toLowerCase(), each, limit);
    if (distance < least) [nearest, least] = [each, distance];
  }
  return nearest;
}

/** A command line to type as it is; arguments that are too long to read become an ellipsis. */
export function toTypedLine([name = '', ...args]: readonly string[]): Hint {
  const quoted = args.map((each) => (/^[\p{L}\p{N}_./:@%+=,-]+$/u.test(each) ? each : quoteForShell(each)));
  const shown = quoted.join(' ').length > 180 ? ['…'] : quoted;
  const command = [...commandNames, 'help' as const].find((each) => each === name);
  return [command === undefined ? recall(null, name, ...shown) : recall(command, ...shown)];
}
