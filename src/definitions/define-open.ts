// recall open: its flags and help.

import type { Command } from 'commander';
import type { Run } from '../command-line/run.ts';

export function defineOpen(program: Command, run: Run): void {
  program
    .command('open')
    .description('print the command that resumes a session')
    .argument('<ref>', 'session id, the first four or more characters of it, or the number of a result')
    .option('--run', 'run it here and now')
    .addHelpText(
      'after',
      '\nExamples:\n  recall open 1\n  eval "$(recall open 5b60eaeb)"\n  recall open 2 --run',
    )
    .action(
      run(async (context, flags, ref) =>
        (await import('../commands/open-command.ts')).runOpen(context, ref, flags),
      ),
    );
}
