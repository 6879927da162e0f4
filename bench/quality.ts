// Does search find it? Runs every query of the judged homes in one process and prints, for each home, hit@1/hit@5 for the
// odd queries (to tune on), the even ones (to believe) and all, with the change against the recorded figures.
//
//   npm run quality                       all homes below ../shared
//   npm run quality -- --only work-items  one of them, by part of its name
//   npm run quality -- --verbose          each query whose answer is not first
//   npm run quality -- --record           keep the figures in bench/quality.json
//   npm run quality -- --hub              the same on a hub, on a private PostgreSQL, beside what the index answers

import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { connect } from '../src/hub/postgres/connect.ts';
import { openPostgresWords } from '../src/hub/postgres/word-index.ts';
import { updateIndex } from '../src/indexing/update-index.ts';
import { parseQuery } from '../src/search/query/parse-query.ts';
import { search } from '../src/search/search.ts';
import { openStore, type Store } from '../src/store/open/open-store.ts';
import { openWordIndex } from '../src/store/read/sqlite-word-index.ts';
import { noFilters, type WordIndex } from '../src/store/word-index.ts';
import { noServer, PrivateServer } from '../test/support/postgres.ts';
import { joinAs, makeWordsHub, shareWords } from '../test/support/words-hub.ts';

interface JudgedHome {
  readonly name: string;
  readonly home: string;
  readonly judged: string;
}

interface Judged {
  readonly query: string;
  readonly relevant: readonly string[];
}

/** hit@1 and hit@5, in percent. */
type Figures = readonly [number, number];
type Splits = Readonly<Record<'odd' | 'even' | 'all', Figures>>;

const figuresPath = 'bench/quality.json';
const homes: readonly JudgedHome[] = [
  { name: 'known-item', home: 'quality/known-item', judged: 'quality/known-item/qrels.json' },
  {
    name: 'longmemeval-oracle',
    home: 'quality/longmemeval-oracle',
    judged: 'quality/longmemeval-oracle/qrels.json',
  },
  { name: 'work-items', home: 'data/athena', judged: 'quality/work-items.json' },
];

const { values } = parseArgs({
  options: {
    shared: { type: 'string', default: '../shared' },
    only: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    hub: { type: 'boolean', default: false },
  },
});

const recorded: Record<string, Splits> = existsSync(figuresPath)
  ? JSON.parse(readFileSync(figuresPath, 'utf8'))
  : {};
for (const each of homes) {
  if (!each.name.includes(values.only)) continue;
  const { splits, lines } = await measure(each);
  for (const line of lines) console.log(line);
  if (values.record) recorded[each.name] = splits;
}
if (values.record) writeFileSync(figuresPath, toFiguresText(recorded));

async function measure({ name, home, judged }: JudgedHome): Promise<{ splits: Splits; lines: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'recall-quality-'));
  const store = await openStore(join(folder, 'recall.db'));
  try {
    await updateIndex(store, [{ agent: 'claude', path: resolve(values.shared, home) }], {
      rebuild: false,
      signal: new AbortController().signal,
      onProgress: () => {},
      isTimeUp: () => false,
      isBounded: false,
      trustFolders: false,
      nowMs: Date.now(),
      threads: { workerPath: resolve('dist/read-worker.cjs'), cores: availableParallelism() },
    });
    const queries = JSON.parse(readFileSync(resolve(values.shared, judged), 'utf8')) as Judged[];
    const { splits, line } = await judge(name, openWordIndex(store.db), queries);
    const lines = values.hub ? [line, await judgeOnHub(name, store, queries)] : [line];
    return { splits, lines };
  } finally {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function judgeOnHub(name: string, store: Store, queries: readonly Judged[]): Promise<string> {
  if (noServer !== null) throw new Error(noServer);
  const server = new PrivateServer().start();
  try {
    const at = { env: {}, homeDir: '/nowhere', cwd: '/', platform: 'linux' };
    const as = (user: string) =>
      connect({ address: server.address(user), password: null, at, timeoutMs: 5000 });
    const admin = await as('admin');
    await makeWordsHub(admin, ['ann']);
    await admin.close();
    const [sql, machine] = [await as('ann'), randomUUID()];
    await shareWords(store, sql, await joinAs(sql, 'ann', machine));
    const { line } = await judge(name, openPostgresWords(sql, machine), queries);
    await sql.close();
    return `  on a hub          ${line.slice(19)}`;
  } finally {
    server.remove();
  }
}

async function judge(name: string, index: WordIndex, queries: readonly Judged[]) {
  const answers = [];
  for (const query of queries) answers.push(await ask(index, query));
  const ranks = answers.map(({ rank }) => rank);
  const splits: Splits = {
    odd: toFigures(ranks.filter((_, i) => i % 2 === 1)),
    even: toFigures(ranks.filter((_, i) => i % 2 === 0)),
    all: toFigures(ranks),
  };
  const times = answers.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  const ms = (share: number) => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1);
  const shown = (['odd', 'even', 'all'] as const).map(
    (split) => `${split} ${toShown(splits[split], recorded[name]?.[split])}`,
  );
  const empty = answers.filter(({ isEmpty }) => isEmpty).length;
  const line = `${name.padEnd(19)} ${shown.join('   ')}   empty ${empty}   median ${ms(0.5)} ms, p90 ${ms(0.9)}, slowest ${ms(1)}`;
  return { splits, line };
}

async function ask(index: WordIndex, { query, relevant }: Judged) {
  const startedAt = performance.now();
  const { hits, tier } = await search(index, {
    query: parseQuery(query),
    filters: noFilters,
    limit: 10,
    sort: 'relevance',
    listsSubagents: false,
    now: new Date(),
  });
  const tookMs = performance.now() - startedAt;
  const rank = hits.findIndex((hit) => relevant.includes(hit.session.nativeId));
  if (values.verbose && rank !== 0) console.log(`${rank + 1}\t${tier}\t${query.slice(0, 100)}`);
  return { rank, tookMs, isEmpty: hits.length === 0 };
}

function toFigures(ranks: readonly number[]): Figures {
  const share = (k: number) =>
    Math.round((1000 * ranks.filter((rank) => rank >= 0 && rank < k).length) / ranks.length) / 10;
  return [share(1), share(5)];
}

/** `77.3/89.8 (+0.4/-1.2)`. */
function toShown([first, five]: Figures, before: Figures | undefined): string {
  const figures = `${first.toFixed(1)}/${five.toFixed(1)}`;
  if (before === undefined) return figures;
  const change = (now: number, then: number) => `${now < then ? '-' : '+'}${Math.abs(now - then).toFixed(1)}`;
  return `${figures} (${change(first, before[0])}/${change(five, before[1])})`;
}

/** A line for each home, so that a change of the figures can be read. */
function toFiguresText(figures: Readonly<Record<string, Splits>>): string {
  const lines = Object.entries(figures).map(
    ([name, splits]) =>
      `  ${JSON.stringify(name)}: { ${Object.entries(splits)
        .map(([split, [first, five]]) => `"${split}": [${first}, ${five}]`)
        .join(', ')} }`,
  );
  return `{\n${lines.join(',\n')}\n}\n`;
}
