// recall help: help on a command, or on the query language.

import { Argument, type Program } from '../command-line/commander.ts';
import type { ToAction } from '../command-line/context.ts';
import { usageError } from '../errors.ts';
import { recall } from '../hints.ts';
import { formatQueryHelp } from '../render/query-guide.ts';
import { editDistance } from '../text/compare.ts';
import { toPrintableLine } from '../text/printable.ts';

/** Must be defined after all commands, since each of them is a topic. */
export function define(program: Program, run: ToAction): void {
  const commands = program.createHelp().visibleCommands(program);
  const names = commands.map((command) => command.name()).filter((name) => name !== 'help');
  const topics = [...names, 'query'];
  const topic = new Argument('[topic]', 'a command, or query');
  // Only for completion: the command itself reports an unknown topic.
  topic.argChoices = topics;
  program
    .helpCommand(false)
    .command('help')
    .description('show help on a command, or on the query language: recall help query')
    .addArgument(topic)
    .action(
      run(async (context, asked) => {
        if (asked === undefined) program.outputHelp();
        else if (asked === 'query') context.print(formatQueryHelp(context.stdout.columns));
        else getCommand(program, asked, topics).outputHelp();
      }),
    );
}

function getCommand(program: Program, name: string, topics: readonly string[]) {
  const found = program.commands.find((command) => command.name() === name);
  if (found !== undefined) return found;
  const meant = [...topics, 'help'].find((each) => editDistance(name, each, 2) <= 2);
  throw usageError(`no help on ${toPrintableLine(name)}`, [
    recall('help', ...(meant === undefined ? [] : [meant])),
  ]);
}
