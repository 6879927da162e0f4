// recall search: refreshes, searches, prints.

import type { SearchAnswer } from '../api/answers.ts';
import { findMisspelt } from '../command-line/argv.ts';
import { Option, type Program } from '../command-line/commander.ts';
import {
  type Context,
  type Nothing,
  offerArchive,
  printAnswer,
  type ToAction,
} from '../command-line/context.ts';
import {
  addBriefFlags,
  addFilterFlags,
  addLimitFlag,
  addRefreshFlag,
  type FilterFlags,
  parseBudget,
  parseLimit,
} from '../command-line/session-flags.ts';
import { usageError } from '../errors.ts';
import { filterNames } from '../filters.ts';
import { hint, recall } from '../hints.ts';
import { formatBriefHits } from '../render/brief/brief-sessions.ts';
import { formatHitsPage } from '../render/hits.ts';
import { toSearchJson } from '../render/json.ts';
import { formatQueryNotes, formatWhen } from '../render/notes.ts';
import { toPrintableLine } from '../text/printable.ts';

/** A lower terminal shows fewer passages of each session, and so more sessions. */
const tallRows = 40;

export function define(program: Program, run: ToAction): void {
  const search = program
    .command('search')
    .description('find sessions by what was said and done in them')
    .argument(
      '[words...]',
      'what to search for: words, "a phrase", pre*, -not, a OR b, project:name; optional with a filter',
    );
  addRefreshFlag(
    addBriefFlags(addFilterFlags(addLimitFlag('search')(search)))
      .addOption(
        new Option('--sort <order>', 'order of the results')
          .choices(['relevance', 'recent'] as const)
          .default('relevance' as const),
      )
      .option('--hub', 'search what the team has shared, on the hub')
      .option('--explain', 'show how each score is made up'),
  ).action(
    run(async (context, words, { limit, explain, refresh, ...flags }) => {
      refuseEmpty(words, flags);
      const budget = parseBudget(context, flags);
      const query = words.join(' ');
      const request = { ...flags, query, limit: parseLimit(limit), positions: budget !== null };
      const answer = await context.recall.search(request, { refresh });
      refuseMisspelt(context.implied, answer);
      const { isTerminal, rows } = context.stdout;
      const passages = isTerminal && rows < tallRows ? 2 : 3;
      const exitCode = await printAnswer(context, answer, {
        notes: formatQueryNotes(answer),
        json: () => toSearchJson(answer, explain ?? false),
        nothing: () => explainNothing(query, answer),
        budget,
        brief: (voice, chars) => formatBriefHits(answer, voice, chars),
        entries: answer.hits,
        limit,
        page: (hits, options) =>
          formatHitsPage({ ...answer, hits }, { ...options, explain: explain ?? false, passages }),
      });
      if (budget === null && answer.emptiness === null) await offerArchive(context);
      return exitCode;
    }),
  );
}

function refuseEmpty(words: readonly string[], flags: FilterFlags): void {
  if (words.length > 0 || filterNames.some((name) => flags[name] !== undefined)) return;
  throw usageError(
    'search needs words to search for, or a filter such as --project',
    hint`${recall('search', '<words>')}; for recent sessions: ${recall('list')}`,
  );
}

/** A first word that was found nowhere was probably meant as a command; so was one that only starts other words, if it is nearly one. */
function refuseMisspelt(typed: Context['implied'], answer: SearchAnswer): void {
  const { missing, corrections, lengthened, emptiness } = answer;
  const [word = ''] = typed ?? [];
  const isStart = lengthened.includes(word);
  const isFound = !missing.includes(word) && !corrections.some(([misspelt]) => misspelt === word);
  const isSearch = typed === null || (isFound && !isStart && emptiness === null);
  const misspelt = isSearch ? undefined : findMisspelt(typed, isStart);
  if (misspelt !== undefined) throw misspelt;
}

function explainNothing(query: string, { time }: SearchAnswer): Nothing {
  if (time?.isAlone) {
    const message = `no session was active ${formatWhen(time)}`;
    return { message, hint: hint`${recall('list')}`, isOfTime: true };
  }
  const shown = toPrintableLine(query);
  return {
    message: shown === '' ? 'nothing found' : `nothing found for “${shown.slice(0, 200)}”`,
    hint: `fewer or different words, ${suggestPrefix(shown)}no filters, or --all`,
  };
}

const prefixChars = 4;

/** A shorter one than the words, which were searched for as the starts of longer ones already. */
function suggestPrefix(query: string): string {
  const words = query.split(' ').filter((word) => !/^-|:/.test(word));
  const long = new RegExp(`\\p{L}{${prefixChars + 1},}`, 'u');
  const [letters] = long.exec(words.join(' ')) ?? [];
  return letters === undefined ? '' : `a prefix such as ${[...letters].slice(0, prefixChars).join('')}*, `;
}
