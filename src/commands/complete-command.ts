// recall __complete: what can be at the cursor, for the scripts that `recall completion` prints. It is called while someone types, so
// it only reads what is indexed, creates no index and reports no errors. The first line is `words`, `files` or `directories`; the last
// two leave it to the shell. After `words` there is one line per candidate: the word, a tab, and a description.

import type { Argument, CommandUnknownOpts as Command, Help, Option } from '@commander-js/extra-typings';
import { findNames } from '../api/find-session.ts';
import { findOption } from '../command-line/argv.ts';
import type { Program } from '../command-line/commander.ts';
import type { Context, ToAction } from '../command-line/context.ts';
import { toIndexPath } from '../config.ts';
import { clip } from '../render/columns.ts';
import { toPrintableLine } from '../text/printable.ts';

export function define(program: Program, run: ToAction): void {
  program
    .command('__complete', { hidden: true })
    .argument('[words...]', 'the command line up to the cursor, without the name of the program')
    .action(
      run(async (context, words) => {
        context.print(readCompletion(context, program, words.map(unquoteWord)).join('\n'));
      }),
    );
}

function readCompletion(context: Context, program: Program, words: readonly string[]): string[] {
  const { what, typed, lead } = findExpected(program, words);
  if (what === 'files' || what === 'directories') return [what];
  const candidates =
    what === 'sessions' || what === 'projects' ? findNames(findIndexPath(context, words), what, typed) : what;
  const lines = candidates
    // A word with characters that would act on the terminal or be invisible is not offered.
    .filter(({ value }) => value !== '' && toPrintableLine(value) === value && value.startsWith(typed))
    .map(({ value, description }) => `${lead}${value}\t${clip(toPrintableLine(description), 72)}`);
  return ['words', ...lines];
}

function findIndexPath({ at, indexPath }: Context, words: readonly string[]): string {
  const place = words.findLastIndex((word) => word === '--db' || word.startsWith('--db='));
  const word = words[place];
  if (word === undefined) return indexPath;
  const path =
    word === '--db' ? words[place + (words[place + 1] === '=' ? 2 : 1)] : word.slice('--db='.length);
  // The shell expands ~ only when the command runs.
  return toIndexPath(path?.replace(/^~(?=\/|$)/, at.homeDir), at);
}

/** Shells pass a word as it is being typed: with quotes and backslashes, and possibly with an open quote. */
function unquoteWord(word: string): string {
  let text = '';
  let quote = '';
  for (let i = 0; i < word.length; i++) {
    const character = word.charAt(i);
    if (character === quote) quote = '';
    else if (quote === '' && (character === '"' || character === "'")) quote = character;
    else if (character === '\\' && quote !== "'" && i + 1 < word.length) text += word.charAt(++i);
    else text += character;
  }
  return text;
}

type Candidate = Readonly<Record<'value' | 'description', string>>;

interface Expected {
  readonly what: 'sessions' | 'projects' | 'files' | 'directories' | readonly Candidate[];
  readonly typed: string;
  /** What comes before it in the same word: `--color=`. */
  readonly lead: string;
}

/** The name of a value says what it is: <ref>, <dir>, <file>, <day>. The last of `words` is at the cursor, and may be empty. */
export function findExpected(program: Command, words: readonly string[]): Expected {
  const { joined, isSplit } = joinEquals(words);
  const current = joined.pop() ?? '';
  const help = Object.assign(program.createHelp(), program.configureHelp());
  const line = readLine(program, joined, help);
  const whole = (what: Expected['what']): Expected => ({ what, typed: current, lead: '' });
  if (line.pending !== undefined) return whole(listValues(line.pending, current));
  if (line.command === undefined) return whole([]);
  if (current.startsWith('-') && !line.isOnlyWords) {
    const equals = current.indexOf('=');
    if (equals < 0) {
      const unused = line.options.filter((option) => !line.used.has(option));
      return whole(
        unused.map(({ long, short, description }) => ({ value: long ?? short ?? '', description })),
      );
    }
    const option = findOption(current, line.options);
    const typed = current.slice(equals + 1);
    const lead = isSplit ? '' : current.slice(0, equals + 1);
    return { what: option?.required ? listValues(option, typed) : [], typed, lead };
  }
  const commands = help
    .visibleCommands(program)
    .map((command) => ({ value: command.name(), description: command.description() }));
  if (line.command === program) return whole(commands);
  const declared = line.command.registeredArguments;
  const last = declared.at(-1);
  const argument = declared[line.argumentCount] ?? (last?.variadic ? last : undefined);
  if (argument === undefined) return whole([]);
  const values = listValues(argument, current);
  if (line.command.name() !== 'help' || !Array.isArray(values)) return whole(values);
  // The choices of `recall help` are mostly commands, which have descriptions.
  return whole(values.map((choice) => commands.find(({ value }) => value === choice.value) ?? choice));
}

function readLine(program: Command, before: readonly string[], help: Help) {
  /** Undefined after an unknown command. */
  let command: Command | undefined = program;
  let options: readonly Option[] = help.visibleOptions(program);
  const ofAll = program.commands.flatMap((each) => each.options);
  let pending: Option | undefined;
  let argumentCount = 0;
  /** After `--`. */
  let isOnlyWords = false;
  const used = new Set<Option>();
  for (const word of before) {
    if (pending !== undefined) pending = undefined;
    else if (word === '--' && !isOnlyWords) isOnlyWords = true;
    else if (word.startsWith('-') && !isOnlyWords) {
      // A command's own flags may also come before it.
      const option = findOption(word, options) ?? findOption(word, ofAll);
      if (option?.required && !word.includes('=')) pending = option;
      if (option !== undefined && option.parseArg === undefined) used.add(option);
    } else if (command === program) {
      // Words that are not a command are a search.
      const named: Command | undefined = program.commands.find((each) => each.name() === word);
      command = named ?? program.commands.find((each) => each.name() === 'search');
      if (command === undefined) break;
      options = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
    } else argumentCount++;
  }
  return { command, options, pending, used, argumentCount, isOnlyWords };
}

/** bash splits `--color=al` into three words and completes only the last of them. */
function joinEquals(words: readonly string[]) {
  const joined: string[] = [];
  let isSplit = false;
  for (const [i, word] of words.entries()) {
    const before = joined.at(-1);
    const isJoined = (word === '=' || words[i - 1] === '=') && before?.startsWith('--');
    if (isJoined) joined[joined.length - 1] = before + word;
    else joined.push(word);
    isSplit = isJoined ?? false;
  }
  return { joined, isSplit };
}

const days = ['today', 'yesterday', '7d', '30d'];

function listValues(wanted: Option | Argument, typed: string): Expected['what'] {
  if (wanted.argChoices !== undefined) return wanted.argChoices.map(toPlain);
  // A project may also be named by its directory.
  if ('long' in wanted && wanted.long === '--project')
    return /^[/.~]/.test(typed) ? 'directories' : 'projects';
  const name = 'flags' in wanted ? /[<[]([\w-]+)/.exec(wanted.flags)?.[1] : wanted.name();
  if (name === 'ref') return 'sessions';
  if (name === 'dir') return 'directories';
  if (name === 'file' || name === 'path') return 'files';
  return name === 'day' ? days.map(toPlain) : [];
}

function toPlain(value: string): Candidate {
  return { value, description: '' };
}
