// Opening the index: private whatever the surroundings, migrated whole or not at all, refused in plain words.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrations } from '../../../migrations/index.ts';
import { recall } from '../../../src/hints.ts';
import { openDatabase } from '../../../src/store/open/database.ts';
import { saveLastResults } from '../../../src/store/open/last-results.ts';
import { migrate } from '../../../src/store/open/migrate.ts';
import { acquireIndexLock, isLocked, openStore } from '../../../src/store/open/open-store.ts';
import { schemaVersion } from '../../../src/store/open/versions.ts';
import { noise, overwrite, pageBytes } from '../../support/damage.ts';
import { TempHome, userLine } from '../../support/home.ts';
import { finish, runRecall, startRecall } from '../../support/program.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe.skipIf(process.platform === 'win32')('private', () => {
  const umaskBefore = process.umask();
  afterEach(() => {
    process.umask(umaskBefore);
  });

  test.each([0o000, 0o022, 0o077])('with umask %i: file 600, folder 700', async (umask) => {
    process.umask(umask);
    const store = await openStore(home.indexPath);
    const lock = acquireIndexLock(home.indexPath, 1, 0);
    saveLastResults(home.indexPath, '1', { shownAt: '2026-01-01T00:00:00.000Z', nativeIds: ['aaaaaaaa'] });
    store.db.exec("insert into root (agent, path) values ('claude', '/x')");
    expect(modeOf(dirname(home.indexPath))).toBe('700');
    for (const suffix of ['', '-wal', '-shm', '.lock', '.last/tty-1.json'])
      expect([suffix, modeOf(`${home.indexPath}${suffix}`)]).toEqual([suffix, '600']);
    expect(modeOf(`${home.indexPath}.last`)).toBe('700');
    if (isLocked(lock)) lock.release();
    store.close();
  });

  test('wider permissions that were there before are narrowed', async () => {
    (await openStore(home.indexPath)).close();
    chmodSync(home.indexPath, 0o644);
    chmodSync(dirname(home.indexPath), 0o755);
    (await openStore(home.indexPath)).close();
    expect(modeOf(home.indexPath)).toBe('600');
    expect(modeOf(dirname(home.indexPath))).toBe('700');
  });

  test('a wider log is narrowed too', async () => {
    const holder = await openStore(home.indexPath);
    holder.db.exec("insert into root (agent, path) values ('claude', '/x')");
    for (const suffix of ['-wal', '-shm']) chmodSync(`${home.indexPath}${suffix}`, 0o666);
    (await openStore(home.indexPath)).close();
    for (const suffix of ['-wal', '-shm']) expect(modeOf(`${home.indexPath}${suffix}`)).toBe('600');
    holder.close();
  });

  test('a folder that is not recall’s own keeps its permissions', async () => {
    const shared = join(home.path, 'shared');
    mkdirSync(shared);
    chmodSync(shared, 0o755);
    (await openStore(join(shared, 'my.db'))).close();
    expect([modeOf(shared), modeOf(join(shared, 'my.db'))]).toEqual(['755', '600']);
  });

  test('a folder made for it is private, whatever its name', async () => {
    process.umask(0);
    (await openStore(join(home.path, 'made/for/it.db'))).close();
    expect([modeOf(join(home.path, 'made')), modeOf(join(home.path, 'made/for'))]).toEqual(['700', '700']);
  });
});

describe('the schema', () => {
  test('is made on first sight and then left alone', async () => {
    const first = await openStore(home.indexPath);
    expect(first.db.pragma('user_version', { simple: true })).toBe(schemaVersion);
    expect(first.db.pragma('journal_mode', { simple: true })).toBe('wal');
    first.close();
    const changes = openDatabase(home.indexPath, { readOnly: true });
    const version = () => changes.pragma('data_version', { simple: true });
    const before = version();
    (await openStore(home.indexPath)).close();
    expect(version()).toBe(before);
    changes.close();
  });

  test('has the tables that people may query', async () => {
    const store = await openStore(home.indexPath);
    const columns = (table: string) =>
      store.db
        .prepare(`select * from ${table}`)
        .columns()
        .map(({ name }) => name);
    for (const table of ['transcript', 'project', 'session', 'message', 'tool_call'])
      expect(columns(table).length).toBeGreaterThan(1);
    expect(columns('message')).toEqual(
      expect.arrayContaining(['id', 'session_id', 'seq', 'uuid', 'role', 'kind', 'timestamp', 'text']),
    );
    store.close();
  });

  test('is made whole or not at all, and a failure does not stick', async () => {
    mkdirSync(dirname(home.indexPath));
    const db = openDatabase(home.indexPath);
    // In the way of one of the last statements.
    db.exec('create table tombstone (x)');
    await expect(migrate(db)).rejects.toThrow(/tombstone/);
    const tables = () =>
      db.prepare("select name from sqlite_schema where type = 'table' order by name").pluck().all();
    expect(tables()).toEqual(['tombstone']);
    expect(db.pragma('user_version', { simple: true })).toBe(0);
    db.exec('drop table tombstone');
    db.close();
    const store = await openStore(home.indexPath);
    expect(store.db.pragma('user_version', { simple: true })).toBe(schemaVersion);
    store.close();
  });

  test('is made once when several start at the same time', async () => {
    home.writeSession('aaaaaaaa', [userLine('hello')]);
    for (let round = 0; round < 2; round++) {
      rmSync(dirname(home.indexPath), { recursive: true, force: true });
      const results = await Promise.all(
        Array.from({ length: 6 }, () => finish(startRecall(home, ['doctor', '--json']))),
      );
      // One that waits for more than a moment says so.
      const unexpected = (stderr: string) => stderr.replace(/^another recall .* waiting .*\n/, '');
      expect(results.map(({ code, stderr }) => [code, unexpected(stderr)])).toEqual(Array(6).fill([0, '']));
    }
    const store = await openStore(home.indexPath);
    expect(store.db.pragma('user_version', { simple: true })).toBe(schemaVersion);
    expect(store.db.prepare('select count(*) from setting').pluck().get()).toBe(1);
    store.close();
  });
});

describe('refused', () => {
  test('an index of a newer recall', async () => {
    const store = await openStore(home.indexPath);
    store.db.pragma(`user_version = ${schemaVersion + 1}`);
    store.close();
    await expect(openStore(home.indexPath)).rejects.toMatchObject({
      name: 'UserError',
      code: 'index-too-new',
    });
  });

  test('one whose words were made by a newer recall', async () => {
    const store = await openStore(home.indexPath);
    store.db.exec('update setting set words_version = words_version + 1');
    store.close();
    await expect(openStore(home.indexPath)).rejects.toMatchObject({ code: 'index-too-new' });
  });

  test('by every command, which says what to do; completion is silent', async () => {
    home.writeSession('aaaaaaaa', [userLine('hello')]);
    const store = await openStore(home.indexPath);
    store.db.pragma(`user_version = ${schemaVersion + 1}`);
    store.close();
    const commands = [
      'index',
      'search hello',
      'list',
      'open aaaaaaaa',
      'show aaaaaaaa',
      'files x.ts',
      'projects',
    ];
    for (const command of [...commands, 'stats', 'doctor', 'doctor --repair', 'forget aaaaaaaa --yes']) {
      const { code, stdout, stderr } = runRecall(home, command.split(' '));
      expect([command, code, stdout]).toEqual([command, 2, '']);
      expect(stderr).toContain(
        `made by a newer recall (schema ${schemaVersion + 1}, this one knows ${schemaVersion})`,
      );
      expect(stderr).toContain('update recall, or use another index with --db <file>');
    }
    const { code, stdout, stderr } = runRecall(home, ['__complete', 'show', '']);
    expect([code, stdout.trim(), stderr]).toEqual([0, 'words', '']);
  });

  test('at the place of the index, a file that is not a database: it is damaged', async () => {
    mkdirSync(dirname(home.indexPath));
    writeFileSync(home.indexPath, 'text '.repeat(5000));
    await expect(openStore(home.indexPath)).rejects.toMatchObject({
      ...{ name: 'UserError', code: 'index-damaged', hint: [recall('doctor', '--repair')] },
    });
  });

  test.each([0, 7])('another program’s database of version %i, which stays as it is', async (version) => {
    const path = join(home.path, 'photos.db');
    const db = openDatabase(path);
    db.exec("create table photo (name text); insert into photo values ('cat')");
    db.pragma(`user_version = ${version}`);
    db.close();
    chmodSync(path, 0o644);
    const before = readFileSync(path);
    home.writeSession('aaaaaaaa', [userLine('hello')]);
    for (const command of [['index'], ['search', 'hello'], ['doctor', '--repair'], ['open', 'aaaaaaaa']]) {
      const { code, stdout, stderr } = runRecall(home, [...command, '--db', path]);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(
        'photos.db is a database, but not an index of recall\n  try: name another file',
      );
    }
    expect(readFileSync(path)).toEqual(before);
    expect(modeOf(path)).toBe('644');
    expect(readdirSync(home.path).filter((name) => name.startsWith('photos.db-'))).toEqual([]);
  });

  test.each([
    ['a short text', 'to do\n'],
    ['a text', 'to do\n'.repeat(10_000)],
    ['a copied transcript', `${userLine('hello')}\n`.repeat(500)],
    ['empty lines', '\n'.repeat(100_000)],
    ['bytes of any kind', noise(600_000)],
  ])('%s at another place, which stays as it is, also in a repair', (_, content) => {
    const path = join(home.path, 'notes.txt');
    writeFileSync(path, content, { mode: 0o644 });
    home.writeSession('aaaaaaaa', [userLine('hello')]);
    for (const command of [['index'], ['search', 'hello'], ['doctor'], ['doctor', '--repair']]) {
      const { code, stdout, stderr } = runRecall(home, [...command, '--db', path]);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toBe(
        `recall: ${path} is not an index of recall\n  try: name another file with --db <file> or RECALL_DB\n`,
      );
    }
    expect(readFileSync(path)).toEqual(Buffer.from(content));
    expect(modeOf(path)).toBe('644');
    expect(readdirSync(home.path).filter((name) => /damaged|repair/.test(name))).toEqual([]);
  });

  test('an index at another place whose beginning is damaged; it can be repaired', async () => {
    const path = join(home.path, 'my.db');
    home.writeSession('aaaaaaaa', [userLine('hello')]);
    expect(runRecall(home, ['index', '--db', path]).code).toBe(0);
    overwrite(path, 0, noise(pageBytes));
    await expect(openStore(path)).rejects.toMatchObject({ code: 'index-damaged' });
    // Which sessions were forgotten could not be read.
    expect(runRecall(home, ['doctor', '--repair', '--db', path]).code).toBe(2);
    expect(runRecall(home, ['search', 'hello', '--db', path]).code).toBe(0);
  });

  test.skipIf(process.platform === 'win32')('a folder or a pipe, which keep their permissions', async () => {
    const pipe = join(home.path, 'pipe');
    execFileSync('mkfifo', ['-m', '644', pipe]);
    for (const [path, what] of [
      [pipe, 'not a file'],
      [home.claudeDir, 'a folder'],
    ] as const) {
      const mode = modeOf(path);
      await expect(openStore(path)).rejects.toMatchObject({
        code: 'not-an-index',
        message: `${path} is ${what}, so it cannot be the index`,
      });
      expect(modeOf(path)).toBe(mode);
    }
  });

  test.skipIf(process.platform !== 'linux')('a place under /proc, at once', async () => {
    await expect(openStore('/proc/no/such/place.db')).rejects.toMatchObject({ code: 'index-unusable' });
  });

  test('a place where nothing can be made', async () => {
    writeFileSync(join(home.path, 'file'), '');
    await expect(openStore(join(home.path, 'file', 'r.db'))).rejects.toMatchObject({
      ...{ name: 'UserError', code: 'index-unusable' },
    });
    expect(runRecall(home, ['--db', 'file/r.db', 'doctor']).stderr).not.toContain('internal error');
  });
});

test('the schema version counts the migrations', () => {
  expect(schemaVersion).toBe(Object.keys(migrations).length);
});
