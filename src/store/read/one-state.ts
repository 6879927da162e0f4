// Another process may write between two statements of an answer: without a transaction, the second one would not find what
// the first one named.

import type { Store } from '../open/open-store.ts';

/** Everything that `read` asks for is of one state of the index. It must not write, nor wait for anything. */
export function inOneState<T>({ db }: Store, read: () => T): T {
  if (db.inTransaction) return read();
  // Not db.transaction, for which better-sqlite3 first prepares nine statements: 0.2 ms of a search.
  db.exec('begin');
  try {
    return read();
  } finally {
    // After some errors SQLite has ended it already.
    if (db.inTransaction) db.exec('commit');
  }
}
