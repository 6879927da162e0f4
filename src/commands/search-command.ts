// recall search: refreshes, searches, prints.

import { Option, type Program } from '../command-line/commander.ts';
import { toPageOptions } from '../command-line/context.ts';
import { noteFreshness, printNothing } from '../command-line/notes.ts';
import type { Run } from '../command-line/run.ts';
import {
  addBriefFlags,
  addFilterFlags,
  addRefreshFlag,
  defaultBudgets,
  type FilterFlags,
  toBudget,
  toLimit,
} from '../command-line/session-options.ts';
import { EXIT_NOTHING_FOUND, EXIT_OK, UserError } from '../errors.ts';
import { filterNames } from '../filters.ts';
import { hint, recall } from '../hints.ts';
import { toBriefHits } from '../render/brief/brief-hits.ts';
import { toCommandVoice } from '../render/brief/voice.ts';
import { toJsonText } from '../render/json-text.ts';
import { toQueryNotes } from '../render/notes.ts';
import { toHitsPage } from '../render/sessions/hits.ts';
import { toSearchJson } from '../render/sessions/hits-json.ts';
import { toPrintableLine } from '../text/printable.ts';

export function define(program: Program, run: Run): void {
  const search = program
    .command('search')
    .description('find sessions by what was said and done in them')
    .argument(
      '[words...]',
      'what to search for: words, "a phrase", pre*, -not, a OR b, project:name; optional with a filter',
    )
    .option('--limit <n>', 'how many sessions to show', '10');
  addRefreshFlag(
    addBriefFlags(addFilterFlags(search))
      .addOption(
        new Option('--sort <order>', 'order of the results')
          .choices(['relevance', 'recent'] as const)
          .default('relevance' as const),
      )
      .option('--explain', 'show how each score is made up'),
  )
    .addHelpText('after', examples)
    .action(
      run(async (context, words, { limit, explain, refresh, ...flags }) => {
        refuseEmpty(words, flags);
        const budget = toBudget(flags, defaultBudgets.search, context.json);
        const query = words.join(' ');
        const request = { ...flags, query, limit: toLimit(limit), positions: budget !== null };
        const answer = await context.recall.search(request, { refresh });
        noteFreshness(context, answer.freshness);
        for (const note of toQueryNotes(answer)) context.note(`recall: ${note}`);
        await context.recall.remember(answer.hits);
        const { emptiness } = answer;
        if (context.json) context.print(toJsonText(toSearchJson(answer, explain ?? false)));
        else if (emptiness !== null) printNothing(context, emptiness, toNothing(query), !flags.all);
        else if (budget !== null)
          context.print(toBriefHits(answer, toCommandVoice(context.givenFlags), budget).text);
        else context.print(toHitsPage(answer, { ...toPageOptions(context), explain: explain ?? false }));
        return emptiness === null ? EXIT_OK : EXIT_NOTHING_FOUND;
      }),
    );
}

function refuseEmpty(words: readonly string[], flags: FilterFlags): void {
  if (words.length > 0 || filterNames.some((name) => flags[name] !== undefined)) return;
  throw new UserError('search needs words to search for, or a filter such as --project', {
    code: 'usage',
    hint: hint`${recall('search', '<words>')}; for recent sessions: ${recall('list')}`,
  });
}

function toNothing(query: string) {
  const shown = toPrintableLine(query);
  const prefix = shown.split(' ')[0]?.slice(0, 4) || 'mid';
  return {
    message: shown === '' ? 'nothing found' : `nothing found for “${shown.slice(0, 200)}”`,
    hint: `fewer or different words, a prefix such as ${prefix}*, no filters, or --all`,
  };
}

const examples = `
Examples:
  recall search jwt middleware
  recall search "when did we move the queue to redis?"
  recall search '"connection pool" -docker' --project . --since 7d
  recall search getUserById --file jwt-auth.ts --json
  recall search --file jwt-auth.ts --since "last week"
  recall search deploy --brief --budget 2000

Query syntax: recall help query`;
