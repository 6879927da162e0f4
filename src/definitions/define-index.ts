// recall index: its flags and help.

import type { Command } from 'commander';
import type { Run } from '../command-line/run.ts';

export function defineIndex(program: Command, run: Run): void {
  program
    .command('index')
    .description('bring the index up to date with the transcripts')
    .option('--rebuild', 'read every transcript again; sessions whose transcript is gone are kept')
    .option('--watch', 'stay and follow changes until stopped')
    .option('--redact', 'keep keys and passwords of well-known formats out of the index, from now on')
    .option('--no-redact', 'stop doing so')
    .addHelpText(
      'after',
      '\nExamples:\n  recall index\n  recall index --rebuild\n  recall index --redact\n  recall index --json --quiet',
    )
    .action(
      run(async (context, flags) => (await import('../commands/index-command.ts')).runIndex(context, flags)),
    );
}
