// What was settled for this index and holds for whoever updates it.

import type Database from 'better-sqlite3';

/** Whether secrets are kept out of it. */
export function isRedacting(db: Database.Database): boolean {
  return db.prepare('select is_redacting from setting').pluck().get() === 1;
}
