// Does search find it? Runs every query of a home's qrels.json in one process and prints hit@1 and hit@5, for the odd
// queries (to tune on), the even ones (to believe) and all. Usage: node scripts/run-ts.mjs bench/quality.ts <home>…

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { updateIndex } from '../src/indexing/update-index.ts';
import { parseQuery } from '../src/search/parse-query.ts';
import { search } from '../src/search/search.ts';
import { openStore } from '../src/store/open/open-store.ts';
import { noFilters } from '../src/store/read/scope.ts';

interface Judged {
  readonly query: string;
  readonly relevant: readonly string[];
}

const homes = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isVerbose = process.argv.includes('--verbose');
for (const home of homes) await measure(home);

async function measure(home: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'recall-quality-'));
  const store = await openStore(join(folder, 'recall.db'));
  const options = {
    rebuild: false,
    signal: new AbortController().signal,
    onProgress: () => {},
    isTimeUp: () => false,
    isBounded: false,
    trustFolders: false,
    quietLooks: Number.POSITIVE_INFINITY,
    nowMs: Date.now(),
    threads: { workerPath: resolve('dist/read-worker.cjs'), cores: availableParallelism() },
  };
  await updateIndex(store, [{ agent: 'claude', path: home }], options);
  const judged = JSON.parse(readFileSync(join(home, 'qrels.json'), 'utf8')) as Judged[];
  const times: number[] = [];
  const ranks = judged.map(({ query, relevant }) => {
    const startedAt = performance.now();
    const request = {
      filters: noFilters,
      limit: 10,
      sort: 'relevance',
      listSubagents: false,
      now: new Date(),
    } as const;
    const { hits, tier } = search(store, { query: parseQuery(query), ...request });
    times.push(performance.now() - startedAt);
    const rank = hits.findIndex((hit) => relevant.includes(hit.session.nativeId));
    if (isVerbose && rank !== 0) console.log(`${rank + 1}\t${tier}\t${query.slice(0, 100)}`);
    return rank;
  });
  const share = (of: readonly number[], k: number) =>
    ((100 * of.filter((rank) => rank >= 0 && rank < k).length) / of.length).toFixed(1);
  const line = (name: string, of: readonly number[]) => `${name} ${share(of, 1)}/${share(of, 5)}`;
  const odd = ranks.filter((_, i) => i % 2 === 1);
  const even = ranks.filter((_, i) => i % 2 === 0);
  times.sort((a, b) => a - b);
  const ms = (q: number) => (times[Math.floor((times.length - 1) * q)] ?? 0).toFixed(1);
  console.log(
    `${home.split('/').at(-1)}: ${line('odd', odd)}  ${line('even', even)}  ${line('all', ranks)}  median ${ms(0.5)} ms, slowest ${ms(1)} ms`,
  );
  store.close();
  rmSync(folder, { recursive: true, force: true });
}
