// How many results there are, where there are more than were looked at.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseQuery } from '../../src/search/query/parse-query.ts';
import { search } from '../../src/search/search.ts';
import { openWordIndex } from '../../src/store/read/sqlite-word-index.ts';
import { dropToolTexts } from '../../src/store/upkeep/privacy.ts';
import { noFilters } from '../../src/store/word-index.ts';
import { assistantLine, at, toolUse, userLine } from '../support/home.ts';
import { ask, type Indexed, indexed, now } from './ask.ts';

const parent = 'aaaaaaaa-0000-4000-8000-000000000001';
const subagents = 300;
const readers = 600;
const talkers = 30;

let index: Indexed;

beforeAll(async () => {
  index = await indexed((home) => {
    home.writeSession(parent, [userLine('look for the pangolin everywhere', { timestamp: at(0) })]);
    for (let i = 0; i < subagents; i++) {
      const extra = { isSidechain: true, agentId: `b${i}`, sessionId: parent, timestamp: at(i) };
      home.write(`projects/-home-u-shop/${parent}/subagents/agent-b${i}.jsonl`, [
        userLine(`the pangolin of place ${i}`, extra),
      ]);
    }
    for (let i = 0; i < readers; i++) {
      const extra = { timestamp: at(i, '2026-04-01') };
      home.writeSession(`cccccccc-0000-4000-8000-${String(i).padStart(12, '0')}`, [
        userLine(i < talkers ? 'please ask the walrus' : 'please', extra),
        assistantLine([toolUse('Read', { file_path: '/home/u/shop/zebra.ts' })], extra),
      ]);
    }
  });
});
afterAll(() => index.close());

test('subagents that are listed count on their own', async () => {
  const { total } = await ask(index.store, 'pangolin', { limit: 1, listsSubagents: true });
  expect(total).toBe(subagents + 1);
  expect((await ask(index.store, 'pangolin', { limit: 1 })).total).toBe(1);
});

// 2 of 3 sessions were shown where ten were asked for, and 157 of 167 with a limit of 1,000.
test('as many results as there are, or as were asked for', async () => {
  for (const text of [
    'pangolin',
    'place pangolin',
    'please',
    'please walrus',
    'everywhere place walrus',
    'walrus',
  ])
    for (const limit of [1, 10, 50, 1000])
      for (const sort of ['relevance', 'recent'] as const) {
        const { total, isTotalExact, hits } = await ask(index.store, text, { limit, sort });
        expect([text, limit, isTotalExact]).toEqual([text, limit, true]);
        expect([text, limit, hits.length]).toEqual([text, limit, Math.min(limit, total)]);
      }
  expect((await ask(index.store, 'pangolin OR walrus')).total).toBe(talkers + 1);
  expect((await ask(index.store, 'please', { limit: 1000 })).hits).toHaveLength(readers);
});

describe('a word that is only in what more tool calls were pointed at than are listed', () => {
  beforeAll(() => dropToolTexts(index.store.db));

  test('occurs in more sessions than are known', async () => {
    expect(await ask(index.store, 'zebra')).toMatchObject({ total: 500, isTotalExact: false });
  });

  // Where the other word is only in older sessions, it looked as if none had both.
  test('is looked for in the sessions that have the other words', async () => {
    const result = await ask(index.store, 'zebra walrus');
    expect(result).toMatchObject({ tier: 'all', total: talkers, completeHits: 10 });
    expect((await ask(index.store, 'zebra walrus in:said', { filters: { only: { in: 'said' } } })).tier).toBe(
      'any',
    );
  });
});

// Reading and unpacking texts was half of the time of a search, and most were of sessions that were dropped afterwards.
test('where some sessions have all words, the texts of others are not read', async () => {
  const words = openWordIndex(index.store.db);
  const read: number[] = [];
  const counting = {
    ...words,
    messages: (ids: readonly number[]) => {
      read.push(...ids);
      return words.messages(ids);
    },
  };
  const query = parseQuery('place everywhere');
  const request = { filters: noFilters, limit: 10, sort: 'relevance', listsSubagents: true, now } as const;
  // No session has both.
  await search(counting, { ...request, query });
  expect(read.length).toBeGreaterThan(10);
  read.length = 0;
  await search(counting, { ...request, query: parseQuery('look pangolin') });
  expect(read).toHaveLength(1);
});
