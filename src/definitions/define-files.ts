// recall files: its flags and help.

import type { Command } from 'commander';
import { addBriefOptions } from '../command-line/brief-options.ts';
import { addScopeOptions } from '../command-line/filter-options.ts';
import type { Run } from '../command-line/run.ts';

export function defineFiles(program: Command, run: Run): void {
  const files = program
    .command('files')
    .description('show the sessions that read or changed a file')
    .argument('<path>', 'a path, the end of one (src/auth.ts), or a directory; ./ and ../ mean from here')
    .option('--changed', 'only sessions that changed it')
    .option('--limit <n>', 'how many sessions to show', '20');
  addBriefOptions(addScopeOptions(files))
    .option('--no-refresh', 'do not look for new transcripts first')
    .addHelpText(
      'after',
      `
Examples:
  recall files auth.ts
  recall files ./src/auth.ts --changed
  recall files src/middleware --since 30d
  recall files ~/shop/package.json --json`,
    )
    .action(
      run(async (context, flags, path) =>
        (await import('../commands/files-command.ts')).runFiles(context, path, flags),
      ),
    );
}
