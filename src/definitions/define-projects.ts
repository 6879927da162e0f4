// recall projects: its flags and help.

import { type Command, Option } from 'commander';
import type { Run } from '../command-line/run.ts';

export function defineProjects(program: Command, run: Run): void {
  program
    .command('projects')
    .description('show where sessions were, and how many')
    .argument('[text]', 'only these: a path, a name, or . for here')
    .addOption(
      new Option('--sort <order>', 'order of the projects')
        .choices(['recent', 'sessions', 'messages', 'size', 'name'])
        .default('recent'),
    )
    .option('--limit <n>', 'how many projects to show', '20')
    .option('--no-refresh', 'do not look for new transcripts first')
    .addHelpText(
      'after',
      `
Examples:
  recall projects
  recall projects shop
  recall projects --sort messages --limit 5
  recall projects ~/work --json`,
    )
    .action(
      run(async (context, flags, text) =>
        (await import('../commands/projects-command.ts')).runProjects(context, text, flags),
      ),
    );
}
