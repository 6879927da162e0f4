// recall search: its flags and help.

import { type Command, Option } from 'commander';
import { addBriefOptions } from '../command-line/brief-options.ts';
import { addFilterOptions } from '../command-line/filter-options.ts';
import type { Run } from '../command-line/run.ts';

export function defineSearch(program: Command, run: Run): void {
  const search = program
    .command('search')
    .description('find sessions by what was said in them')
    .argument(
      '[words...]',
      'what to look for: words, "a phrase", pre*, -not, a OR b, project:name; none where a filter is given',
    )
    .option('--limit <n>', 'how many sessions to show', '10');
  addBriefOptions(addFilterOptions(search))
    .addOption(
      new Option('--sort <order>', 'order of the results')
        .choices(['relevance', 'recent'])
        .default('relevance'),
    )
    .option('--explain', 'show what each score is made of')
    .option('--no-refresh', 'do not look for new transcripts first')
    .addHelpText(
      'after',
      `
Examples:
  recall search jwt middleware
  recall search "when did we move the queue to redis?"
  recall search '"connection pool" -docker' --project . --since 7d
  recall search getUserById --file jwt-auth.ts --json
  recall search --file jwt-auth.ts --since "last week"
  recall search deploy --brief --budget 2000

What a search understands: recall help query`,
    )
    .action(
      run(async (context, flags, words) =>
        (await import('../commands/search-command.ts')).runSearch(
          context,
          words as unknown as string[],
          flags,
        ),
      ),
    );
}
