// Both engines keep the same promises. On a Node that can load only one of them, that one is tested; CI runs this on
// Node 20 and 22.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase, readEngine } from '../../../src/store/open/database.ts';
import { loadNodeSqlite } from '../../../src/store/open/node-sqlite.ts';

type Open = typeof openDatabase;

const openWithNode = loadNodeSqlite();
const engines: [string, Open][] = [['the engine of this Node', openDatabase]];
if (openWithNode !== null)
  engines.push([
    'node:sqlite',
    (path, { readOnly = false, timeoutMs = 5000 } = {}) => openWithNode(path, readOnly, timeoutMs),
  ]);

const folder = mkdtempSync(join(tmpdir(), 'recall-database-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newPath = () => join(folder, `${++files}.db`);

const codeOf = (run: () => unknown) => {
  try {
    run();
    return null;
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

describe.each(engines)('%s', (_, open) => {
  let db: Database;
  beforeEach(() => {
    db = open(':memory:');
    db.exec('create table t (id integer primary key, v any) strict');
  });
  afterEach(() => {
    db.close();
  });
  const fill = (to: Database, rows: number) => {
    const insert = to.prepare('insert into t (v) values (?)');
    for (let i = 1; i <= rows; i++) insert.run(i);
  };

  describe('values', () => {
    test('come back as they went in', () => {
      const get = db.prepare('select ? as v').pluck();
      const any = fc.oneof(
        fc.constant(null),
        fc.double({ noNaN: true }),
        fc.integer(),
        // Not with NUL, at which Node 22 ends a text; no text that recall stores has one.
        fc.string({ unit: fc.constantFrom('a', '\n', 'é', '連', '🦓') }),
        fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      );
      fc.assert(
        fc.property(any, (value) => {
          // SQLite has no negative zero among its integers.
          expect(get.get(value)).toEqual(Object.is(value, -0) ? expect.closeTo(0) : value);
        }),
      );
    });

    test('integers are numbers, rounded beyond 2^53, and exact where asked for', () => {
      const big = 2n ** 60n + 1n;
      db.prepare('insert into t (id, v) values (?, ?)').run(big, 7n);
      expect(db.prepare('select id, v from t').get()).toEqual({ id: Number(big), v: 7 });
      expect(db.prepare('select id from t').pluck().all()).toEqual([Number(big)]);
      expect([...db.prepare('select id, v from t').raw().iterate()]).toEqual([[Number(big), 7]]);
      expect(db.prepare('select id, v from t').safeIntegers().get()).toEqual({ id: big, v: 7n });
      expect(codeOf(() => db.prepare('select ?').get(2n ** 64n))).not.toBeNull();
    });

    test('numbers are bound as floating point, which columns turn into integers', () => {
      expect(db.prepare('select typeof(?), typeof(?)').raw().get(1, 1n)).toEqual(['real', 'integer']);
      db.exec('create table n (a integer, b any) strict');
      db.prepare('insert into n values (?, ?)').run(5, 5n);
      expect(db.prepare('select typeof(a) as a, typeof(b) as b from n').get()).toEqual({
        a: 'integer',
        b: 'integer',
      });
    });

    test('blobs are Buffers, made of any bytes', () => {
      db.prepare('insert into t (v) values (?)').run(new Uint8Array([1, 2, 255]).subarray(1));
      const blob = db.prepare('select v from t').pluck().get() as Buffer;
      expect(Buffer.isBuffer(blob)).toBe(true);
      expect([blob.readUInt8(1), blob.toString('hex')]).toEqual([255, '02ff']);
      expect(db.prepare('select v from t').get()).toEqual({ v: blob });
      const type = db.prepare('select typeof(?) || typeof(@named)').pluck();
      for (const none of [Buffer.from(new Float64Array(0).buffer), new Uint8Array(0), Buffer.alloc(0)])
        expect(type.get(none, { named: none })).toBe('blobblob');
    });

    test('are given in order, as a list, by name, or some by name after the others; what is undefined is null', () => {
      const two = db.prepare('select ? as a, ? as b');
      expect(two.get(1, 'x')).toEqual({ a: 1, b: 'x' });
      expect(two.get([1, 'x'])).toEqual({ a: 1, b: 'x' });
      expect(two.get(undefined, null)).toEqual({ a: null, b: null });
      expect(db.prepare('select @a as a, @b as b').get({ a: 1, b: undefined, other: 3 })).toEqual({
        a: 1,
        b: null,
      });
      expect(db.prepare('select ? as a, @b as b').get(1, { b: 2 })).toEqual({ a: 1, b: 2 });
      expect(() => two.get(1, 2, 3)).toThrow();
      expect(() => two.get(1, { a: 1 }, () => 1)).toThrow();
    });
  });

  describe('statements', () => {
    test('give rows as plain objects, lists or values; nothing where there is none', () => {
      fill(db, 2);
      const select = 'select id, v from t order by id';
      expect(db.prepare(select).all()).toStrictEqual([
        { id: 1, v: 1 },
        { id: 2, v: 2 },
      ]);
      expect(db.prepare(select).raw().all()).toEqual([
        [1, 1],
        [2, 2],
      ]);
      const plucked = db.prepare(select).pluck();
      expect(plucked.all()).toEqual([1, 2]);
      // The last one asked for holds.
      expect(plucked.raw().get()).toEqual([1, 1]);
      expect(db.prepare('select id from t where id = 9').get()).toBeUndefined();
      expect(db.prepare('select id from t where id = 9').pluck().get()).toBeUndefined();
      expect(db.prepare('select 1 as a, 2 as a').raw().get()).toEqual([1, 2]);
      expect(
        db
          .prepare(select)
          .columns()
          .map(({ name }) => name),
      ).toEqual(['id', 'v']);
    });

    test('report what they changed', () => {
      expect(db.prepare('insert into t (v) values (?), (?)').run(1, 2)).toEqual({
        changes: 2,
        lastInsertRowid: 2,
      });
      expect(db.prepare('delete from t').run().changes).toBe(2);
    });

    test('know the columns that a table has got since', () => {
      const all = db.prepare('select * from t');
      fill(db, 1);
      expect(all.all()).toEqual([{ id: 1, v: 1 }]);
      db.exec('alter table t add column more text');
      // Node 22 has the columns of before once more.
      expect(all.all()).toMatchObject([{ id: 1, v: 1 }]);
      expect(all.all()).toEqual([{ id: 1, v: 1, more: null }]);
    });

    test('are stepped through while others read, and given up early', () => {
      fill(db, 5);
      const seen: unknown[] = [];
      const other = db.prepare('select v from t where id = ?').pluck();
      for (const id of db.prepare('select id from t order by id').pluck().iterate()) {
        seen.push(other.get(id));
        if (seen.length === 3) break;
      }
      expect(seen).toEqual([1, 2, 3]);
      // One that was still running would forbid it.
      db.exec('drop table t');
    });

    test('a function of ours is called, and what it throws is thrown', () => {
      db.function('shout', { deterministic: true }, (text) => String(text).toUpperCase());
      expect(db.prepare('select shout(?)').pluck().get('okapi')).toBe('OKAPI');
      db.function('fail', {}, (_value) => {
        throw new TypeError('ours');
      });
      expect(() => db.prepare('select fail(1)').get()).toThrow('ours');
    });
  });

  describe('transactions', () => {
    const count = () => db.prepare('select count(*) from t').pluck().get();

    test('happen wholly or not at all, also one inside another', () => {
      const inner = db.transaction((rows: number) => {
        fill(db, rows);
        if (rows > 2) throw new Error('too many');
        return rows;
      });
      const outer = db.transaction(() => {
        inner(1);
        expect(db.inTransaction).toBe(true);
        expect(() => inner(3)).toThrow('too many');
        return inner.immediate(2);
      });
      expect(outer.immediate()).toBe(2);
      expect([count(), db.inTransaction]).toEqual([3, false]);
      expect(() => inner(5)).toThrow('too many');
      expect([count(), db.inTransaction]).toEqual([3, false]);
      expect(() => db.transaction(async () => fill(db, 1))()).toThrow(TypeError);
      expect(count()).toBe(3);
    });

    test('one that SQLite has ended itself is not ended again', () => {
      db.exec('create table u (v integer unique on conflict rollback)');
      const twice = db.transaction(() => {
        db.exec('insert into u values (1)');
        db.exec('insert into u values (1)');
      });
      expect(codeOf(twice)).toMatch(/^SQLITE_CONSTRAINT/);
      expect(db.inTransaction).toBe(false);
    });

    test('immediate ones take the lock, and others wait for it as long as they were told', () => {
      const path = newPath();
      const holder = open(path);
      holder.exec('create table t (v)');
      const other = open(path, { timeoutMs: 60 });
      const started = performance.now();
      holder
        .transaction(() => {
          expect(codeOf(() => other.exec('begin immediate'))).toBe('SQLITE_BUSY');
        })
        .immediate();
      expect(performance.now() - started).toBeGreaterThan(50);
      other.exec('begin immediate');
      other.close();
      holder.close();
    });
  });

  describe('errors have SQLite’s own codes', () => {
    test.each<[string, (to: Database) => unknown]>([
      ['SQLITE_ERROR', (to) => to.prepare('selec')],
      ['SQLITE_ERROR', (to) => to.exec('select * from nothing')],
      ['SQLITE_CONSTRAINT', (to) => to.exec('insert into t values (1, 1); insert into t values (1, 1)')],
      ['SQLITE_MISMATCH', (to) => to.exec("insert into t (id) values ('a')")],
    ])('%s', (code, run) => {
      expect(codeOf(() => run(db))).toMatch(new RegExp(`^${code}`));
    });

    test('of files', () => {
      const text = newPath();
      writeFileSync(text, 'this is not a database. '.repeat(1000));
      const opened = open(text);
      expect(codeOf(() => opened.prepare('select * from sqlite_schema').all())).toBe('SQLITE_NOTADB');
      opened.close();
      expect(codeOf(() => open(join(folder, 'none', 'x.db')))).toBe('SQLITE_CANTOPEN');
      expect(codeOf(() => open(join(folder, 'none.db'), { readOnly: true }))).toBe('SQLITE_CANTOPEN');
      expect(existsSync(join(folder, 'none.db'))).toBe(false);
    });

    test('of a page that is ruined, also halfway through', () => {
      const path = newPath();
      const whole = open(path);
      whole.exec('create table t (v)');
      whole.transaction(() => {
        for (let i = 0; i < 2000; i++) whole.prepare('insert into t values (?)').run('x'.repeat(100));
      })();
      whole.close();
      const bytes = readFileSync(path);
      bytes.fill(0xff, 4096 * 30, 4096 * 31);
      writeFileSync(path, bytes);
      const ruined = open(path, { readOnly: true });
      let rows = 0;
      const readAll = () => {
        for (const _row of ruined.prepare('select v from t').iterate()) rows++;
      };
      expect(codeOf(readAll)).toMatch(/^SQLITE_CORRUPT/);
      expect(rows).toBeGreaterThan(100);
      ruined.close();
    });
  });

  describe('files', () => {
    test('of others are read with what is still in their log, and are not written', () => {
      const path = newPath();
      const theirs = open(path);
      theirs.pragma('journal_mode = wal');
      theirs.pragma('wal_autocheckpoint = 0');
      theirs.exec('create table t (v); insert into t values (1)');
      const ours = open(path, { readOnly: true });
      const count = ours.prepare('select count(*) from t').pluck();
      expect(count.get()).toBe(1);
      theirs.exec('insert into t values (2)');
      expect(count.get()).toBe(2);
      expect(codeOf(() => ours.exec('insert into t values (3)'))).toMatch(/^SQLITE_READONLY/);
      ours.close();
      theirs.close();
    });

    test('the last one to close a file leaves no log, whatever is still prepared; closing twice does nothing', () => {
      const path = newPath();
      const first = open(path);
      first.pragma('journal_mode = wal');
      first.exec('create table t (v); insert into t values (1), (2)');
      const rows = first.prepare('select v from t').pluck();
      expect(rows.get()).toBe(1);
      first.close();
      first.close();
      expect([existsSync(`${path}-wal`), existsSync(`${path}-shm`)]).toEqual([false, false]);
      expect(() => rows.get()).toThrow();
      expect(() => first.prepare('select 1')).toThrow();
    });

    test('pragmas give a value or rows', () => {
      db.pragma('user_version = 7');
      expect(db.pragma('user_version', { simple: true })).toBe(7);
      expect(db.pragma('table_info(t)')).toMatchObject([{ name: 'id' }, { name: 'v' }]);
      expect(db.pragma('cache_size', { simple: true })).toBe(-16000);
      expect(db.pragma('busy_timeout', { simple: true })).toBe(5000);
    });

    test('definitions are written only in unsafe mode', () => {
      db.unsafeMode(true);
      db.pragma('writable_schema = on');
      db.exec("update sqlite_schema set sql = replace(sql, 'v any', 'w any')");
      db.pragma('writable_schema = reset');
      expect(db.pragma('table_info(t)')).toMatchObject([{ name: 'id' }, { name: 'w' }]);
    });
  });

  test('the full text that recall uses is there', () => {
    db.exec(
      "create virtual table f using fts5 (a, content = '', contentless_delete = 1, tokenize = 'porter')",
    );
    db.exec("insert into f (rowid, a) values (1, 'running zebras'), (2, 'a yak')");
    const find = db.prepare("select rowid from f where f match 'zebra' and bm25(f) < 0").pluck();
    expect(find.all()).toEqual([1]);
    db.exec('delete from f where rowid = 1');
    expect(find.all()).toEqual([]);
  });

  test('kysely runs on it', async () => {
    interface Tables {
      t: { id: number; v: unknown };
    }
    const query = new Kysely<Tables>({ dialect: new SqliteDialect({ database: db }) });
    const { numInsertedOrUpdatedRows: inserted, insertId } = await query
      .insertInto('t')
      .values([
        { id: 4, v: 'a' },
        { id: 5, v: Buffer.from('b') },
      ])
      .executeTakeFirst();
    expect([inserted, insertId]).toEqual([2n, 5n]);
    expect(await query.selectFrom('t').selectAll().where('id', '>', 4).execute()).toEqual([
      { id: 5, v: Buffer.from('b') },
    ]);
    await expect(
      query.transaction().execute(async (inside) => {
        await sql`delete from t`.execute(inside);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    const streamed: unknown[] = [];
    for await (const row of query.selectFrom('t').select('id').stream()) streamed.push(row);
    expect(streamed).toEqual([{ id: 4 }, { id: 5 }]);
  });
});

test('the engine is named with its version', () => {
  const db = openDatabase(':memory:');
  const { name, sqliteVersion } = readEngine(db);
  expect(name).toMatch(/^(better-sqlite3|node:sqlite)$/);
  expect(sqliteVersion).toMatch(/^3\.\d+\.\d+$/);
  db.close();
});
