// An index that an older recall has left is upgraded when it is opened: whole or not at all, by one process while others
// wait, and it can be interrupted. Migrations that do not exist yet are passed in.

import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Migration, migrations } from '../../../migrations/index.ts';
import { type Database, openDatabase } from '../../../src/store/open/database.ts';
import {
  acquireIndexLock,
  isLocked,
  openStore,
  type UpgradeOptions,
  type UpgradeProgress,
} from '../../../src/store/open/open-store.ts';
import { schemaVersion, wordsVersion } from '../../../src/store/open/versions.ts';
import { salvageIndex } from '../../../src/store/upkeep/salvage.ts';
import { assistantLine, TempHome, userLine } from '../../support/home.ts';
import { contentOf, indexHome, withStore } from '../../support/index-home.ts';
import { finish, runRecall, startRecall, untilSaid } from '../../support/program.ts';

let home: TempHome;
beforeEach(async () => {
  home = new TempHome();
  home.writeSession('aaaaaaaa', [userLine('the okapi and the zebra')]);
  await indexHome(home);
});
afterEach(() => home.remove());

const addMood: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table session add column mood text not null default 'calm'`.execute(db);
  },
};
const newer = [...migrations, addMood];

function look<T>(use: (db: Database) => T): T {
  const db = openDatabase(home.indexPath, { readOnly: true });
  try {
    return use(db);
  } finally {
    db.close();
  }
}

const versionOf = () => look((db) => db.pragma('user_version', { simple: true }));
const hasMood = () =>
  look((db) =>
    db
      .prepare("select * from pragma_table_info('session')")
      .all()
      .some((column) => (column as { name: string }).name === 'mood'),
  );

/** Runs the upgrade while holding the index lock, as commands do. */
async function underLock(run: (options: UpgradeOptions) => Promise<void>): Promise<void> {
  for (;;) {
    const lock = acquireIndexLock(home.indexPath, 1, 0);
    if (isLocked(lock)) {
      try {
        return await run({});
      } finally {
        lock.release();
      }
    }
    await sleep(5);
  }
}

describe('a later migration', () => {
  test('is run on what is there, and reported', async () => {
    const seen: UpgradeProgress[] = [];
    const store = await openStore(home.indexPath, {
      migrations: newer,
      upgrade: (run) => run({ onProgress: (progress) => seen.push(progress) }),
    });
    expect(store.db.prepare('select native_id, mood from session').all()).toEqual([
      { native_id: 'aaaaaaaa', mood: 'calm' },
    ]);
    store.close();
    expect(seen).toEqual([{ what: 'tables', done: schemaVersion, total: newer.length }]);
    expect(versionOf()).toBe(newer.length);
  });

  test('is run once by two that find the old index at the same time', async () => {
    let runs = 0;
    const slow: Migration = {
      async up(db, options) {
        runs++;
        await sleep(50);
        await addMood.up(db, options);
      },
    };
    const options = { migrations: [...migrations, slow], upgrade: underLock };
    const stores = await Promise.all([
      openStore(home.indexPath, options),
      openStore(home.indexPath, options),
    ]);
    for (const store of stores) {
      expect(store.db.prepare('select mood from session').pluck().all()).toEqual(['calm']);
      store.close();
    }
    expect(runs).toBe(1);
  });

  test('that is interrupted or fails leaves the index as it was, and is run again', async () => {
    const before = await contentOf(home);
    const abort = new AbortController();
    const interrupted: Migration = {
      async up(db, options) {
        await addMood.up(db, options);
        abort.abort();
        await setImmediate();
        options.signal?.throwIfAborted();
      },
    };
    const failing: Migration = {
      async up(db, options) {
        await addMood.up(db, options);
        throw new Error('no more room');
      },
    };
    const openWith = (last: Migration, options: UpgradeOptions) =>
      openStore(home.indexPath, { migrations: [...migrations, last], upgrade: (run) => run(options) });
    await expect(openWith(interrupted, { signal: abort.signal })).rejects.toThrow(/abort/);
    expect([versionOf(), hasMood()]).toEqual([schemaVersion, false]);
    await expect(openWith(failing, {})).rejects.toThrow(/no more room/);
    expect([versionOf(), hasMood()]).toEqual([schemaVersion, false]);
    expect(await contentOf(home)).toEqual(before);
    (await openWith(addMood, {})).close();
    expect(hasMood()).toBe(true);
  });

  test('makes the index one that this recall refuses', async () => {
    (await openStore(home.indexPath, { migrations: newer })).close();
    await expect(openStore(home.indexPath)).rejects.toMatchObject({ code: 'index-too-new' });
    await expect(salvageIndex(home.indexPath, 0)).rejects.toMatchObject({ code: 'index-too-new' });
  });

  test('is also run when a damaged index of before is repaired', async () => {
    await salvageIndex(home.indexPath, 0, newer);
    expect([versionOf(), hasMood()]).toEqual([newer.length, true]);
    const texts = look((db) => db.prepare('select text from message').pluck().all());
    expect(texts).toEqual(['the okapi and the zebra']);
  });
});

describe('words of an older recall', () => {
  const makeOld = () =>
    withStore(home, ({ db }) =>
      db.exec('drop table message_fts; drop table session_fts; update setting set words_version = 0'),
    );

  test('are made again by the first command, which says so once', async () => {
    await makeOld();
    const first = runRecall(home, ['search', 'okapi', '--no-refresh']);
    expect(first.code).toBe(0);
    expect(first.stdout).toContain('okapi');
    expect(first.stderr).toContain('recall: upgrading the index for this version of recall\n');
    expect(runRecall(home, ['search', 'okapi']).stderr).not.toContain('upgrading');
  });

  test('are made by one of several commands, and all of them find everything', async () => {
    await makeOld();
    const results = await Promise.all(
      ['search okapi', 'index', 'list', 'doctor', 'show aaaaaaaa'].map((command) =>
        finish(startRecall(home, command.split(' '))),
      ),
    );
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    const notes = results.filter(({ stderr }) => stderr.includes('upgrading the index'));
    expect(notes).toHaveLength(1);
    await withStore(home, ({ db }) =>
      expect(db.prepare('select count(*) from message_fts_docsize').pluck().get()).toBe(1),
    );
  });

  test('stay as they were when the command is interrupted, and the next one makes them', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) =>
      assistantLine(`an answer about okapi number ${i}`),
    );
    home.writeSession('bbbbbbbb', lines);
    await indexHome(home);
    await withStore(home, ({ db }) => db.exec('update setting set words_version = 0'));
    const child = startRecall(home, ['list']);
    const finished = finish(child);
    await untilSaid(child, 'upgrading the index');
    child.kill('SIGINT');
    const { code, stdout } = await finished;
    expect([code, stdout]).toEqual([130, '']);
    const readVersion = () => look((db) => db.prepare('select words_version from setting').pluck().get());
    const countWords = () =>
      look((db) => db.prepare('select count(*) from message_fts_docsize').pluck().get());
    expect([readVersion(), countWords()]).toEqual([0, 20_001]);
    expect(runRecall(home, ['list']).code).toBe(0);
    expect([readVersion(), countWords()]).toEqual([wordsVersion, 20_001]);
  });
});
