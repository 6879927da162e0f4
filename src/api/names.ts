// The names that complete what is being typed. It only reads what is indexed: it creates no index, waits for
// nobody and reports no errors.

import { openForReading } from '../store/open/open-store.ts';
import { type Named, readProjectNames, readSessionNames } from '../store/read/sessions.ts';

export function findNames(indexPath: string, what: 'sessions' | 'projects', typed: string): readonly Named[] {
  try {
    const store = openForReading(indexPath);
    if (store === null) return [];
    try {
      return what === 'projects' ? readProjectNames(store.db) : readSessionNames(store.db, typed);
    } finally {
      store.close();
    }
  } catch {
    return [];
  }
}
