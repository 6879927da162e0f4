// Measures the two engines side by side: the program as it is, with better-sqlite3, and a copy of it that does not find
// that and uses the SQLite of Node.

import { cpSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getProgramPath, toFirstIndex, toRecall, toSearch } from './commands.ts';
import type { Queries } from './home/queries.ts';
import type { Measure } from './measure.ts';
import { toMeasure } from './measure-index.ts';
import { runRounds } from './rounds.ts';
import { type Command, type Place, runTrial } from './trial.ts';

export function measureEngines(place: Place, { selective, common }: Queries, trials: number): Measure[] {
  const copy = join(place.work, 'without-native');
  cpSync(dirname(getProgramPath()), copy, { recursive: true });
  /** The same in the copy. */
  const withNode = ({ id, argv, ...rest }: Command): Command => ({
    ...rest,
    id: `${id}-node`,
    argv: argv.map((arg) => (arg === getProgramPath() ? join(copy, 'recall.cjs') : arg)),
  });
  try {
    const version = toRecall('version', ['--version', '--verbose']);
    expectEngine(place, version, 'better-sqlite3');
    expectEngine(place, withNode(version), 'node:sqlite');
    const index = toFirstIndex(place, 'engine-index');
    const searches = [
      toSearch('engine-search-rare', selective.at(-1) ?? common),
      toSearch('engine-search-common', common),
      toRecall('engine-unchanged', ['index', '--quiet']),
    ];
    const results = new Map([
      ...runRounds(place, [index, withNode(index)], trials),
      ...runRounds(
        place,
        searches.flatMap((each) => [each, withNode(each)]),
        trials * 3,
      ),
    ]);
    const names = ['first index', 'search, rare words', 'search, common words', 'nothing changed'];
    return [index, ...searches].flatMap(({ id }, i) => [
      toMeasure(results, id, `${names[i]}, better-sqlite3`, [], true),
      toMeasure(results, `${id}-node`, `${names[i]}, node:sqlite`, [id], true),
    ]);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function expectEngine(place: Place, version: Command, name: string): void {
  if (runTrial(place, version, false).stdout.includes(`(${name})`)) return;
  throw new Error('the engines are compared on Node 22, from 22.16 on, with better-sqlite3 built for it');
}
