// What SQLite says reaches a person as something to act on.

import { describe, expect, test } from 'vitest';
import { UserError } from '../../../src/errors.ts';
import { recall } from '../../../src/hints.ts';
import { openDatabase } from '../../../src/store/open/database.ts';
import { toStoreError } from '../../../src/store/open/store-error.ts';
import { wordTables } from '../../../src/store/open/versions.ts';

/** What goes wrong when words are looked for, after their table's definition in the file has become this; null when nothing does. */
function askAfterDamage(definition: string): unknown {
  const db = openDatabase(':memory:');
  db.exec(wordTables.message_fts);
  db.unsafeMode(true);
  db.pragma('writable_schema = on');
  db.prepare("update sqlite_schema set sql = ? where name = 'message_fts'").run(definition);
  // Reads the definitions again, as if the file had just been opened.
  db.pragma('writable_schema = reset');
  try {
    db.prepare("select rowid from message_fts where message_fts match 'word'").all();
    return null;
  } catch (error) {
    return error;
  } finally {
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
    const missing = Object.assign(new Error("Cannot find module './chunk.cjs'"), {
      code: 'MODULE_NOT_FOUND',
    });
    expect(toStoreError(missing, '/i.db')).toBe(missing);
  });
});
