// The facts above a conversation: about the session itself, and how to resume it.

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openConversation } from '../../../src/api/conversation/read-conversation.ts';
import { listHeadFacts, splitTypedText } from '../../../src/render/conversation/printer.ts';
import { findSessions } from '../../../src/store/read/sessions.ts';
import { TempHome, userLine } from '../../support/home.ts';
import { toHost } from '../../support/host.ts';
import { indexHome, withStore } from '../../support/index-home.ts';

const sessionId = 'aaaaaaaa-0000-4000-8000-000000000001';
const agentId = 'a1b2c3d4';
let home: TempHome;
let transcript: string;
let directory: string;

beforeEach(async () => {
  home = new TempHome();
  directory = join(home.path, 'shop\x1b[2J');
  mkdirSync(directory);
  const own = { isSidechain: true, agentId, sessionId, cwd: directory };
  transcript = home.writeSession(sessionId, [userLine('hello', { cwd: directory })]);
  home.write(`projects/-home-u-shop/${sessionId}/subagents/agent-${agentId}.jsonl`, [userLine('go', own)]);
  await indexHome(home);
});
afterEach(() => home.remove());

function factsOf(nativeId: string): Promise<Record<string, string>> {
  return withStore(home, async (store) => {
    const [session] = findSessions(store.db, nativeId);
    if (session === undefined) throw new Error('not indexed');
    const { head } = await openConversation(toHost(home), store, session.id, {});
    return Object.fromEntries(listHeadFacts(head, { homeDir: home.path }).facts);
  });
}

test('say how to resume a session that can be resumed', async () => {
  const facts = await factsOf(sessionId);
  expect(facts).toMatchObject({ resume: 'recall open aaaaaaaa' });
  expect(facts).not.toHaveProperty('directory');
});

test('say that its directory is gone, and how to resume it anyway', async () => {
  rmSync(directory, { recursive: true });
  expect(await factsOf(sessionId)).toMatchObject({
    directory: 'gone: ~/shop[2J',
    resume: 'recall open aaaaaaaa',
  });
});

test('say of a deleted transcript how it is brought back, and nothing of its directory', async () => {
  rmSync(directory, { recursive: true });
  rmSync(join(home.claudeDir, transcript));
  await indexHome(home);
  const facts = await factsOf(sessionId);
  expect(facts).toMatchObject({ transcript: expect.stringContaining('deleted') });
  expect(facts).not.toHaveProperty('directory');
  expect(facts).toMatchObject({ resume: 'recall open aaaaaaaa --restore' });
});

test('say for a subagent how to resume its session, without a directory', async () => {
  rmSync(directory, { recursive: true });
  const facts = await factsOf(agentId);
  expect(facts).toMatchObject({ resume: `recall open ${agentId}` });
  expect(facts).not.toHaveProperty('directory');
});

test.each([
  ['\n\n  a  b \n\n', [[false, '', '  a  b']]],
  [
    'a\n```ts\nb\n```\nc',
    [
      [false, '', 'a'],
      [true, 'ts', 'b'],
      [false, '', 'c'],
    ],
  ],
  ['~~~~  ts and more \nb\n~~~\n~~~~\n', [[true, 'ts', 'b\n~~~']]],
  ['``` a ` b', [[false, '', '``` a ` b']]],
  ['~~~ts`\nb', [[false, '', '~~~ts`\nb']]],
  ['```\nb', [[true, '', 'b']]],
  ['    ```\nb', [[false, '', '    ```\nb']]],
  [' \n', []],
])('%j', (text, blocks) => {
  expect(splitTypedText(text).map((block) => [block.isCode, block.language, block.text])).toEqual(blocks);
});
