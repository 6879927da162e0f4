// The full-text tables built anew from the stored text are those that indexing made.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkWords, optimizeWords, rebuildWords } from '../../../src/store/upkeep/words-index.ts';
import { assistantLine, TempHome, toolUse, userLine } from '../../support/home.ts';
import { contentOf, indexHome, withStore } from '../../support/index-home.ts';

let home: TempHome;
beforeEach(async () => {
  home = new TempHome();
  for (let n = 0; n < 5; n++) {
    home.writeSession(`session-${n}`, [
      userLine(`getUserById fails for naïve café ${n}`),
      ...Array.from({ length: 300 }, (_, i) => assistantLine(`数据库连接 jwt_auth.ts C++ answers ${i}`)),
      assistantLine([toolUse('Read', { file_path: `src/userService${n}.ts` }), toolUse('Think', {})]),
    ]);
    // In steps, so that there are several segments and deleted rows.
    await indexHome(home);
  }
  home.writeSession('session-0', [userLine('started over')]);
  await indexHome(home);
});
afterEach(() => home.remove());

describe('the full-text tables', () => {
  test('are sound after indexing', async () => {
    await withStore(home, ({ db }) => expect(checkWords(db)).toEqual([]));
  });

  test('built anew are the same', async () => {
    const before = await contentOf(home);
    await withStore(home, ({ db }) => {
      rebuildWords(db);
      // Sessions wait for the next update, which is no fault.
      expect(checkWords(db)).toEqual([]);
    });
    await indexHome(home);
    expect(await contentOf(home)).toEqual(before);
    await withStore(home, ({ db }) => expect(checkWords(db)).toEqual([]));
  });

  test('built anew when they are missing altogether', async () => {
    const before = await contentOf(home);
    await withStore(home, ({ db }) => {
      db.exec('drop table message_fts');
      rebuildWords(db);
    });
    await indexHome(home);
    expect(await contentOf(home)).toEqual(before);
  });

  test('merged hold the same words, in one segment', async () => {
    const before = await contentOf(home);
    await withStore(home, (store) => {
      optimizeWords(store);
      const segments = store.db.prepare('select count(distinct segid) from message_fts_idx').pluck().get();
      expect(segments).toBe(1);
    });
    expect(await contentOf(home)).toEqual(before);
  });

  test.each([
    ['message_fts', 'delete from message_fts where rowid = (select max(id) from message)'],
    ['tool_call_fts', 'delete from tool_call_fts'],
    ['session_fts', 'delete from session_fts where rowid = (select min(id) from session)'],
  ])('%s is found incomplete after: %s', async (table, sql) => {
    await withStore(home, ({ db }) => {
      db.exec(sql);
      expect(checkWords(db)).toEqual([expect.stringContaining(table)]);
    });
  });
});
