// What stands above a conversation of the session itself and of how to go back to it.

import { expect, test } from 'vitest';
import { toHeadFacts } from '../../../src/render/conversation/head-facts.ts';
import type { SessionInfo } from '../../../src/store/read/read-sessions.ts';
import { headOf, hit } from '../made-hits.ts';

function factsOf(session: Partial<SessionInfo>, isDirectory: boolean): Record<string, string> {
  const head = headOf({ ...hit({}).session, firstCwd: '/home/u/shop\x1b[2J', ...session });
  const { facts } = toHeadFacts(head, { homeDir: '/home/u', isDirectory: () => isDirectory });
  return Object.fromEntries(facts);
}

test('how to resume it, where that can be done', () => {
  expect(factsOf({}, true)).toMatchObject({ resume: expect.stringMatching(/^recall open \S+$/) });
  expect(factsOf({}, true)).not.toHaveProperty('directory');
});

test('that its directory is gone, rather than a command that would only say so', () => {
  const facts = factsOf({}, false);
  expect(facts).toMatchObject({ directory: 'gone: ~/shop[2J' });
  expect(facts).not.toHaveProperty('resume');
});

test('of a deleted transcript neither', () => {
  const facts = factsOf({ isGone: 1 }, false);
  expect(facts).toMatchObject({ transcript: expect.stringContaining('deleted') });
  expect(facts).not.toHaveProperty('directory');
  expect(facts).not.toHaveProperty('resume');
});

test('of an agent neither', () => {
  expect(factsOf({ kind: 'subagent' }, false)).not.toHaveProperty('directory');
});
