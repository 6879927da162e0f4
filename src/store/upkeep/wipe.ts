// Leaves no byte of what was deleted or overwritten in the file.

import type { Store } from '../open/open-store.ts';
import { dropUnusedForms } from '../write/word-forms.ts';
import { optimizeWords } from './words-index.ts';

/**
 * 1. Merging the full-text segments drops the words of deleted rows from them, and words that occur nowhere are removed.
 * 2. Older versions of pages may lie in free pages from before; only a new file is without them.
 * 3. The write-ahead log is emptied into it.
 *
 * False when another process kept the log, which still holds older pages, from being emptied.
 */
export function wipe(store: Store): boolean {
  const { db } = store;
  optimizeWords(store);
  dropUnusedForms(db);
  db.exec('vacuum');
  const [checkpoint] = db.pragma('wal_checkpoint(truncate)') as { busy: number }[];
  db.pragma('secure_delete = off');
  return checkpoint?.busy === 0;
}
