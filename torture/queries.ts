// Query strings and filter values by chance: any characters at all, and what a grammar of quotes, operators, filters and
// paths makes. None throws, none is refused by SQLite, and the slowest are bounded.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Random } from '../bench/home/random.ts';
import { searchSessions } from '../src/api/search.ts';
import { UserError } from '../src/errors.ts';
import type { FilterTexts } from '../src/filters.ts';
import { type Indexed, indexed } from '../test/search/ask.ts';
import { anyQuery, binaryQuery, graphemeQuery, madeQuery } from '../test/search/queries.ts';
import { assistantLine, toolUse, userLine } from '../test/support/home.ts';
import { toHost } from '../test/support/host.ts';
import { someLines } from '../test/support/made-home.ts';
import type { Tally, Trials } from './tally.ts';

/** A query on this index takes some milliseconds; a machine under load may need more. */
const boundMs = 250;

export async function tortureQueries({ tally, seed, count }: Trials): Promise<void> {
  const index = await indexed((home) => {
    const random = new Random(seed, 51);
    for (let n = 0; n < 4; n++) home.writeSession(`session-${n}`, someLines(random, 20, `session-${n}`));
    home.writeSession('aaaaaaaa-0000-4000-8000-000000000001', [
      userLine('add jwt middleware to src/middleware/jwt-auth.ts'),
      assistantLine('getUserById calls get_user_by_id; 用Redis做缓存, 数据库连接池'),
      assistantLine([toolUse('Read', { file_path: '/home/u/shop/src/middleware/jwt-auth.ts' })]),
      assistantLine([toolUse('Bash', { command: 'npm test -- jwt middleware 数据库' }, 't1')]),
      userLine([{ type: 'tool_result', tool_use_id: 't1', content: 'jwt token timeout', is_error: true }]),
    ]);
  });
  try {
    for (const [name, arbitrary, share] of [
      ['any code points', binaryQuery, 0.3],
      ['any characters', graphemeQuery, 0.1],
      ['made of operators, filters, paths', madeQuery, 0.5],
    ] as const) {
      const ask = (text: string) => searchFor(index, text, {});
      await tryMany(tally, `queries: ${name}`, seed, Math.ceil(count * share), arbitrary, ask);
    }
    await tryMany(tally, 'queries: filter values', seed, Math.ceil(count * 0.1), filters, (flags) =>
      searchFor(index, flags.words, flags),
    );
  } finally {
    index.close();
  }
}

const odd = fc.oneof(anyQuery, fc.constantFrom('', '%', '_', "'", '\0', '\\', '/', '..', '.', '~', 'main'));
/** Most of the time there is none, or one that makes sense: else the first odd one ends the search. */
const orNone = <T>(arbitrary: fc.Arbitrary<T>, freq = 2) => fc.option(arbitrary, { nil: undefined, freq });
const oddOr = (...good: readonly string[]) =>
  orNone(fc.oneof({ weight: 1, arbitrary: odd }, { weight: 12, arbitrary: fc.constantFrom(...good) }), 3);

const filters = fc.record({
  words: fc.constantFrom('jwt', '', 'middleware token'),
  project: orNone(odd),
  branch: orNone(odd),
  model: orNone(odd),
  file: orNone(odd),
  since: oddOr('7d', '2026-01', 'yesterday', '0001-01-01', '9999-12-31', '999999999d'),
  until: oddOr('today', '2026-01-31', 'last week', '0000', '9999'),
  kind: oddOr('main', 'subagent', 'HISTORY'),
  role: oddOr('user', 'assistant'),
  in: oddOr('said', 'done', 'DONE'),
});

/** As `recall search` does it, without the printing. */
async function searchFor({ home, store }: Indexed, query: string, flags: FilterTexts): Promise<void> {
  const at = { env: {}, homeDir: '/home/u', platform: 'linux', cwd: '/home/u/shop' } as const;
  try {
    const result = await searchSessions(toHost(home, { at }), store, { ...flags, query });
    assert.ok(result.hits.length <= 10 && result.total >= result.hits.length);
  } catch (error) {
    // An invalid date or kind is reported to the person who gave it.
    if (!(error instanceof UserError) || error.code !== 'usage') throw error;
  }
}

/** In samples, so that a million of them do not have to be held. */
async function tryMany<T>(
  tally: Tally,
  check: string,
  seed: number,
  count: number,
  arbitrary: fc.Arbitrary<T>,
  ask: (input: T) => Promise<void>,
): Promise<void> {
  const tookMs = new Float64Array(count);
  const startedAt = performance.now();
  let tried = 0;
  await tally.attempt(check, `seed ${seed}`, async () => {
    for (let sample = 0; tried < count; sample++) {
      const inputs = fc.sample(arbitrary, { seed: seed + sample, numRuns: Math.min(1000, count - tried) });
      for (const input of inputs) {
        const from = performance.now();
        try {
          await ask(input);
        } catch (error) {
          tally.find(check, JSON.stringify(input), error);
        }
        tookMs[tried++] = performance.now() - from;
      }
    }
    tookMs.sort();
    const p99 = tookMs[Math.floor(count * 0.99)] ?? 0;
    const slowest = tookMs[count - 1] ?? 0;
    tally.note(check, `p99 ${p99.toFixed(1)} ms, slowest ${slowest.toFixed(0)} ms`);
    assert.ok(
      p99 < boundMs,
      `p99 is ${p99.toFixed(0)} ms after ${(performance.now() - startedAt).toFixed(0)} ms`,
    );
  });
  tally.count(check, count - 1);
}
