// commander's errors in recall's own words: what was typed, and what was probably meant.

import type { CommandUnknownOpts as Command, CommanderError, Option } from '@commander-js/extra-typings';
import { UserError } from '../errors.ts';
import { commandNames, type Hint, recall } from '../hints.ts';
import { editDistance } from '../text/edit-distance.ts';
import { quoteForShell } from '../text/quote-for-shell.ts';
import { findCommand } from './separate-words.ts';

interface Complaint {
  readonly message: string;
  readonly hint: Hint;
}

/** `argv` is what was parsed. */
export function toUsageError(error: CommanderError, program: Command, argv: readonly string[]): UserError {
  const { message, hint } = toComplaint(error, program, argv);
  return new UserError(message, { code: 'usage', hint, cause: error });
}

function toComplaint(
  { code, message }: CommanderError,
  program: Command,
  argv: readonly string[],
): Complaint {
  const said = message.replace(/^error: /, '');
  const command = program.commands.find((each) => each.name() === program.args[0]);
  const name = command?.name();
  const help = name === undefined ? 'recall --help' : `recall ${name} --help`;
  const ofCommand = name === undefined ? '' : ` for ${name}`;
  // Without a command, commander has printed its help and reports no message.
  if (code === 'commander.help') return { message: 'no command given', hint: help };
  if (code === 'commander.unknownCommand') {
    const words = argv.slice(findCommand(argv, program.options));
    return { message: said, hint: toMeantCommand(program, words) };
  }
  if (code === 'commander.unknownOption') {
    const typed = /'(.*)'$/s.exec(said)?.[1] ?? '';
    const meant = findNearest(typed, [...program.options, ...(command?.options ?? [])].map(toName));
    return { message: `${said}${ofCommand}`, hint: meant ?? help };
  }
  if (code === 'commander.excessArguments' && command !== undefined) return toExcess(command, help);
  if (code === 'commander.missingArgument') return { message: `${said}${ofCommand}`, hint: help };
  return { message: toChoices(said), hint: help };
}

/** A mistyped command name, or words to search for. */
function toMeantCommand(program: Command, [typed = '', ...others]: readonly string[]): Hint {
  const names = program
    .createHelp()
    .visibleCommands(program)
    .map((each) => each.name());
  const meant = findNearest(typed, names);
  return toLine(meant === undefined ? ['search', typed, ...others] : [meant, ...others]);
}

function toExcess(command: Command, help: string): Complaint {
  const name = command.name();
  const takes = command.registeredArguments.length;
  const most = takes === 0 ? 'no arguments' : takes === 1 ? 'one argument' : `${takes} arguments`;
  const hints: Readonly<Record<string, Hint>> = {
    list: toLine(['search', ...command.args]),
    stats: toLine(['stats', '--project', ...command.args.slice(0, 1)]),
  };
  return { message: `${name} takes ${most}, not ${command.args.join(' ')}`, hint: hints[name] ?? help };
}

/** Worded like the errors for recall's own flags. */
function toChoices(said: string): string {
  const option =
    /^option '(?:-\w, )?(--[\w-]+).*?' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/s.exec(said);
  if (option !== null) return `${option[1]} must be one of ${option[3]}, not ${option[2]}`;
  const argument =
    /^command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are (.*)\.$/s.exec(said);
  return argument === null ? said : `<${argument[2]}> must be one of ${argument[3]}, not ${argument[1]}`;
}

function toName(option: Option): string {
  return option.long ?? option.short ?? '';
}

/** The nearest name, if it is near enough to be meant; the first one among equals. */
function findNearest(typed: string, names: readonly string[]): string | undefined {
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
function toLine([name = '', ...args]: readonly string[]): Hint {
  const quoted = args.map((each) => (/^[\p{L}\p{N}_./:@%+=,-]+$/u.test(each) ? each : quoteForShell(each)));
  const shown = quoted.join(' ').length > 180 ? ['…'] : quoted;
  const command = commandNames.find((each) => each === name);
  return command === undefined ? ['recall', name, ...shown].join(' ') : [recall(command, ...shown)];
}
