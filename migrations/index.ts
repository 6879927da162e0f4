// The list of migrations, oldest first. Static, because a bundled program has no migrations folder to read.

import type { Migration } from 'kysely';
import * as createIndex from './0001_create_index.ts';

export const migrations: Readonly<Record<string, Migration>> = {
  '0001_create_index': createIndex,
};
