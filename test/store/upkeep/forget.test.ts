// Who belongs to a session, who shares its text, and what is left when it is forgotten.

import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readTombstones } from '../../../src/store/read/known-files.ts';
import { findCopies, findFamily } from '../../../src/store/upkeep/privacy.ts';
import { checkWords } from '../../../src/store/upkeep/words-index.ts';
import { assistantLine, at, claudeKey, TempHome, userLine } from '../../support/home.ts';
import { contentOf, forgetForGood, indexHome, rowsOf, withStore } from '../../support/index-home.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

const folder = 'projects/-home-u-shop';
const forgottenAt = at(0);

describe('findFamily', () => {
  test('agents, agents of agents and earlier histories, not forks', async () => {
    home.writeSession('aaaaaaaa', [userLine('main')]);
    home.write(`${folder}/aaaaaaaa/subagents/agent-one.jsonl`, [userLine('one')]);
    home.write(`${folder}/agent-two.jsonl`, [userLine('two', { sessionId: 'one' })]);
    home.write('pre-compact-session-histories/earlier.jsonl', [
      userLine('earlier', { sessionId: 'aaaaaaaa' }),
    ]);
    home.writeSession('bbbbbbbb', [userLine('other', { sessionId: 'aaaaaaaa' })]);
    await indexHome(home);
    await withStore(home, (store) => {
      expect(findFamily(store, claudeKey('aaaaaaaa')).sort()).toEqual(['aaaaaaaa', 'earlier', 'one', 'two']);
      expect(findFamily(store, claudeKey('two'))).toEqual(['two']);
      expect(findFamily(store, claudeKey('bbbbbbbb'))).toEqual(['bbbbbbbb']);
    });
  });

  test('agents that name each other as parent do not run in circles', async () => {
    home.write(`${folder}/agent-one.jsonl`, [userLine('one', { sessionId: 'two' })]);
    home.write(`${folder}/agent-two.jsonl`, [userLine('two', { sessionId: 'one' })]);
    home.write(`${folder}/agent-self.jsonl`, [userLine('self', { sessionId: 'self' })]);
    await indexHome(home);
    await withStore(home, (store) => {
      expect(findFamily(store, claudeKey('one')).sort()).toEqual(['one', 'two']);
      expect(findFamily(store, claudeKey('self'))).toEqual(['self']);
    });
  });
});

test('findCopies names every session of the conversation but itself', async () => {
  const shared = [userLine('shared'), assistantLine('yes')];
  for (const id of ['aaaaaaaa', 'bbbbbbbb', 'cccccccc'])
    home.writeSession(id, [...shared, userLine(`own ${id}`)]);
  home.writeSession('dddddddd', [userLine('alone')]);
  await indexHome(home);
  await withStore(home, (store) => {
    expect(findCopies(store, claudeKey('aaaaaaaa')).sort()).toEqual(['bbbbbbbb', 'cccccccc']);
    expect(findCopies(store, claudeKey('dddddddd'))).toEqual([]);
    expect(findCopies(store, claudeKey('nobody'))).toEqual([]);
  });
});

describe('forgetForGood', () => {
  test('leaves the index as if the session had never been', async () => {
    const write = (to: TempHome) => {
      to.writeSession('bbbbbbbb', [userLine('stays', { uuid: 'u-1', timestamp: at(3) })]);
      to.write('settings.json', {});
    };
    const never = new TempHome();
    try {
      write(never);
      write(home);
      home.writeSession('aaaaaaaa', [userLine('goes', { cwd: '/home/u/elsewhere' }), assistantLine('gone')]);
      home.append(`${folder}/aaaaaaaa.jsonl`, '{"torn":\n{"type":"hologram"}\n');
      home.write(`${folder}/aaaaaaaa/subagents/agent-one.jsonl`, [userLine('goes too')]);
      home.write(`${folder}/aaaaaaaa/custom-title.json`, { customTitle: 'goes as well' });
      home.write(`${folder}/sessions-index.json`, { entries: [{ sessionId: 'aaaaaaaa', summary: 'goes' }] });
      await indexHome(home);
      await withStore(home, async (store) => {
        const forgotten = forgetForGood(store, claudeKey('aaaaaaaa'), forgottenAt);
        expect(forgotten).toEqual({
          nativeIds: ['aaaaaaaa', 'one'],
          sessions: 2,
          messages: 3,
          isWiped: true,
        });
        expect([...readTombstones(store.db, 'claude')].sort()).toEqual(['aaaaaaaa', 'one']);
        expect(checkWords(store.db)).toEqual([]);
        expect(store.db.pragma('foreign_key_check')).toEqual([]);
      });
      await indexHome(never);
      expect(await contentOf(home)).toEqual(await contentOf(never));
      const counts = await rowsOf(
        home,
        `select (select count(*) from project) as projects, (select count(*) from hint) as hints,
          (select count(*) from skipped_line) as skipped, (select count(*) from session_link) as links,
          (select count(*) from entry_uuid) as uuids`,
      );
      expect(counts).toEqual([{ projects: 1, hints: 0, skipped: 0, links: 0, uuids: 1 }]);
    } finally {
      never.remove();
    }
  });

  test('unties it from its copies, which stay together', async () => {
    const shared = [userLine('shared')];
    for (const id of ['aaaaaaaa', 'bbbbbbbb', 'cccccccc']) home.writeSession(id, shared);
    await indexHome(home);
    await withStore(home, (store) => forgetForGood(store, claudeKey('aaaaaaaa'), forgottenAt));
    await indexHome(home);
    const rows = await rowsOf<{ conversation_id: number }>(home, 'select conversation_id from session');
    expect(rows.length).toBe(2);
    expect(new Set(rows.map((row) => row.conversation_id)).size).toBe(1);
    await withStore(home, (store) => expect(findCopies(store, claudeKey('bbbbbbbb'))).toEqual(['cccccccc']));
  });

  test('takes along what others have from it', async () => {
    const first = userLine('hello there', { timestamp: at(0) });
    home.writeSession('bbbbbbbb', [first, assistantLine('hi')]);
    home.writeSession('aaaaaaaa', [
      { type: 'summary', summary: 'The secret zebra', leafUuid: first.uuid },
      userLine('goes'),
    ]);
    await indexHome(home);
    const titles = 'select native_id, title, is_unsettled from session order by native_id desc';
    expect((await rowsOf(home, titles))[0]).toMatchObject({
      native_id: 'bbbbbbbb',
      title: 'The secret zebra',
    });
    await withStore(home, (store) => forgetForGood(store, claudeKey('aaaaaaaa'), forgottenAt));
    expect(await rowsOf(home, titles)).toEqual([
      { native_id: 'bbbbbbbb', title: 'hello there', is_unsettled: 0 },
    ]);
    expect(readFileSync(home.indexPath).includes('zebra')).toBe(false);
  });

  test('an id that is not there only leaves its tombstone', async () => {
    home.writeSession('aaaaaaaa', [userLine('stays')]);
    await indexHome(home);
    const before = await contentOf(home);
    await withStore(home, (store) => {
      expect(forgetForGood(store, claudeKey('nobody'), forgottenAt)).toMatchObject({
        sessions: 0,
        messages: 0,
      });
      expect(forgetForGood(store, claudeKey('nobody'), forgottenAt)).toMatchObject({
        sessions: 0,
        messages: 0,
      });
    });
    expect(await contentOf(home)).toEqual(before);
  });
});
