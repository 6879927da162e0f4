// The words of the index by their stem. Words come and stay: one that stands nowhere any more finds nothing. Only when a
// session is forgotten are they gone through, since a word may tell of it.

import type Database from 'better-sqlite3';
import { toStem } from '../text/words.ts';

export class WordFormWriter {
  private readonly insert: Database.Statement;

  constructor(db: Database.Database) {
    this.insert = db.prepare('insert into word_form (stem, word) values (?, ?) on conflict do nothing');
  }

  add(words: readonly string[]): void {
    for (const word of words) this.insert.run(toStem(word), word);
  }
}

/** Takes away the words that stand nowhere. */
export function dropUnusedForms(db: Database.Database): void {
  const tables = ['message_fts', 'tool_call_fts', 'session_fts'];
  for (const table of tables)
    db.exec(`create virtual table temp.${table}_words using fts5vocab(main, ${table}, row)`);
  const used = tables.map((table) => `select term from temp.${table}_words`).join(' union ');
  db.exec(`delete from word_form where word not in (${used})`);
  for (const table of tables) db.exec(`drop table temp.${table}_words`);
}
