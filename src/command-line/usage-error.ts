// commander's errors in recall's own words: what was typed, and what was probably meant.

import type { CommandUnknownOpts as Command, CommanderError, Option } from '@commander-js/extra-typings';
import { UserError } from '../errors.ts';
import type { Hint } from '../hints.ts';
import { findNearest, toTypedLine } from './implied-command.ts';

interface Complaint {
  readonly message: string;
  readonly hint: Hint;
}

export function toUsageError(error: CommanderError, program: Command): UserError {
  const { message, hint } = toComplaint(error, program);
  return new UserError(message, { code: 'usage', hint, cause: error });
}

function toComplaint({ code, message }: CommanderError, program: Command): Complaint {
  const said = message.replace(/^error: /, '');
  const command = program.commands.find((each) => each.name() === program.args[0]);
  const name = command?.name();
  const help = toTypedLine(name === undefined ? ['--help'] : [name, '--help']);
  const ofCommand = name === undefined ? '' : ` for ${name}`;
  // Without a command, commander has printed its help and reports no message.
  if (code === 'commander.help') return { message: 'no command given', hint: help };
  if (code === 'commander.unknownOption') {
    const typed = /'(.*)'$/s.exec(said)?.[1] ?? '';
    const meant = findNearest(typed, [...program.options, ...(command?.options ?? [])].map(toName));
    return { message: `${said}${ofCommand}`, hint: meant ?? help };
  }
  if (code === 'commander.excessArguments' && command !== undefined) return toExcess(command, help);
  if (code === 'commander.missingArgument') return { message: `${said}${ofCommand}`, hint: help };
  return { message: toChoices(said), hint: help };
}

function toExcess(command: Command, help: Hint): Complaint {
  const name = command.name();
  const takes = command.registeredArguments.length;
  const most = takes === 0 ? 'no arguments' : takes === 1 ? 'one argument' : `${takes} arguments`;
  const hints: Readonly<Record<string, Hint>> = {
    list: toTypedLine(['search', ...command.args]),
    stats: toTypedLine(['stats', '--project', ...command.args.slice(0, 1)]),
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
