// Two agents may give the same id to a session: what belongs to one does not belong to the other.

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSubagents } from '../../../src/store/read/relatives.ts';
import { readScope, withFamilies } from '../../../src/store/read/scope.ts';
import { readSessions } from '../../../src/store/read/sessions.ts';
import { noFilters, type SessionInfo } from '../../../src/store/word-index.ts';
import { RecoveryWriter } from '../../../src/store/write/recovery-writer.ts';
import { assistantLine, TempHome, toolUse, userLine } from '../../support/home.ts';
import { indexHome, withStore } from '../../support/index-home.ts';

const home = new TempHome();
const parent = '11111111-1111-4111-8111-111111111111';
/** The ids of the rows: of the first agent, and of another one that has a copy of everything. */
let own: number[];
let others: number[];

beforeAll(async () => {
  home.writeSession(parent, [userLine('count the okapis', { sessionId: parent })]);
  home.write(`projects/-home-u-shop/${parent}/subagents/agent-b1b1b1b1.jsonl`, [
    userLine('count them', { isSidechain: true, agentId: 'b1b1b1b1', sessionId: parent }),
    assistantLine([toolUse('Edit', { file_path: '/home/u/shop/okapi.ts' })], { isSidechain: true }),
  ]);
  const copy = join(home.path, 'other');
  cpSync(home.claudeDir, copy, { recursive: true });
  await indexHome(home, { roots: [home.claudeDir, copy] });
  await withStore(home, ({ db }) => {
    const ofRoot = db.prepare(
      'select session.id from session join root on root.id = root_id where root.path = ? order by session.id',
    );
    own = ofRoot.pluck().all(home.claudeDir) as number[];
    others = ofRoot.pluck().all(copy) as number[];
    db.prepare("update root set agent = 'other' where path = ?").run(copy);
    db.prepare("update session set agent = 'other' where id in (select value from json_each(?))").run(
      JSON.stringify(others),
    );
    // Only in the first agent's session did the subagent touch the file.
    db.prepare(
      "delete from tool_call where session_id in (select id from session where agent = 'other')",
    ).run();
  });
  expect([own.length, others.length]).toEqual([2, 2]);
});
afterAll(() => home.remove());

test('the family of a session is of its agent', () =>
  withStore(home, ({ db }) => {
    for (const family of [own, others])
      for (const id of family) expect(withFamilies(db, [id]).sort()).toEqual([...family].sort());
    for (const id of [...own, ...others]) {
      const session = readSessions(db, [id]).get(id) as SessionInfo;
      for (const { subagent } of readSubagents(db, session)) expect(subagent.agent).toBe(session.agent);
    }
  }));

test('what a subagent touched counts for the session of its agent', () =>
  withStore(home, ({ db }) => {
    const { only } = readScope(db, { ...noFilters, only: { file: 'okapi.ts' } });
    expect([...(only ?? [])].sort()).toEqual([...own].sort());
  }));

test('a prompt of one agent is not looked for among the transcripts of another', () =>
  withStore(home, ({ db }) => {
    const isCovered = (agent: string) => {
      const writer = new RecoveryWriter(db, agent);
      const { firstAt } = db
        .prepare('select first_timestamp as firstAt from session where id = ?')
        .get(own[0]) as { firstAt: string };
      return [writer.hasTranscript(parent), writer.isCovered('/home/u/shop', firstAt)];
    };
    expect(isCovered('claude')).toEqual([true, true]);
    expect(isCovered('a third one')).toEqual([false, false]);
  }));
