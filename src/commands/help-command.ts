// recall help: the help of a command, or how to ask.

import type { Command } from 'commander';
import type { Context } from '../command-line/context.ts';
import { EXIT_OK, UserError } from '../errors.ts';
import { toQueryHelp } from '../render/help-page.ts';
import { toPrintableLine } from '../text/printable.ts';
import { editDistance } from '../text/edit-distance.ts';

export async function runHelp(
  context: Context,
  program: Command,
  topic: string | undefined,
): Promise<number> {
  if (topic === undefined) program.outputHelp();
  else if (topic === 'query') context.print(toQueryHelp(context.stdout.columns));
  else getCommand(program, topic).outputHelp();
  return EXIT_OK;
}

function getCommand(program: Command, name: string): Command {
  const found = program.commands.find((command) => command.name() === name);
  if (found !== undefined) return found;
  const names = [
    ...program
      .createHelp()
      .visibleCommands(program)
      .map((command) => command.name()),
    'query',
  ];
  const meant = names.find((each) => editDistance(name, each, 2) <= 2);
  throw new UserError(`there is no help on ${toPrintableLine(name)}`, {
    code: 'usage',
    hint: meant === undefined ? 'recall help' : `recall help ${meant}`,
  });
}
