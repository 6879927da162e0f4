// The full-text tables as a whole: checking, merging, and building them anew from the stored text.

import type Database from 'better-sqlite3';
import { toPartTokens, toSearchable, WordForms } from '../../text/words.ts';
import type { Store } from '../open/open-store.ts';
import { createWordTables, wordTables } from '../open/word-tables.ts';
import { WordFormWriter } from '../write/word-forms.ts';

const tableNames = Object.keys(wordTables);

/** Merges every segment into one, which drops the words of deleted rows and makes reading cheapest. */
export function optimizeWords(store: Store): void {
  for (const table of tableNames) store.db.exec(`insert into ${table} (${table}) values ('optimize')`);
}

/** What is wrong with the full-text index; empty when it is sound and complete. */
export function checkWords(db: Database.Database): string[] {
  return [
    ...tableNames.flatMap((table) => (isSound(db, table) ? [] : [`${table} is damaged`])),
    ...checkRows(db),
  ];
}

function isSound(db: Database.Database, table: string): boolean {
  try {
    db.exec(`insert into ${table} (${table}) values ('integrity-check')`);
    return true;
  } catch (error) {
    // Busy, read-only or full says nothing about the words; a table that is not there does.
    const code = String((error as { code?: string }).code);
    if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_ERROR') return false;
    throw error;
  }
}

/** What should have a row of words, by table. */
const expectedRows: Readonly<Record<string, string>> = {
  message_fts: 'select id from message',
  tool_call_fts: 'select id from tool_call where target is not null',
  session_fts: 'select id from session where is_unsettled = 0',
};

/** In one transaction, so that an indexer at work is seen either before or after a change. */
function checkRows(db: Database.Database): string[] {
  const check = db.transaction(() =>
    Object.entries(expectedRows).flatMap(([table, expected]) => {
      const count = (sql: string) => Number(db.prepare(`select count(*) from (${sql})`).pluck().get());
      try {
        const missing = count(`${expected} except select id from ${table}_docsize`);
        // A session that waits to be settled may still have the words it had.
        const known = table === 'session_fts' ? 'select id from session' : expected;
        const left = count(`select id from ${table}_docsize except ${known}`);
        return [
          ...(missing === 0 ? [] : [`${table} lacks ${missing} rows`]),
          ...(left === 0 ? [] : [`${table} has ${left} rows too many`]),
        ];
      } catch {
        return [`${table} cannot be counted`];
      }
    }),
  );
  return check();
}

/** Builds the full-text tables again from the text in the index. Sessions are settled anew by the next update. */
export function rebuildWords(db: Database.Database): void {
  const rebuild = db.transaction(() => {
    createWordTables(db);
    const forms = new WordForms();
    const formWriter = new WordFormWriter(db);
    const insertMessage = db.prepare('insert into message_fts (rowid, text, part) values (?, ?, ?)');
    for (const row of rows(db, 'select id, text from message where id > ? order by id limit 1000')) {
      insertMessage.run(row.id, toSearchable(row.text), toPartTokens(row.text, forms));
      formWriter.add(forms.take());
    }
    const insertCall = db.prepare('insert into tool_call_fts (rowid, target, part) values (?, ?, ?)');
    const calls =
      'select id, target as text from tool_call where target is not null and id > ? order by id limit 1000';
    for (const row of rows(db, calls)) insertCall.run(row.id, row.text, toPartTokens(row.text, forms));
    formWriter.add(forms.take());
    // Left for the next update, which must not think that it has nothing to do.
    db.exec('update session set is_unsettled = 1; delete from snapshot');
  });
  rebuild.immediate();
}

/** In pages, because better-sqlite3 allows no write while a statement is being stepped through. */
function* rows(db: Database.Database, sql: string): Generator<{ id: number; text: string }> {
  const page = db.prepare(sql);
  let last = 0;
  for (;;) {
    const found = page.all(last) as { id: number; text: string }[];
    if (found.length === 0) return;
    yield* found;
    last = found.at(-1)?.id ?? last;
  }
}
