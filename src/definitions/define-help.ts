// recall help: on a command, and on the query language.

import { Argument, type Command } from 'commander';
import type { Run } from '../command-line/run.ts';

/** After all commands, of which each is a topic. */
export function defineHelp(program: Command, run: Run): void {
  const topic = new Argument('[topic]', 'a command, or query');
  const names = program
    .createHelp()
    .visibleCommands(program)
    .map((command) => command.name());
  // For completion alone: what to say about a slip is said by the command.
  topic.argChoices = [...names.filter((name) => name !== 'help'), 'query'];
  program
    .helpCommand(false)
    .command('help')
    .description('show help on a command, or on the query language: recall help query')
    .addArgument(topic)
    .addHelpText('after', '\nExamples:\n  recall help search\n  recall help query')
    .action(
      run(async (context, _flags, asked) => {
        const { runHelp } = await import('../commands/help-command.ts');
        return runHelp(context, program, asked);
      }),
    );
}
