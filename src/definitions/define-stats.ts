// recall stats: its flags and help.

import type { Command } from 'commander';
import { addScopeOptions } from '../command-line/filter-options.ts';
import type { Run } from '../command-line/run.ts';

export function defineStats(program: Command, run: Run): void {
  const stats = program
    .command('stats')
    .description('show how much there was: by day, hour, project, model and tool');
  addScopeOptions(stats)
    .option('--no-refresh', 'do not look for new transcripts first')
    .addHelpText(
      'after',
      `
Examples:
  recall stats
  recall stats --project . --since 2026-01
  recall stats --since "last month" --until "last month"
  recall stats --json`,
    )
    .action(
      run(async (context, flags) => (await import('../commands/stats-command.ts')).runStats(context, flags)),
    );
}
