// recall index: its flags and help.

import type { Command } from 'commander';
import type { Run } from './run.ts';

export function defineIndex(program: Command, run: Run): void {
  program
    .command('index')
    .description('bring the index up to date with the transcripts')
    .option('--rebuild', 'read every transcript again; sessions whose transcript is gone are kept')
    .option('--watch', 'stay and follow changes until stopped')
    .addHelpText(
      'after',
      '\nExamples:\n  recall index\n  recall index --rebuild\n  recall index --json --quiet',
    )
    .action(
      run(async (context, flags) => (await import('../commands/index-command.ts')).runIndex(context, flags)),
    );
}
