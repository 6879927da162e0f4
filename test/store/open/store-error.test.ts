// What SQLite says reaches a person as something to act on.

import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../src/errors.ts';
import { recall } from '../../../src/hints.ts';
import { toNativeError, toStoreError } from '../../../src/store/open/store-error.ts';
import { wordTables } from '../../../src/store/open/word-tables.ts';

/** What goes wrong when words are looked for, after their table's definition in the file has become this; null when nothing does. */
function askAfterDamage(definition: string): unknown {
  const db = new Database(':memory:');
  db.exec(wordTables.message_fts);
  db.unsafeMode();
  db.pragma('writable_schema = on');
  db.prepare("update sqlite_schema set sql = ? where name = 'message_fts'").run(definition);
  db.unsafeMode(false);
  const damaged = new Database(db.serialize());
  try {
    damaged.prepare("select rowid from message_fts where message_fts match 'word'").all();
    return null;
  } catch (error) {
    return error;
  } finally {
    damaged.close();
    db.close();
  }
}

describe('what SQLite says', () => {
  const said = (code: string) =>
    toStoreError(Object.assign(new Error('as SQLite puts it'), { code }), '/i.db');

  test.each([
    ['SQLITE_CORRUPT', 'index-damaged'],
    ['SQLITE_CORRUPT_VTAB', 'index-damaged'],
    ['SQLITE_NOTADB', 'index-damaged'],
    ['SQLITE_BUSY', 'index-busy'],
    ['SQLITE_BUSY_SNAPSHOT', 'index-busy'],
    ['SQLITE_FULL', 'index-unusable'],
    ['SQLITE_READONLY_DIRECTORY', 'index-unusable'],
    ['SQLITE_CANTOPEN', 'index-unusable'],
    ['SQLITE_IOERR_WRITE', 'index-unusable'],
  ])('%s is reported as %s, with something to do', (code, reported) => {
    const error = said(code);
    expect(error).toBeInstanceOf(UserError);
    expect(error).toMatchObject({ code: reported });
    expect((error as UserError).message).toContain('/i.db');
    expect((error as UserError).hint).not.toBeUndefined();
  });

  test.each([
    'no such column: sesshon_id',
    'no such table: message',
    'unsupported file format',
    'invalid fts5 file format (found 0)',
  ])('tables that are not as they were made are damage: %s', (message) => {
    const error = toStoreError(Object.assign(new Error(message), { code: 'SQLITE_ERROR' }), '/i.db');
    expect(error).toMatchObject({ code: 'index-damaged', hint: [recall('doctor', '--repair')] });
  });

  test('whichever letter of the definition of the words is another, it is damage or does no harm', () => {
    const { message_fts: definition } = wordTables;
    const messages = new Set<string>();
    for (let at = 0; at < definition.length; at++) {
      for (const bit of [1, 4, 64]) {
        const letter = String.fromCharCode(definition.charCodeAt(at) ^ bit);
        const error = askAfterDamage(definition.slice(0, at) + letter + definition.slice(at + 1));
        if (error === null) continue;
        const said = toStoreError(error, '/i.db');
        expect(said, String(error)).toMatchObject({ code: 'index-damaged' });
        messages.add((said as Error).message);
      }
    }
    expect([...messages].join()).toContain('tokenizer');
  });

  test('anything else stays as it is', () => {
    expect(said('SQLITE_ERROR')).toMatchObject({ message: 'as SQLite puts it' });
    const other = new TypeError('ours');
    expect(toStoreError(other, '/i.db')).toBe(other);
  });
});

const notFound = (place: string) =>
  Object.assign(new Error("Cannot find module 'better-sqlite3/build/Release/better_sqlite3.node'"), {
    code: 'MODULE_NOT_FOUND',
    requireStack: [place],
  });
const notLoaded = (message: string) => Object.assign(new Error(message), { code: 'ERR_DLOPEN_FAILED' });
const native = 'node_modules/better-sqlite3/build/Release/better_sqlite3.node';
const otherVersion = (place: string) =>
  notLoaded(
    `The module '${place}'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 127.`,
  );

describe('a native half that cannot be loaded, with the command that builds it', () => {
  test.each([
    [
      notFound('/usr/local/lib/node_modules/recall-sessions/dist/recall.cjs'),
      'npm rebuild -g better-sqlite3',
    ],
    [otherVersion(`/usr/lib/node_modules/recall-sessions/${native}`), 'npm rebuild -g better-sqlite3'],
    [
      otherVersion(`C:\\Users\\a b\\AppData\\Roaming\\npm\\node_modules\\recall-sessions\\${native}`),
      'npm rebuild -g better-sqlite3',
    ],
    [notLoaded(`/src/recall/${native}: file too short`), "npm rebuild --prefix '/src/recall' better-sqlite3"],
    [
      notFound('/src/dist/my recall/dist/recall.cjs'),
      "npm rebuild --prefix '/src/dist/my recall' better-sqlite3",
    ],
    [notFound("/it's/dist/recall.cjs"), "npm rebuild --prefix '/it'\\''s' better-sqlite3"],
    [
      notFound('/home/u/app/node_modules/recall-sessions/dist/recall.cjs'),
      "npm rebuild --prefix '/home/u/app' better-sqlite3",
    ],
    [
      notFound('/home/u/pnpm/.pnpm/recall-sessions@1/node_modules/recall-sessions/dist/recall.cjs'),
      'install recall again and let better-sqlite3 run its install script',
    ],
    [notLoaded('no path at all'), 'npm rebuild -g better-sqlite3'],
  ])('%s', (error, hint) => {
    expect(toNativeError(error, '20.20.2')).toMatchObject({
      message: 'better-sqlite3 is not built for this Node (20.20.2)',
      code: 'no-sqlite',
      hint,
      exitCode: 2,
    });
  });

  test('also where the index is opened', () => {
    expect(toStoreError(notFound('/a/dist/recall.cjs'), '/i.db')).toMatchObject({ code: 'no-sqlite' });
  });
});

test('another module that is missing is our fault', () => {
  const error = Object.assign(new Error("Cannot find module './chunk.cjs'"), { code: 'MODULE_NOT_FOUND' });
  expect(toNativeError(error, '20.20.2')).toBeNull();
  expect(toStoreError(error, '/i.db')).toBe(error);
});
