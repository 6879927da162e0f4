// What was typed → what commander parses. A first word that is not a command is a search, or a command by another program's name for
// it; flags of a command may come before it; words of a search may start with a dash; and a flag is never taken for the name of a file.

import type { CommandUnknownOpts as Command, Option } from '@commander-js/extra-typings';
import { type UserError, usageError } from '../errors.ts';
import { type CommandName, commandNames, type Hint, hint, recall } from '../hints.ts';
import { type AgentName, agents, type GivenRoots } from '../records.ts';
import { editDistance } from '../text/compare.ts';
import { quoteForShell, toPrintableLine } from '../text/printable.ts';
import type { GlobalFlags } from './commander.ts';

interface CommandLine {
  readonly argv: readonly string[];
  /** If no command was typed: what was, which is taken for a search. */
  readonly implied: readonly string[] | null;
}

const furtherNames = ['help', '__complete'];

/** Names of other programs that do the same thing here. */
const aliases: Readonly<Record<string, CommandName>> = { ls: 'list', grep: 'search', resume: 'open' };

export const firstWords: readonly string[] = [...commandNames, ...furtherNames, ...Object.keys(aliases)];

/** What people expect to be a command, and the one that does it. A command of this name would come before it. */
const expected: Readonly<Record<string, (ref: string) => Hint>> = {
  save: (ref) => hint`write it to a file: ${recall('show', ref, '--output', 'session.md')}`,
  delete: (ref) => hint`${recall('forget', ref)}`,
  remove: (ref) => hint`${recall('forget', ref)}`,
  rm: (ref) => hint`${recall('forget', ref)}`,
  resume: (ref) => hint`${recall('open', ref)}`,
};

/** What the first word means. A line that starts with a flag has none yet: only with the flags known it is clear which word it is. */
export function readFirstWord(argv: readonly string[]): CommandLine {
  const [word = '', ...rest] = argv;
  const isCommand = [...commandNames, ...furtherNames].includes(word);
  if (argv.length === 0 || word.startsWith('-') || isCommand || isForScreen(argv))
    return { argv, implied: null };
  const others = rest.filter((each) => !each.startsWith('-'));
  const alias = Object.hasOwn(aliases, word) ? aliases[word] : undefined;
  if (alias !== undefined && takes(alias, others)) return { argv: [alias, ...rest], implied: null };
  const next = Object.hasOwn(expected, word) ? expected[word] : undefined;
  if (next !== undefined && (others.length === 0 || takes('open', others)))
    throw usageError(`unknown command '${word}'`, next(others[0] ?? '<number or id>'));
  return { argv: ['search', ...argv], implied: argv };
}

/** Whether these can be the arguments of a command, rather than more words to search for. */
function takes(command: CommandName, others: readonly string[]): boolean {
  if (command === 'list') return others.length === 0;
  if (command === 'search') return others.length > 0;
  return others.length === 1 && /^(\d{1,4}|[0-9a-f]{4,8}(-[0-9a-f-]*)?)(:\d+)?$/i.test(others[0] ?? '');
}

/** `isWord`: it may be meant as a word to search for, so only one letter may differ. */
export function findMisspelt(typed: readonly string[], isWord: boolean): UserError | undefined {
  // What is printed repeats the flags that say which index is meant.
  const [word = '', ...rest] = partGivenFlags(typed).others;
  const meant = findNearest(word, [...commandNames, 'help'], isWord ? 1 : undefined);
  if (meant === undefined) return undefined;
  const line = formatTypedLine([meant, ...rest]);
  const search = formatTypedLine(['search', word, ...rest]);
  return usageError(`unknown command '${word}'`, isWord ? hint`${line}; to search for it: ${search}` : line);
}

/** Whether the screen is asked for, and what is typed are words for it. */
export function isForScreen(argv: readonly string[]): boolean {
  const [word = ''] = argv;
  const end = argv.indexOf('--');
  return (
    argv.slice(0, end < 0 ? argv.length : end).includes('--screen') &&
    ![...commandNames, ...furtherNames].includes(word)
  );
}

/** `line` is what `readFirstWord` made of what was typed; the program has the flags of the command, or of all commands. */
export function arrangeForCommander(program: Command, line: CommandLine): CommandLine {
  if (isForScreen(line.argv))
    return { argv: separateWordsFrom(0, program.options, program.options, line.argv), implied: null };
  const { argv, implied } = line.argv[0]?.startsWith('-') ? putCommandFirst(program, line.argv) : line;
  refuseFlagAsPath(program, argv);
  return { argv: separateWords(program, argv), implied };
}

/** `recall --limit 3 search jwt`: flags of the command go after it; a mistyped one is then reported with what was probably meant. */
export function putCommandFirst(program: Command, argv: readonly string[]): CommandLine {
  const options = [...program.options, ...program.commands.flatMap((command) => command.options)];
  const kept: string[] = [];
  const moved: string[] = [];
  let at = 0;
  for (; argv[at]?.startsWith('-') && argv[at] !== '--'; at++) {
    const argument = argv[at] ?? '';
    const option = findOption(argument, options) ?? findNearOption(argument, options);
    const hasValue = takesNext(argument, option) && at + 1 < argv.length;
    const isOfCommand = option !== undefined && !program.options.includes(option);
    (isOfCommand ? moved : kept).push(argument, ...(hasValue ? [argv[++at] ?? ''] : []));
  }
  const words = argv.slice(at);
  // A mistyped flag may have a value that looks like the first word: then the flag is what has to be reported.
  const isClear = kept.every((each) => !each.startsWith('-') || findOption(each, program.options));
  if (words.length === 0 || words[0] === '--' || !isClear) return { argv, implied: null };
  const { argv: meant, implied } = readFirstWord(words);
  const [command = '', ...rest] = meant;
  return { argv: [...kept, command, ...moved, ...rest], implied };
}

const pathKinds: Readonly<Record<string, string>> = { file: 'a file', path: 'a path', dir: 'a folder' };

/** Commander takes what follows a flag for its value: `--db --json` would make an index of that name. `--db=--json` may. */
function refuseFlagAsPath(program: Command, argv: readonly string[]): void {
  const name = argv[findCommand(argv, program.options)];
  const command = program.commands.find((each) => each.name() === name);
  const options = [...program.options, ...(command?.options ?? [])];
  for (let i = 0; i < argv.length && argv[i] !== '--'; i++) {
    const argument = argv[i] ?? '';
    const option = findOption(argument, options);
    const value = argv[i + 1];
    if (!takesNext(argument, option) || value === undefined) continue;
    const [placeholder, kind = ''] = /<(.*)>/.exec(option.flags) ?? [];
    const isFlag = value.startsWith('--') || value === '-h' || findOption(value, options) !== undefined;
    if (pathKinds[kind] !== undefined && isFlag)
      throw usageError(
        `${argument} needs ${pathKinds[kind]}, not ${value}`,
        `${argument} ${placeholder}; if ${value} is its name: ${option.long}=${value}`,
      );
    // Commander looks for the program's own flags first, so one of these is not the value of a command's flag.
    if (findOption(value, program.options) === undefined) i++;
  }
}

/** `recall search --flag` searches for the word, while --limit stays a flag and a mistyped flag is still reported. */
function separateWords(program: Command, argv: readonly string[]): readonly string[] {
  const at = findCommand(argv, program.options);
  const search = program.commands.find((command) => command.name() === 'search');
  if (search === undefined || argv[at] !== 'search') return argv;
  return separateWordsFrom(at + 1, [...program.options, ...search.options], program.options, argv);
}

function separateWordsFrom(
  start: number,
  options: readonly Option[],
  ofProgram: readonly Option[],
  argv: readonly string[],
): readonly string[] {
  const kept = argv.slice(0, start);
  const words: string[] = [];
  for (let i = start; i < argv.length; i++) {
    const argument = argv[i] ?? '';
    if (argument === '--') {
      words.push(...argv.slice(i + 1));
      break;
    }
    if (!isOption(argument, options)) {
      words.push(argument);
      continue;
    }
    kept.push(argument);
    if (!takesNext(argument, findOption(argument, options))) continue;
    const value = argv[i + 1];
    // Commander would take the dashes before the words for its value.
    if (value === undefined) return kept;
    if (findOption(value, ofProgram) === undefined) kept.push(argv[++i] ?? '');
  }
  return words.length === 0 ? kept : [...kept, '--', ...words];
}

/** The index of the command: the first argument that is neither an option nor the value of one. */
export function findCommand(argv: readonly string[], options: readonly Option[]): number {
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i] ?? '';
    if (!argument.startsWith('-')) return i;
    if (takesNext(argument, findOption(argument, options))) i++;
  }
  return -1;
}

export function findOption(argument: string, options: readonly Option[]): Option | undefined {
  const name = argument.split('=')[0];
  return options.find((option) => option.long === name || option.short === name);
}

function takesNext(argument: string, option: Option | undefined): option is Option {
  return option?.required === true && !argument.includes('=');
}

/** An option, or so close to one that it must be a typing mistake. */
function isOption(argument: string, options: readonly Option[]): boolean {
  if (argument === '-h' || argument === '--help') return true;
  if (!argument.startsWith('-') || argument.includes(' ')) return false;
  return findOption(argument, options) !== undefined || findNearOption(argument, options) !== undefined;
}

/** The option that was probably meant; undefined if the argument is too short to tell. */
function findNearOption(argument: string, options: readonly Option[]): Option | undefined {
  const name = argument.split('=')[0] ?? '';
  if (name.length <= 5) return undefined;
  return options.find((option) => editDistance(name, option.long ?? '', 2) <= 2);
}

/** The nearest name, if it is near enough to be meant; the first one among equals. */
export function findNearest(typed: string, names: readonly string[], most = 2): string | undefined {
  const name = typed.split('=')[0] ?? '';
  const limit = name.replace(/^-+/, '').length < 5 ? 1 : most;
  let nearest: string | undefined;
  let least = limit + 1;
  for (const each of names) {
    const distance = editDistance(name.toLowerCase(), each, limit);
    if (distance < least) [nearest, least] = [each, distance];
  }
  return nearest;
}

/** A command line to type as it is; arguments that are too long to read become an ellipsis. */
export function formatTypedLine([name = '', ...args]: readonly string[]): Hint {
  const quoted = args.map((each) => (/^[\p{L}\p{N}_./:@%+=,-]+$/u.test(each) ? each : quoteForShell(each)));
  const shown = quoted.join(' ').length > 180 ? ['…'] : quoted;
  const command = [...commandNames, 'help' as const].find((each) => each === name);
  return [command === undefined ? recall(null, name, ...shown) : recall(command, ...shown)];
}

const repeatedFlags = ['--db', '--archive', '--claude-dir', '--agent-dir'];

/** Each with a space before it, as they are typed. Hints repeat them: a command without them would repair or fill another index. */
export function findGivenFlags(argv: readonly string[]): string {
  return partGivenFlags(argv).flags;
}

function partGivenFlags(argv: readonly string[]): { readonly flags: string; readonly others: string[] } {
  let flags = '';
  const others: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    if (argv[i] === '--') return { flags, others: [...others, ...argv.slice(i)] };
    const [name = '', ...rest] = (argv[i] ?? '').split('=');
    if (!repeatedFlags.includes(name)) {
      others.push(argv[i] ?? '');
      continue;
    }
    const value = rest.length > 0 ? rest.join('=') : argv[++i];
    if (value === undefined) continue;
    flags += ` ${name} ${/^[\w./:@%+,][\w./:@%+=,-]*$/.test(value) ? value : quoteForShell(value)}`;
  }
  return { flags, others };
}

export function parseGivenRoots({ claudeDir = [], agentDir = [] }: GlobalFlags): GivenRoots {
  const given: { [Agent in AgentName]?: string[] } = claudeDir.length === 0 ? {} : { claude: claudeDir };
  for (const text of agentDir) {
    const [, name, dir] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
    const agent = agents.find((each) => each === name);
    if (agent === undefined || dir === undefined)
      throw usageError(
        `--agent-dir takes an agent and its folder, not ${toPrintableLine(text)}`,
        `--agent-dir <agent>=<dir>, where the agent is one of ${agents.join(', ')}`,
      );
    given[agent] = [...(given[agent] ?? []), dir];
  }
  return given;
}
