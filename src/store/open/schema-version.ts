// Which versions of an index this recall can use: the schema, counted by its migrations, and the words made of its text.
// Every command asks, so nothing is loaded for it.

import { UserError } from '../../errors.ts';
import { hint, indexParameter } from '../../hints.ts';
import type { Database } from './database.ts';
import { readWordsVersion, wordsVersion } from './word-tables.ts';

/** The schema version of an up-to-date index, kept in SQLite's user_version: the number of migrations. */
export const schemaVersion = 4;

/** 0 for an empty file. */
export function readSchemaVersion(db: Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/** False for an index that a newer or an older recall has left. */
export function isCurrent(db: Database, latest = schemaVersion): boolean {
  return readSchemaVersion(db) === latest && readWordsVersion(db) === wordsVersion;
}

/** A newer recall may have put anything into the tables, and older words beside newer ones would not be found. */
export function refuseNewer(db: Database, path: string, latest = schemaVersion): void {
  const version = readSchemaVersion(db);
  const isNewer =
    version > latest || (version === latest && version > 0 && readWordsVersion(db) > wordsVersion);
  if (!isNewer) return;
  throw version > latest
    ? toTooNewError(path, `schema ${version}, this one knows ${latest}`)
    : toTooNewError(path, `words ${readWordsVersion(db)}, this one knows ${wordsVersion}`);
}

export function toTooNewError(path: string, versions: string): UserError {
  return new UserError(`the index ${path} was made by a newer recall (${versions})`, {
    code: 'index-too-new',
    hint: hint`update recall, or use another index with ${indexParameter}`,
  });
}
