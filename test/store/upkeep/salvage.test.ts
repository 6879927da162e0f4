// Saving a damaged index keeps what only the index still knows.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrations } from '../../../migrations/index.ts';
import { openStore } from '../../../src/store/open/open-store.ts';
import { salvageIndex } from '../../../src/store/upkeep/salvage.ts';
import { checkWords } from '../../../src/store/upkeep/words-index.ts';
import { redactionVersion } from '../../../src/text/redact.ts';
import { assistantLine, at, claudeKey, TempHome, toolUse, userLine } from '../../support/home.ts';
import { contentOf, forgetForGood, indexHome, rowsOf, withStore } from '../../support/index-home.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

const now = Date.parse('2026-03-06T07:08:09.123Z');
const salvage = () => salvageIndex(home.indexPath, now);
/** Without the empty log that looking into the new file leaves. */
const beside = () =>
  readdirSync(dirname(home.indexPath))
    .filter((name) => !/\.repair-(wal|shm)$/.test(name))
    .sort();

async function indexTwoFates(): Promise<void> {
  const shared = [userLine('shared between copies')];
  home.writeSession('aaaaaaaa', [...shared, assistantLine([toolUse('Read', { file_path: 'src/okapi.ts' })])]);
  home.writeSession('bbbbbbbb', [...shared, userLine('only in the index')]);
  home.writeSession('cccccccc', [userLine('forgotten')]);
  home.write('history.jsonl', [
    { display: 'a lost prompt', sessionId: 'dddddddd', timestamp: Date.parse(at(1)) },
  ]);
  await indexHome(home);
  await withStore(home, (store) => forgetForGood(store, claudeKey('cccccccc'), at(0)));
  rmSync(join(home.claudeDir, 'projects/-home-u-shop/bbbbbbbb.jsonl'));
  await indexHome(home);
}

describe('salvageIndex', () => {
  test('of a sound file loses nothing', async () => {
    await indexTwoFates();
    const before = await contentOf(home);
    const salvaged = await salvage();
    expect(salvaged.rows).toBeGreaterThan(10);
    expect(salvaged).toMatchObject({
      sessions: 3,
      lost: [],
      damagedPath: `${home.indexPath}.damaged-2026-03-06T07-08-09-123Z`,
    });
    await indexHome(home);
    expect(await contentOf(home)).toEqual(before);
    expect(await rowsOf(home, 'select native_id from tombstone')).toEqual([{ native_id: 'cccccccc' }]);
    expect(beside()).toEqual(['recall.db', 'recall.db.damaged-2026-03-06T07-08-09-123Z']);
  });

  test('keeps what tools did in a session whose transcript is gone, and gives up what is damaged', async () => {
    const write = (id: string, word: string) =>
      home.writeSession(id, [userLine('go'), assistantLine([toolUse('Bash', { command: `echo ${word}` })])]);
    write('aaaaaaaa', 'pangolin');
    write('bbbbbbbb', 'tapir');
    await indexHome(home);
    rmSync(join(home.claudeDir, 'projects'), { recursive: true });
    await indexHome(home);
    await withStore(home, ({ db }) =>
      db.exec("update tool_text set texts = x'0707' where id = (select max(id) from tool_text)"),
    );
    await salvage();
    const { work } = await contentOf(home);
    expect(work.map(({ native_id, text }) => [native_id, text])).toEqual([['aaaaaaaa', 'echo pangolin']]);
    await withStore(home, ({ db }) => expect(checkWords(db)).toEqual([]));
  });

  test('takes in what is only in the log', async () => {
    await indexTwoFates();
    const holder = await openStore(home.indexPath);
    holder.db.pragma('wal_autocheckpoint = 0');
    holder.db.exec(
      "insert into tombstone (agent, native_id, forgotten_at) values ('claude', 'late', '2026')",
    );
    await salvage();
    holder.close();
    expect(await rowsOf(home, "select native_id from tombstone where native_id = 'late'")).toHaveLength(1);
  });

  test('of a file that is not a database gives an empty index and keeps the file', async () => {
    await indexTwoFates();
    writeFileSync(home.indexPath, 'no database '.repeat(1000));
    const { sessions, rows, damagedPath, lost } = await salvage();
    expect([sessions, rows, lost]).toEqual([0, 0, ['redaction', 'forgotten']]);
    expect(await rowsOf(home, 'select is_redacting from setting')).toEqual([
      { is_redacting: redactionVersion },
    ]);
    expect(readFileSync(damagedPath, 'utf8')).toMatch(/^no database /);
    expect(await rowsOf(home, 'select * from session')).toEqual([]);
  });

  test('starts over when an earlier attempt was cut off', async () => {
    await indexTwoFates();
    const before = await contentOf(home);
    writeFileSync(`${home.indexPath}.repair`, 'half a file');
    writeFileSync(`${home.indexPath}.repair-wal`, 'half a log');
    await salvage();
    expect(existsSync(`${home.indexPath}.repair`)).toBe(false);
    await indexHome(home);
    expect(await contentOf(home)).toEqual(before);
  });

  test('without a table, keeps the others', async () => {
    await indexTwoFates();
    await withStore(home, ({ db }) => db.exec('drop table summary; drop table message_fts; drop table hint'));
    await salvage();
    await indexHome(home);
    const rows = await rowsOf(home, "select text from message where text = 'only in the index'");
    expect(rows).toHaveLength(1);
  });

  test('keeps what was said in a session whose own row is lost', async () => {
    await indexTwoFates();
    await withStore(home, ({ db }) => db.exec("delete from session where native_id = 'bbbbbbbb'"));
    await salvage();
    await indexHome(home);
    const [row] = await rowsOf<{ native_id: string; title: string; is_gone: number; message_count: number }>(
      home,
      `select native_id, title, is_gone, message_count from session
      where id = (select session_id from message where text = 'only in the index')`,
    );
    expect(row).toMatchObject({ title: 'shared between copies', is_gone: 1, message_count: 2 });
    expect(row?.native_id).toMatch(/^lost-\d+$/);
  });

  test('and gives it up again where the transcript is still there', async () => {
    await indexTwoFates();
    const before = await contentOf(home);
    await withStore(home, ({ db }) => db.exec("delete from session where native_id = 'aaaaaaaa'"));
    await salvage();
    await indexHome(home);
    expect(await contentOf(home)).toEqual(before);
  });

  test.each([
    ['the settings', 'delete from setting', ['redaction'], 1],
    ['the table of settings', 'drop table setting', ['redaction'], 1],
    ['the list of what was forgotten', 'drop table tombstone', ['forgotten'], 0],
    ['what others said of it', 'drop table forgotten_leaf', ['forgotten'], 0],
  ])('without %s, says so, and reads no secrets in doubt', async (_, sql, lost, isRedacting) => {
    await indexTwoFates();
    await withStore(home, ({ db }) => db.exec(sql));
    expect((await salvage()).lost).toEqual(lost);
    expect(await rowsOf(home, 'select is_redacting from setting')).toEqual([
      { is_redacting: isRedacting ? redactionVersion : 0 },
    ]);
  });

  test.each(['root', 'project', 'transcript', 'session'])(
    'without the rows of %s, nothing refers to them',
    async (table) => {
      await indexTwoFates();
      await withStore(home, ({ db }) => db.exec(`delete from ${table}`));
      await salvage();
      await withStore(home, ({ db }) => {
        const dangling = (column: string, from: string, to: string) =>
          db
            .prepare(
              `select count(*) from ${from} where ${column} is not null and ${column} not in (select id from ${to})`,
            )
            .pluck()
            .get();
        expect([
          dangling('root_id', 'session', 'root'),
          dangling('root_id', 'transcript', 'root'),
          dangling('project_id', 'session', 'project'),
          dangling('transcript_id', 'session', 'transcript'),
          dangling('session_id', 'message', 'session'),
          dangling('session_id', 'tool_call', 'session'),
          dangling('session_id', 'work', 'session'),
        ]).toEqual([0, 0, 0, 0, 0, 0, 0]);
        expect(checkWords(db)).toEqual([]);
      });
      const rows = await rowsOf(home, "select text from message where text = 'only in the index'");
      expect(rows).toHaveLength(1);
    },
  );

  test('what tools did in a session of which nothing else is left is given up', async () => {
    await indexTwoFates();
    await withStore(home, ({ db }) => db.exec('delete from session; delete from message'));
    await salvage();
    for (const table of ['session', 'tool_call', 'work', 'tool_text'])
      expect([table, await rowsOf(home, `select id from ${table}`)]).toEqual([table, []]);
  });

  test('a transcript whose root is lost is read as a new one', async () => {
    await indexTwoFates();
    const before = await contentOf(home);
    await withStore(home, ({ db }) => db.exec('delete from root'));
    await salvage();
    expect(await rowsOf(home, 'select id from transcript')).toEqual([]);
    await indexHome(home);
    expect((await contentOf(home)).messages).toEqual(before.messages);
  });

  test.each([0, -1, 1000, 2 ** 31 - 1])(
    'whose version reads %i is taken to be of this recall',
    async (version) => {
      await indexTwoFates();
      await withStore(home, ({ db }) => db.pragma(`user_version = ${version}`));
      expect(await salvage()).toMatchObject({ sessions: 3, lost: [] });
    },
  );

  test('of a newer recall is not touched', async () => {
    await indexTwoFates();
    await withStore(home, ({ db }) => db.pragma(`user_version = ${migrations.length + 1}`));
    const before = readFileSync(home.indexPath);
    await expect(salvage()).rejects.toThrow('newer');
    expect(readFileSync(home.indexPath).equals(before)).toBe(true);
    expect(beside().filter((name) => !/-(wal|shm)$/.test(name))).toEqual(['recall.db']);
  });

  test('where there is no index at all, makes an empty one', async () => {
    expect((await salvage()).sessions).toBe(0);
    expect(beside()).toEqual(['recall.db']);
  });
});
