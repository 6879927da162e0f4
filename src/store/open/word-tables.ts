// The full-text tables. They hold only the word index: text is stored once, in message.text, and a contentless table can
// still delete a row by its id. Since they can be rebuilt from the stored text, they are no part of a migration: when
// their definition or the making of words changes, `wordsVersion` rises and the next index run builds them again.

import type Database from 'better-sqlite3';

/** Raise it when a table here changes, or when text/words.ts makes other words of the same text. */
export const wordsVersion = 1;

/**
 * message_fts.text is the text itself, split by unicode61; the parts of identifiers are a column of their own. Stems are
 * not in it: word_form names the words of each stem, and a query asks for all of them. As a column of their own they
 * were a quarter of the entries of the full-text index.
 */
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
 * FTS5 gathers this much before it writes a segment. With its usual megabyte a first index wrote most words several
 * times: 2.0 s instead of 1.3 s for 20 MB of text. More than this gains nothing.
 */
const gatherWords = `insert into message_fts (message_fts, rank) values ('hashsize', ${8 * 1024 * 1024})`;

/** Empty tables of the current version, in place of those there are. */
export function createWordTables(db: Database.Database): void {
  for (const [table, create] of Object.entries(wordTables)) {
    db.exec(`drop table if exists ${table}`);
    db.exec(create);
  }
  db.exec(gatherWords);
  db.prepare('update setting set words_version = ?').run(wordsVersion);
}

/** False for an index whose words were made by an older recall. */
export function hasCurrentWords(db: Database.Database): boolean {
  return db.prepare('select words_version from setting').pluck().get() === wordsVersion;
}
