// What went wrong, as a person or a program reads it, and the exit code that says so; commander's errors in recall's own words.

import type { CommandUnknownOpts as Command } from '@commander-js/extra-typings';
import { CommanderError } from 'commander';
import { EXIT_ERROR, EXIT_OK, UserError } from '../errors.ts';
import { type Hint, toHintText } from '../hints.ts';
import { toJsonText } from '../render/json.ts';
import { findNearest, formatTypedLine } from './argv.ts';

/** `complaint` is for standard error, and not yet safe to print: it repeats what was typed and names of files. */
export function reportError(error: unknown, isJson: boolean, givenFlags: string) {
  // commander has already printed its help or version.
  if (error instanceof CommanderError)
    return { exitCode: error.exitCode === 0 ? EXIT_OK : EXIT_ERROR, json: '', complaint: '' };
  if (error instanceof UserError) {
    const { code, exitCode } = error;
    const hint = error.hint === undefined ? null : toHintText(error.hint, givenFlags);
    const message = toHintText(error.wording, givenFlags);
    if (isJson && code !== 'no-output')
      return { exitCode, json: formatErrorJson(code, message, hint), complaint: '' };
    const complaint = `recall: ${message}\n${hint === null ? '' : `  try: ${hint}\n`}`;
    return { exitCode, json: '', complaint };
  }
  const { message, stack } =
    error instanceof Error ? error : { message: String(error), stack: String(error) };
  return {
    exitCode: EXIT_ERROR,
    json: isJson ? formatErrorJson('internal', message, null) : '',
    complaint: `recall: internal error\n${stack}\n`,
  };
}

function formatErrorJson(code: string, message: string, hint: string | null): string {
  return `${toJsonText({ error: { code, message, hint } })}\n`;
}

export function toUsageError(error: CommanderError, program: Command): UserError {
  const said = error.message.replace(/^error: /, '');
  const command = program.commands.find((each) => each.name() === program.args[0]);
  const name = command?.name();
  const help = formatTypedLine(name === undefined ? ['--help'] : [name, '--help']);
  const usageError = (message: string, hint: Hint = help) =>
    new UserError(message, { code: 'usage', hint, cause: error });
  const ofCommand = name === undefined ? '' : ` for ${name}`;
  switch (error.code) {
    // Without a command, commander has printed its help and reports no message.
    case 'commander.help':
      return usageError('no command given');
    case 'commander.unknownOption': {
      const typed = /'(.*)'$/s.exec(said)?.[1] ?? '';
      const options = [...program.options, ...(command?.options ?? [])];
      const names = options.map(({ long, short }) => long ?? short ?? '');
      return usageError(`${said}${ofCommand}`, findNearest(typed, names));
    }
    case 'commander.missingArgument':
      return usageError(`${said}${ofCommand}`);
    case 'commander.excessArguments':
      if (command !== undefined) return usageError(...refuseArguments(command));
  }
  return usageError(rewordChoices(said));
}

function refuseArguments(command: Command): [message: string, hint: Hint | undefined] {
  const name = command.name();
  const count = command.registeredArguments.length;
  const most = count === 0 ? 'no arguments' : count === 1 ? 'one argument' : `${count} arguments`;
  const hints: Readonly<Record<string, Hint>> = {
    list: formatTypedLine(['search', ...command.args]),
    stats: formatTypedLine(['stats', '--project', ...command.args.slice(0, 1)]),
  };
  return [`${name} takes ${most}, not ${command.args.join(' ')}`, hints[name]];
}

function rewordChoices(said: string): string {
  const option =
    /^option '(?:-\w, )?(--[\w-]+).*?' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/s.exec(said);
  if (option !== null) return `${option[1]} must be one of ${option[3]}, not ${option[2]}`;
  const argument =
    /^command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are (.*)\.$/s.exec(said);
  return argument === null ? said : `<${argument[2]}> must be one of ${argument[3]}, not ${argument[1]}`;
}
