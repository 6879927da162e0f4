// The tables of words. They hold only the word index: text is stored once, in message.text, and a contentless table can
// still delete a row by its id. Since they can be rebuilt from the stored text, they are not part of a migration: when
// their definition or the making of words changes, `wordsVersion` rises, and whoever opens the index next rebuilds them.

import type { Database } from './database.ts';

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
const gatherWords = `insert into message_fts (message_fts, rank) values ('hashsize', ${8 * 1024 * 1024})`;

/** Empty tables of the current version, in place of those there are. */
export function createWordTables(db: Database): void {
  for (const [table, create] of Object.entries({ ...wordTables, word_form: formTable })) {
    db.exec(`drop table if exists ${table}`);
    db.exec(create);
  }
  db.exec(gatherWords);
  db.prepare(
    `insert into setting (id, is_redacting, words_version) values (1, 0, ?)
    on conflict (id) do update set words_version = excluded.words_version`,
  ).run(wordsVersion);
}

/** 0 where it is not known. */
export function readWordsVersion(db: Database): number {
  return Number(db.prepare('select words_version from setting').pluck().get() ?? 0);
}
