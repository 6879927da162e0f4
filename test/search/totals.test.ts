// How many results there are, where there are more than were looked at.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { at, userLine } from '../support/home.ts';
import { ask, type Indexed, indexed } from './ask.ts';

const parent = 'aaaaaaaa-0000-4000-8000-000000000001';
const subagents = 300;

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
  });
});
afterAll(() => index.close());

test('subagents that are listed count on their own', () => {
  const { total } = ask(index.store, 'pangolin', { limit: 1, listSubagents: true });
  expect(total).toBe(subagents + 1);
  expect(ask(index.store, 'pangolin', { limit: 1 }).total).toBe(1);
});
