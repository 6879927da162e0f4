// recall forget: its flags and help.

import type { Command } from 'commander';
import type { Run } from '../command-line/run.ts';

export function defineForget(program: Command, run: Run): void {
  program
    .command('forget')
    .description('remove a session and its subagents from the index for good; the transcript stays')
    .argument('<ref>', 'session id, the first four or more characters of it, or the number of a result')
    .option('-y, --yes', 'do not ask')
    .addHelpText(
      'after',
      '\nExamples:\n  recall forget 5b60eaeb\n  recall forget 2\n  recall forget 5b60eaeb --yes',
    )
    .action(
      run(async (context, flags, ref) =>
        (await import('../commands/forget-command.ts')).runForget(context, ref, flags),
      ),
    );
}
