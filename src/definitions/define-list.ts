// recall list: its flags and help.

import type { Command } from 'commander';
import { addBriefOptions } from '../command-line/brief-options.ts';
import { addFilterOptions } from '../command-line/filter-options.ts';
import type { Run } from '../command-line/run.ts';

export function defineList(program: Command, run: Run): void {
  const list = program
    .command('list')
    .description('show the sessions there were lately')
    .option('--limit <n>', 'how many sessions to show', '20');
  addBriefOptions(addFilterOptions(list))
    .option('--no-refresh', 'do not look for new transcripts first')
    .addHelpText(
      'after',
      `
Examples:
  recall list
  recall list --project . --since "last week"
  recall list --file jwt-auth.ts --branch main
  recall list --subagents --limit 50 --json`,
    )
    .action(
      run(async (context, flags) => (await import('../commands/list-command.ts')).runList(context, flags)),
    );
}
