// What SQLite says reaches a person as something to act on.

import { describe, expect, test } from 'vitest';
import { UserError } from '../../src/errors.ts';
import { toStoreError } from '../../src/store/store-error.ts';

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
  ])('%s is told as %s, with something to do', (code, told) => {
    const error = said(code);
    expect(error).toBeInstanceOf(UserError);
    expect(error).toMatchObject({ code: told });
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
    expect(error).toMatchObject({ code: 'index-damaged', hint: 'recall doctor --repair' });
  });

  test('anything else stays as it is', () => {
    expect(said('SQLITE_ERROR')).toMatchObject({ message: 'as SQLite puts it' });
    const other = new TypeError('ours');
    expect(toStoreError(other, '/i.db')).toBe(other);
  });
});
