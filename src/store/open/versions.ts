// Which versions of an index this recall can use: the schema, counted by its migrations, and the tables of words. These hold
// only the word index and can be rebuilt from the stored text, so they are not part of a migration: when their definition or
// the making of words changes, `wordsVersion` rises, and whoever opens the index next rebuilds them. Every command asks here,
// so nothing is loaded for it.

import { UserError } from '../../errors.ts';
import { hint, indexParameter } from '../../hints.ts';
import type { Database } from './database.ts';

/** The schema version of an up-to-date index, kept in SQLite's user_version: the number of migrations. */
export const schemaVersion = 8;

/** 0 for an empty file. */
export function readSchemaVersion(db: Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

export function isCurrent(db: Database, latest = schemaVersion): boolean {
  return readSchemaVersion(db) === latest && readWordsVersion(db) === wordsVersion;
}

/** A newer recall may have put anything into the tables, and older words beside newer ones would not be found. */
export function refuseNewer(db: Database, path: string, latest = schemaVersion): void {
  const version = readSchemaVersion(db);
  if (version > latest) throw toTooNewError(path, `schema ${version}, this one knows ${latest}`);
  const words = version === latest && version > 0 ? readWordsVersion(db) : 0;
  if (words > wordsVersion) throw toTooNewError(path, `words ${words}, this one knows ${wordsVersion}`);
}

export function toTooNewError(path: string, versions: string): UserError {
  return new UserError(`the index ${path} was made by a newer recall (${versions})`, {
    code: 'index-too-new',
    hint: hint`update recall, or use another index with ${indexParameter}`,
  });
}

/** Raise it when a table here changes, or when text/words.ts makes other words from the same text. */
export const wordsVersion = 3;

/** The same to the last space as what is there and in the migrations: doctor compares definitions. */
const createFts = (table: string, columns: string) => `create virtual table ${table} using fts5 (
    ${columns},
    content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  )`;

/** message_fts.text is the text itself, split by unicode61; the parts of identifiers are a column of their own. */
export const wordTables = {
  message_fts: createFts('message_fts', 'text, part'),
  tool_call_fts: createFts('tool_call_fts', 'target, part'),
  session_fts: createFts('session_fts', 'title, summary, first_prompt, context, part'),
} as const;

/** A query asks for all words of a stem. As a column of message_fts, stems were a quarter of the full-text index. */
const formTable = `create table word_form (
    stem text not null,
    word text not null,
    primary key (stem, word)
  ) strict, without rowid`;

/** With FTS5's usual megabyte a first index wrote most words several times: 2.0 s instead of 1.3 s for 20 MB of text. */
const gather = (table: string) =>
  `insert into ${table} (${table}, rank) values ('hashsize', ${8 * 1024 * 1024})`;

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

/** Apart, because the words of tool texts that were never stored cannot be built again. */
export function createToolTextWords(db: Database): void {
  db.exec('drop table if exists work_fts');
  db.exec(createFts('work_fts', 'text, part'));
  db.exec(gather('work_fts'));
}

function readWordsVersion(db: Database): number {
  return Number(db.prepare('select words_version from setting').pluck().get() ?? 0);
}
