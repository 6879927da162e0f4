// How many results there are, where there are more than were looked at.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dropWork } from '../../src/store/upkeep/privacy.ts';
import { assistantLine, at, toolUse, userLine } from '../support/home.ts';
import { ask, type Indexed, indexed } from './ask.ts';

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

describe('a word that is only in what more tool calls were pointed at than are listed', () => {
  beforeAll(() => dropWork(index.store.db));

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
