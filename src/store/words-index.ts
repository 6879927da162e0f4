// The full-text tables as a whole: checking, merging, and building them anew from the stored text.

import type Database from 'better-sqlite3';
import { wordTables } from '../../migrations/0001_create_index.ts';
import type { ExtraTokens } from '../text/words.ts';
import type { Store } from './open-store.ts';

export type ToExtraTokens = (text: string) => ExtraTokens;

const tableNames = Object.keys(wordTables);

/** Merges every segment into one, which drops the words of deleted rows and makes reading cheapest. */
export function optimizeWords(store: Store): void {
  for (const table of tableNames) store.db.exec(`insert into ${table} (${table}) values ('optimize')`);
}

/** What is wrong with the full-text index; empty when it is sound and complete. */
export function checkWords(db: Database.Database): string[] {
  const problems: string[] = [];
  for (const table of tableNames) {
    try {
      db.exec(`insert into ${table} (${table}) values ('integrity-check')`);
    } catch {
      problems.push(`${table} is damaged`);
    }
  }
  const expected: Record<string, string> = {
    message_fts: 'select count(*) from message',
    tool_call_fts: 'select count(*) from tool_call where target is not null',
    session_fts: 'select count(*) from session where is_unsettled = 0',
  };
  for (const [table, sql] of Object.entries(expected)) {
    try {
      const rows = Number(db.prepare(sql).pluck().get());
      const indexed = Number(db.prepare(`select count(*) from ${table}_docsize`).pluck().get());
      if (rows !== indexed) problems.push(`${table} holds ${indexed} of ${rows} rows`);
    } catch {
      problems.push(`${table} cannot be counted`);
    }
  }
  return problems;
}

/** Builds the full-text tables again from the text in the index. Sessions are settled anew by the next update. */
export function rebuildWords(db: Database.Database, toExtraTokens: ToExtraTokens): void {
  const rebuild = db.transaction(() => {
    for (const [table, create] of Object.entries(wordTables)) {
      db.exec(`drop table if exists ${table}`);
      db.exec(create);
    }
    const insertMessage = db.prepare('insert into message_fts (rowid, text, stem, part) values (?, ?, ?, ?)');
    for (const row of rows(db, 'select id, text from message where id > ? order by id limit 1000')) {
      const { stem, part } = toExtraTokens(row.text);
      insertMessage.run(row.id, row.text, stem, part);
    }
    const insertCall = db.prepare('insert into tool_call_fts (rowid, target, part) values (?, ?, ?)');
    const calls =
      'select id, target as text from tool_call where target is not null and id > ? order by id limit 1000';
    for (const row of rows(db, calls)) insertCall.run(row.id, row.text, toExtraTokens(row.text).part);
    db.exec('update session set is_unsettled = 1');
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
