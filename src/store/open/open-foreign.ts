// Opens another program's database, only to be read: its owner may be writing to it, is never waited for long and never kept
// waiting. SQLite may leave empty -wal and -shm files beside it.

import type { ForeignDatabase } from '../../batch.ts';
import { openDatabase } from './database.ts';

/** How long a statement waits for the owner. */
const busyTimeoutMs = 500;

/** Throws where it is no database, or cannot be opened. */
export function openForeign(path: string): ForeignDatabase {
  const db = openDatabase(path, { readOnly: true, timeoutMs: busyTimeoutMs });
  return {
    all: (sql, ...values) => db.prepare(sql).all(...values) as Record<string, unknown>[],
    close: () => db.close(),
  };
}
