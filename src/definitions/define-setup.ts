// recall setup: its flags and help.

import { Argument, type Command, Option } from 'commander';
import type { Run } from '../command-line/run.ts';

export function defineSetup(program: Command, run: Run): void {
  program
    .command('setup')
    .description('let Claude Code search its past: an MCP server, and a hook that keeps the index up to date')
    .addArgument(new Argument('<program>', 'what to set up').choices(['claude']))
    .option('--write', 'change the settings, after showing the change and asking')
    .addOption(
      new Option('--remove', 'take out what --write has put in, after showing it and asking').conflicts(
        'write',
      ),
    )
    .option('-y, --yes', 'do not ask')
    .option('--no-mcp', 'not the MCP server')
    .option('--no-hook', 'not the hook')
    .addHelpText(
      'after',
      `
Without --write and --remove it changes nothing and prints what to configure.

Examples:
  recall setup claude
  recall setup claude --write
  recall setup claude --write --no-hook --yes
  recall setup claude --remove`,
    )
    .action(
      run(async (context, flags) => (await import('../commands/setup-command.ts')).runSetup(context, flags)),
    );
}
