// Which versions of an index this recall can use: the schema, counted by its migrations, and the tables of words. These hold
// only the word index and can be rebuilt from the stored text, so they are not part of a migration: when their definition or
// the making of words changes, `wordsVersion` rises, and whoever opens the index next rebuilds them. Every command asks here,
// so nothing is loaded for it.

import { UserError } from '../../errors.ts';
import { hint, indexParameter } from '../../hints.ts';
import type { Database } from './database.ts';

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

/** Raise it when a table here changes, or when text/words.ts makes other words from the same text. */
export const wordsVersion = 2;

/** message_fts.text is the text itself, split by unicode61; the parts of identifiers are a column of their own. */
export const wordTables = {
  message_fts: `create virtual table message_fts using fts5 (
    text, part,
    content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  )`,
  tool_call_fts: `create virtual table tool_call_fts using fts5 (
    target, part,
    content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  )`,
  session_fts: `create virtual table session_fts using fts5 (
    title, summary, first_prompt, context, part,
    content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  )`,
} as const;

/**
 * The words of each stem, where they differ from it; a query asks for all of them. As a column of message_fts, stems were a
 * quarter of the entries of the full-text index.
 */
const formTable = `create table word_form (
    stem text not null,
    word text not null,
    primary key (stem, word)
  ) strict, without rowid`;

/**
 * FTS5 gathers this much before it writes a segment. With its usual megabyte a first index wrote most words several
 * times: 2.0 s instead of 1.3 s for 20 MB of text. More than this gains nothing.
 */
const gather = (table: string) =>
  `insert into ${table} (${table}, rank) values ('hashsize', ${8 * 1024 * 1024})`;

/** Empty tables of the current version, in place of those there are. */
export function createWordTables(db: Database): void {
  for (const [table, create] of Object.entries({ ...wordTables, word_form: formTable })) {
    db.exec(`drop table if exists ${table}`);
    db.exec(create);
  }
  db.exec(gather('message_fts'));
  db.prepare(
    `insert into setting (id, is_redacting, words_version) values (1, 0, ?)
    on conflict (id) do update set words_version = excluded.words_version`,
  ).run(wordsVersion);
}

/**
 * The words of tools, as a migration made them, in place of those there are. Apart, because those of texts that were never
 * stored cannot be built again.
 */
export function createWorkWords(db: Database): void {
  db.exec('drop table if exists work_fts');
  db.exec(workTable);
  db.exec(gather('work_fts'));
}

/** To the letter: doctor compares it with that of a new index. */
const workTable = `create virtual table work_fts using fts5 (
    text, part,
    content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  )`;

/** 0 where it is not known. */
function readWordsVersion(db: Database): number {
  return Number(db.prepare('select words_version from setting').pluck().get() ?? 0);
}
