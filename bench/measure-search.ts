// Measures asking: rare words and common ones, with and without looking for news first, and as the index grows.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bareNode, toGrep, toRecall, toSearch } from './commands.ts';
import type { Queries } from './home/queries.ts';
import type { Measure } from './measure.ts';
import { toMeasure } from './measure-index.ts';
import { runRounds } from './rounds.ts';
import { type Command, type Place, runTrial } from './trial.ts';

const counts = ['one', 'two', 'three'];

export function measureSearch(place: Place, queries: Queries, rounds: number): Measure[] {
  const commands = [bareNode, ...toSearches(queries)];
  const selective = queries.selective.map((_, i) => counts[i] ?? String(i + 1));
  const results = runRounds(place, commands, rounds);
  return [
    toMeasure(results, 'bare-node', 'node -e 0', []),
    ...selective.map((count) =>
      toMeasure(results, `search-${count}`, `search, ${count} rare`, ['bare-node'], true),
    ),
    toMeasure(results, 'search-common', 'search, common words', ['bare-node'], true),
    toMeasure(results, 'search-question', 'search, eight-word question', ['bare-node'], true),
  ];
}

function toSearches({ selective, common }: Queries): Command[] {
  return [
    ...selective.map((query, i) => toSearch(`search-${counts[i] ?? i + 1}`, query)),
    toSearch('search-common', common),
    toSearch('search-question', `how did we fix the ${selective[1] ?? common} error`),
  ];
}

/** The same question with a look for news first. */
export function measureRefreshed(place: Place, { selective, common }: Queries, rounds: number): Measure[] {
  const rare = selective.at(-1) ?? common;
  const commands = [
    bareNode,
    toSearch('search-rare', rare),
    toSearch('refreshed-rare', rare, true),
    toSearch('search-common', common),
    toSearch('refreshed-common', common, true),
  ];
  const results = runRounds(place, commands, rounds);
  return [
    toMeasure(results, 'refreshed-rare', 'refreshed, rare words', ['bare-node', 'search-rare'], true),
    toMeasure(results, 'refreshed-common', 'refreshed, common words', ['search-common'], true),
  ];
}

/** What people do without an index. */
export function measureGrep(place: Place, { selective, common }: Queries, rounds: number): Measure[] {
  const word = selective[0] ?? common;
  const grep = toGrep(place, word);
  const results = runRounds(place, [toSearch('search-one', word), grep], rounds);
  return [toMeasure(results, 'grep', `${grep.argv[0]} -c, the same word`, ['search-one'])];
}

/** Search alone, in a home of so many messages; its index is made first. */
export function measureGrowth(place: Place, queries: Queries, messages: number, rounds: number): Measure[] {
  mkdirSync(place.work, { recursive: true });
  runTrial(place, toRecall('index', ['index', '--quiet']), false);
  const among = `${messages.toLocaleString('en')} messages`;
  return measureSearch(place, queries, rounds)
    .filter(({ isProgram }) => isProgram)
    .map((measure) => ({ ...measure, id: `${measure.id}-${messages}`, name: `${measure.name}, ${among}` }));
}

export function toGrowthPlace(work: string, claudeDir: string, messages: number): Place {
  return { work: join(work, `growth-${messages}`), claudeDir };
}
