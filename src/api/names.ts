// The names that may be meant by what is being typed, for completion. It reads what is indexed and no more: no index is
// made, nobody is waited for, and there is nothing to say when something is wrong.

import { openForReading } from '../store/open/open-store.ts';
import { readProjectNames, readSessionNames } from '../store/read/read-names.ts';

export interface Name {
  readonly value: string;
  readonly description: string;
}

export function findNames(indexPath: string, what: 'sessions' | 'projects', typed: string): readonly Name[] {
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
