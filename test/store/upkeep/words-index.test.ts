// The tables of words built again from the stored text are those that indexing made.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { UpgradeProgress } from '../../../src/store/open/open-store.ts';
import {
  areToolWordsSound,
  checkWords,
  optimizeWords,
  rebuildWords,
} from '../../../src/store/upkeep/words-index.ts';
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

  test('built again are the same', async () => {
    const before = await contentOf(home);
    await withStore(home, async ({ db }) => {
      await rebuildWords(db);
      expect(checkWords(db)).toEqual([]);
    });
    expect(await contentOf(home)).toEqual(before);
  });

  test('of tools are built again from the stored texts, also for a session without a transcript', async () => {
    rmSync(join(home.claudeDir, 'projects/-home-u-shop/session-1.jsonl'));
    await indexHome(home);
    const before = await contentOf(home);
    expect(before.words.work).not.toEqual([]);
    await withStore(home, ({ db }) => {
      db.exec('delete from work_fts; update setting set words_version = words_version - 1');
    });
    expect(await contentOf(home)).toEqual(before);
    await withStore(home, ({ db }) => expect(checkWords(db)).toEqual([]));
  });

  test('keep the words of tools whose text was never stored', async () => {
    await withStore(home, ({ db }) => db.exec('update work set has_text = 0; delete from tool_text'));
    const { words } = await contentOf(home);
    await withStore(home, ({ db }) => rebuildWords(db));
    expect((await contentOf(home)).words).toEqual(words);
    await withStore(home, ({ db }) => expect(checkWords(db)).toEqual([]));
  });

  test('of an older version are built again when the index is opened, also for a session without a transcript', async () => {
    home.write('history.jsonl', [
      { display: 'a lost prompt', sessionId: 'dddddddd', timestamp: Date.parse('2026-03-05T10:00:00Z') },
    ]);
    rmSync(join(home.claudeDir, 'projects/-home-u-shop/session-1.jsonl'));
    await indexHome(home);
    const before = await contentOf(home);
    await withStore(home, ({ db }) => {
      db.exec(`delete from tool_call_fts; delete from word_form; drop table message_fts; drop table session_fts;
        update setting set words_version = words_version - 1`);
    });
    expect(await contentOf(home)).toEqual(before);
    await withStore(home, ({ db }) => {
      expect(checkWords(db)).toEqual([]);
      expect(db.prepare("select word from word_form where stem = 'answer'").pluck().all()).toEqual([
        'answers',
      ]);
    });
  });

  test('stay as they were when building them is interrupted', async () => {
    const before = await contentOf(home);
    await withStore(home, async ({ db }) => {
      const abort = new AbortController();
      const seen: number[] = [];
      const onProgress = ({ done, total }: UpgradeProgress) => {
        seen.push(done / total);
        if (done > total / 2) abort.abort();
      };
      await expect(rebuildWords(db, { signal: abort.signal, onProgress })).rejects.toThrow(/abort/);
      expect(seen.length).toBeGreaterThan(2);
      expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    });
    expect(await contentOf(home)).toEqual(before);
  });

  test('built again when they are missing altogether', async () => {
    const before = await contentOf(home);
    await withStore(home, async ({ db }) => {
      db.exec('drop table message_fts');
      await rebuildWords(db);
    });
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
    await withStore(home, async ({ db }) => {
      db.exec(sql);
      expect(checkWords(db)).toEqual([expect.stringContaining(table)]);
    });
  });

  test.each([
    [
      'a message without its row',
      'delete from message where id = (select max(id) from message)',
      ['message_fts has 1 rows too many'],
      true,
    ],
    [
      'a table that is missing',
      'drop table tool_call_fts',
      ['tool_call_fts is damaged', 'tool_call_fts cannot be counted'],
      true,
    ],
    ['no words of tools', 'delete from work_fts', ['work_fts lacks 4 rows'], false],
  ])('%s is found, and whether the words of tools are sound', async (_, sql, problems, areToolsSound) => {
    await withStore(home, ({ db }) => {
      db.exec(sql);
      expect(checkWords(db)).toEqual(problems);
      expect(areToolWordsSound(db)).toBe(areToolsSound);
    });
  });
});
