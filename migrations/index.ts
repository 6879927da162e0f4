// The list of migrations, oldest first. Static, because a bundled program has no migrations folder to read. A migration
// that was released is never edited.

import type { Kysely } from 'kysely';
import * as createIndex from './0001_create_index.ts';

export interface Migration {
  /** Runs in a transaction. One that takes long looks at the signal now and then; throwing undoes all of it. */
  up(db: Kysely<unknown>, options: { readonly signal?: AbortSignal | undefined }): Promise<void>;
}

export const migrations: readonly Migration[] = [createIndex];
