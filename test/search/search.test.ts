// From a query to the sessions that answer it: words, exclusions, tiers, filters.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseQuery } from '../../src/search/query/parse-query.ts';
import { toSnippet } from '../../src/text/snippet.ts';
import { assistantLine, at, type Line, toolUse, userLine } from '../support/home.ts';
import { indexHome } from '../support/index-home.ts';
import { ask, type Indexed, idsOf, indexed } from './ask.ts';

const ids = {
  apart: 'aaaaaaaa-0000-4000-8000-000000000001',
  redisOnly: 'bbbbbbbb-0000-4000-8000-000000000002',
  docker: 'cccccccc-0000-4000-8000-000000000003',
  deleted: 'dddddddd-0000-4000-8000-000000000004',
  other: 'eeeeeeee-0000-4000-8000-000000000005',
} as const;

let index: Indexed;
let projectIds: Record<string, number>;

beforeAll(async () => {
  index = await indexed((home) => {
    home.writeSession(ids.apart, [
      userLine('how do we run the jobs?', { timestamp: at(0) }),
      assistantLine('They go through redis.', { timestamp: at(1) }),
      userLine('and who empties the queue at night, the scheduler?', { timestamp: at(2) }),
      assistantLine([toolUse('Edit', { file_path: '/home/u/shop/src/jobs/poller.ts' })], {
        timestamp: at(3),
      }),
    ]);
    home.writeSession(ids.redisOnly, [userLine('install redis', { timestamp: at(0, '2026-04-01') })]);
    home.writeSession(ids.docker, [
      userLine('redis in docker, with a queue', { timestamp: at(0, '2026-05-01'), gitBranch: 'feat/docker' }),
    ]);
    home.writeSession(ids.deleted, [userLine('the vanished flamingo deployment', { timestamp: at(9) })]);
    home.writeSession(
      ids.other,
      [userLine('the marsupial queue', { timestamp: at(0, '2026-06-01'), cwd: '/home/u/zoo' })],
      '-home-u-zoo',
    );
    // Fifty sessions elsewhere that match better.
    for (let i = 0; i < 50; i++) {
      const id = `ffffffff-0000-4000-8000-${String(i).padStart(12, '0')}`;
      const lines: Line[] = [
        { type: 'ai-title', aiTitle: 'marsupial marsupial' },
        userLine('marsupial marsupial marsupial', { timestamp: at(i, '2026-07-01'), cwd: '/home/u/loud' }),
      ];
      home.writeSession(id, lines, '-home-u-loud');
    }
  });
  rmSync(join(index.home.claudeDir, `projects/-home-u-shop/${ids.deleted}.jsonl`));
  await indexHome(index.home);
  const rows = index.store.db.prepare('select id, path from project').all() as { id: number; path: string }[];
  projectIds = Object.fromEntries(rows.map((row) => [row.path, row.id]));
});

afterAll(() => index.close());

const find = async (
  text: string,
  ...rest: Parameters<typeof ask> extends [unknown, unknown, ...infer R] ? R : never
) => idsOf(await ask(index.store, text, ...rest));

describe('words', () => {
  test('may occur in different messages of one session', async () => {
    const result = await ask(index.store, 'redis scheduler');
    expect(result).toMatchObject({ tier: 'all', total: 1 });
    expect(idsOf(result)).toEqual([ids.apart]);
    expect(result.hits[0]?.matches).toHaveLength(2);
  });

  test('must all occur if any session has them all', async () => {
    expect((await find('redis queue')).sort()).toEqual([ids.apart, ids.docker]);
  });

  test('are excluded with a dash', async () => {
    expect((await find('redis -docker')).sort()).toEqual([ids.apart, ids.redisOnly]);
    expect(await find('redis -"in docker" -scheduler')).toEqual([ids.redisOnly]);
  });

  test('joined by OR need only one of them', async () => {
    expect((await find('flamingo OR scheduler')).sort()).toEqual([ids.apart, ids.deleted]);
  });

  test('in the requested order', async () => {
    expect(await find('redis', { sort: 'recent' })).toEqual([ids.docker, ids.redisOnly, ids.apart]);
  });

  test('are also found in what tools were used on', async () => {
    expect(await find('poller.ts')).toEqual([ids.apart]);
  });

  test('an id, or the start of one, finds the session itself', async () => {
    expect(await find(ids.other)).toEqual([ids.other]);
    expect((await find(ids.other.slice(0, 13)))[0]).toBe(ids.other);
  });

  test('of a deleted transcript are still found', async () => {
    const result = await ask(index.store, 'flamingo');
    expect(idsOf(result)).toEqual([ids.deleted]);
    expect(result.hits[0]?.session.isDeleted).toBe(true);
  });
});

describe('what a session is called', () => {
  let named: Indexed;
  beforeAll(async () => {
    named = await indexed((home) => {
      const lines = [
        { type: 'ai-title', aiTitle: 'Walrus migration' },
        userLine('do it', { timestamp: at(0), cwd: '/home/u/aquarium', gitBranch: 'fix/narwhal' }),
      ];
      home.writeSession(ids.apart, lines, '-home-u-aquarium');
      // Hidden sessions must not get in the way: an empty transcript, and one with only tool calls.
      home.write(`projects/-home-u-aquarium/${ids.other}.jsonl`, '');
      home.writeSession(
        ids.deleted,
        [
          assistantLine([toolUse('Read', { file_path: '/home/u/aquarium/manatee.ts' })], {
            timestamp: at(1),
          }),
        ],
        '-home-u-aquarium',
      );
    });
  });
  afterAll(() => named.close());

  test.each(['walrus', 'aquarium', 'narwhal', 'walrus narwhal'])('%s', async (text) => {
    expect(idsOf(await ask(named.store, text))).toEqual([ids.apart]);
    expect((await ask(named.store, text)).tier).toBe('all');
  });

  test('a session without messages is found by its tools only with --all', async () => {
    expect(idsOf(await ask(named.store, 'manatee'))).toEqual([]);
    expect(idsOf(await ask(named.store, 'manatee', { filters: { includeAll: true } }))).toEqual([
      ids.deleted,
    ]);
  });
});

// Sessions that only mentioned the project came before those that were held in it.
describe('the exact name of a project or branch weighs like a title', () => {
  const idOf = (n: number) => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`;
  const mentioning = 60;
  const held = { project: idOf(90), branch: idOf(91), titled: idOf(92) } as const;
  let named: Indexed;
  beforeAll(async () => {
    named = await indexed((home) => {
      for (let n = 0; n < mentioning; n++)
        home.writeSession(idOf(n), [
          userLine('deploy Shop_Docker, then Shop_Docker again, on fix/late-invoice', {
            timestamp: at(n),
            cwd: '/home/u/zoo',
          }),
        ]);
      const write = (id: string, extra: object) =>
        home.writeSession(id, [userLine('deploy the thing', { timestamp: at(0), ...extra })]);
      write(held.project, { cwd: '/home/u/Shop_Docker' });
      write(held.branch, { cwd: '/home/u/zoo', gitBranch: 'fix/late-invoice' });
      home.writeSession(held.titled, [
        { type: 'ai-title', aiTitle: 'Walrus on main' },
        userLine('the walrus', { timestamp: at(0), cwd: '/home/u/zoo', gitBranch: 'feature/x' }),
      ]);
      for (let n = 0; n < 5; n++) write(idOf(100 + n), { cwd: '/home/u/zoo', gitBranch: 'main' });
    });
  });
  afterAll(() => named.close());
  const first = async (text: string) => idsOf(await ask(named.store, text))[0];

  test.each(['Shop_Docker', 'shop-docker', 'shop docker', '"Shop_Docker"', 'Shop_Docker deploy'])(
    '%s finds what was held in it first',
    async (text) => expect(await first(text)).toBe(held.project),
  );

  test.each(['fix/late-invoice', 'deploy fix/late-invoice'])(
    '%s finds what was done on it first',
    async (text) => expect(await first(text)).toBe(held.branch),
  );

  test('not a branch that everything is on', async () => {
    expect(await first('main')).toBe(held.titled);
  });
});

test('a word that occurs everywhere shows a passage for every session', async () => {
  const everywhere = await indexed((home) => {
    for (let i = 0; i < 13; i++) {
      const lines = Array.from({ length: 260 }, (_, n) =>
        userLine(`axolotl number ${n} of tank ${i}`, { timestamp: at(n, `2026-05-${10 + i}`) }),
      );
      home.writeSession(`abcdefab-0000-4000-8000-0000000000${10 + i}`, lines);
    }
  });
  const { hits } = await ask(everywhere.store, 'axolotl', { limit: 13 });
  expect(hits.map((hit) => hit.matches.length)).toEqual(Array(13).fill(3));
  expect(hits[0]?.session.nativeId).toBe('abcdefab-0000-4000-8000-000000000022');
  everywhere.close();
});

test('an excluded session does not take the place of others', async () => {
  const big = 'bbbbbbbb-0000-4000-8000-000000000009';
  const crowded = await indexed((home) => {
    home.writeSession(ids.apart, [userLine('the flamingo is pink', { timestamp: at(0) })]);
    const lines = Array.from({ length: 3001 }, (_, n) =>
      userLine(`flamingo ${n}`, { timestamp: at(n % 60) }),
    );
    home.writeSession(big, [userLine('about docker'), ...lines]);
  });
  expect(idsOf(await ask(crowded.store, 'flamingo -docker'))).toEqual([ids.apart]);
  expect(idsOf(await ask(crowded.store, 'flamingo', { filters: { excludedNativeIds: [big] } }))).toEqual([
    ids.apart,
  ]);
  crowded.close();
});

test('a word that is being typed is the start of others, unless it is everywhere itself', async () => {
  const catalog = await indexed((home) => {
    const lines = Array.from({ length: 3001 }, (_, n) => userLine(`cat ${n}`, { timestamp: at(n % 60) }));
    home.writeSession(ids.docker, lines);
    home.writeSession(ids.apart, [userLine('the catalog of plants', { timestamp: at(0) })]);
  });
  const typing = async (text: string) =>
    idsOf(await ask(catalog.store, '', { query: parseQuery(text, true) }));
  expect(await typing('cata')).toEqual([ids.apart]);
  expect(await typing('cat')).toEqual([ids.docker]);
  expect(await typing('plants ca')).toEqual([ids.apart]);
  // The start of another word than the one that is everywhere.
  expect((await typing('cat OR plan')).sort()).toEqual([ids.apart, ids.docker]);
  expect(idsOf(await ask(catalog.store, 'cat OR plan*')).sort()).toEqual([ids.apart, ids.docker]);
  catalog.close();
});

test('of a compound that is being typed, a last part of two letters says nothing unless it is found', async () => {
  const files = await indexed((home) => {
    home.writeSession(ids.apart, [userLine('look at jwt-auth.ts', { timestamp: at(0) })]);
    home.writeSession(ids.other, [userLine('authentication in tsx', { timestamp: at(1) })]);
  });
  const typing = (text: string) => ask(files.store, '', { query: parseQuery(text, true) });
  expect(idsOf(await typing('jwt-au'))).toEqual([ids.apart]);
  expect((await typing('jwt-au')).begun).toBe('jwt-au');
  expect(idsOf(await typing('jwt-auth.ts'))[0]).toBe(ids.apart);
  expect((await typing('jwt-auth.ts')).begun).toBeNull();
  files.close();
});

test('sorted by time, results still contain every word, even a common one', async () => {
  const lacking = await indexed((home) => {
    const alphas = Array.from({ length: 3100 }, (_, n) => userLine(`alpha ${n}`, { timestamp: at(n % 60) }));
    home.writeSession(ids.docker, alphas);
    for (let i = 0; i < 8; i++) {
      const both = `aaaaaaaa-0000-4000-8000-00000000010${i}`;
      const one = `aaaaaaaa-0000-4000-8000-00000000020${i}`;
      home.writeSession(both, [userLine('zeta and alpha', { timestamp: at(i, '2026-06-01') })]);
      home.writeSession(one, [userLine('zeta alone', { timestamp: at(i, '2026-07-01') })]);
    }
  });
  const { tier, hits } = await ask(lacking.store, 'zeta alpha', { sort: 'recent', limit: 3 });
  expect(tier).toBe('all');
  expect(hits.map((hit) => hit.session.nativeId.slice(-3))).toEqual(['107', '106', '105']);
  lacking.close();
});

describe('tiers', () => {
  test('prefix: a word that is only the start of one', async () => {
    expect(await ask(index.store, 'flam')).toMatchObject({
      tier: 'prefix',
      hits: [{ session: { nativeId: ids.deleted } }],
    });
    expect((await ask(index.store, 'flam*')).tier).toBe('all');
  });

  test('any: no session has all of them', async () => {
    const result = await ask(index.store, 'redis flamingo');
    expect(result.tier).toBe('any');
    expect(idsOf(result)).toContain(ids.deleted);
    expect(idsOf(result)).toContain(ids.redisOnly);
  });

  test.each([
    ['flamigno', 'flamingo'],
    ['flamngo', 'flamingo'],
    ['shceduler', 'scheduler'],
    ['deploymemt', 'deployment'],
  ])('fuzzy: %s is corrected to %s, with results', async (typed, meant) => {
    const result = await ask(index.store, typed);
    expect(result.tier).toBe('fuzzy');
    expect(result.corrections).toEqual([[typed, meant]]);
    expect(idsOf(result)).toEqual(idsOf(await ask(index.store, meant)));
    const [hit] = result.hits;
    expect(toSnippet(hit?.matches[0]?.message.text ?? '', result.terms, 80)).toContainEqual({
      text: meant,
      isMatch: true,
    });
  });

  test('nothing is found for a word that occurs nowhere', async () => {
    for (const text of ['xylophonist', '"redis flamingo"', '数据库', '1234567890']) {
      expect(await ask(index.store, text), text).toMatchObject({ total: 0, hits: [] });
    }
  });
});

describe('filters are inside the query', () => {
  test('so the limit never leaves a filtered search empty', async () => {
    expect(await find('marsupial', { limit: 10 })).not.toContain(ids.other);
    const filters = { only: { project: [projectIds['/home/u/zoo'] ?? 0] } };
    expect(await find('marsupial', { limit: 1, filters })).toEqual([ids.other]);
    expect(await find('marsupial', { limit: 1, sort: 'recent', filters })).toEqual([ids.other]);
  });

  test.each([
    ['branch', { branch: 'DOCKER' }, [ids.docker]],
    ['since', { since: '2026-04-15T00:00:00.000Z' }, [ids.docker]],
    ['until', { until: '2026-03-31T00:00:00.000Z' }, [ids.apart]],
    [
      'since and until',
      { since: '2026-03-20T00:00:00.000Z', until: '2026-04-20T00:00:00.000Z' },
      [ids.redisOnly],
    ],
    ['role', { role: 'assistant' as const }, [ids.apart]],
    ['model', { model: 'Sonnet' }, [ids.apart]],
    ['what is around the names of models', { model: '[' }, []],
    ['file', { file: 'poller.ts' }, [ids.apart]],
    ['tail of a path', { file: 'src/jobs/poller.ts' }, [ids.apart]],
    ['whole path', { file: '/home/u/shop/src/jobs/poller.ts' }, [ids.apart]],
    ['folder', { file: 'src/jobs/' }, [ids.apart]],
    ['part of a name', { file: 'oller.ts' }, []],
    ['no project', { project: [] }, []],
    ['kind', { kind: 'subagent' as const }, []],
  ])('%s', async (_, only, expected) => {
    expect(await find('redis', { filters: { only } })).toEqual(expected);
  });

  test('the current session does not answer its own question', async () => {
    expect(await find('redis', { filters: { excludedNativeIds: [ids.docker] } })).not.toContain(ids.docker);
  });

  test('a query of only filters lists recent sessions', async () => {
    const filters = { only: { project: [projectIds['/home/u/shop'] ?? 0] } };
    const result = await ask(index.store, '', { filters, limit: 2 });
    expect(result).toMatchObject({ tier: 'all', total: 4 });
    expect(idsOf(result)).toEqual([ids.docker, ids.redisOnly]);
    // With nothing to match, a session is shown by its name.
    for (const { session, matches } of result.hits)
      expect(matches).toMatchObject([
        { toolText: null, message: { kind: 'title', text: session.title ?? session.firstPrompt } },
      ]);
  });
});
