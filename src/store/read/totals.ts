// How much the index holds. Kept as one row, because counting would walk through every session at every search.

import type Database from 'better-sqlite3';

export interface IndexTotals {
  readonly sessions: number;
  /** Sessions in which something was said. */
  readonly spokenSessions: number;
  readonly messages: number;
  readonly textChars: number;
}

export function readTotals(db: Database.Database): IndexTotals {
  return db
    .prepare(
      'select sessions, spoken_sessions as spokenSessions, messages, text_chars as textChars from total',
    )
    .get() as IndexTotals;
}

/** The lowest and the highest id of a session: from the oldest to the newest. */
export interface SessionSpan {
  readonly first: number;
  readonly last: number;
}

export function readSessionSpan(db: Database.Database): SessionSpan {
  return db
    .prepare(
      'select coalesce((select min(id) from session), 0) as first, coalesce((select max(id) from session), 0) as last',
    )
    .get() as SessionSpan;
}

/** Counts anew; called in the transaction that settles the last session. */
export function saveTotals(db: Database.Database): void {
  db.exec(`
    insert or replace into total
    select 1, count(*), coalesce(sum(message_count > 0), 0), coalesce(sum(message_count), 0), coalesce(sum(text_chars), 0)
    from session indexed by session_size`);
}
