// recall doctor: its flags and help.

import type { Command } from 'commander';
import type { Run } from '../command-line/run.ts';

export function defineDoctor(program: Command, run: Run): void {
  program
    .command('doctor')
    .description('check the index and say what to do about each finding')
    .option('--repair', 'fix what can be fixed; sessions that live only in the index are kept')
    .addHelpText('after', '\nExamples:\n  recall doctor\n  recall doctor --repair\n  recall doctor --json')
    .action(
      run(async (context, flags) =>
        (await import('../commands/doctor-command.ts')).runDoctor(context, flags),
      ),
    );
}
