// Brings the schema of an index up to date, one migration after the other. Loaded only for an index that is new or old,
// and with it kysely, which a search would otherwise load for nothing.

import { Kysely, SqliteDialect } from 'kysely';
import { type Migration, migrations } from '../../../migrations/index.ts';
import { type Database, transact } from './database.ts';
import type { UpgradeOptions } from './open-store.ts';
import { createWordTables, readSchemaVersion } from './versions.ts';

/** One immediate transaction each: kysely's own migrator takes neither lock nor transaction on SQLite, and cold starts race. */
export async function migrate(
  db: Database,
  { onProgress, signal }: UpgradeOptions = {},
  list: readonly Migration[] = migrations,
): Promise<void> {
  const query = new Kysely<unknown>({ dialect: new SqliteDialect({ database: db }) });
  const migrateOnce = async () => {
    // Read under the lock: another process may have come first.
    const version = readSchemaVersion(db);
    const next = list[version];
    if (next === undefined) return false;
    const report = (fraction: number) =>
      onProgress?.({ what: 'tables', done: version + fraction, total: list.length });
    report(0);
    await next.up(query, { signal, onProgress: report });
    signal?.throwIfAborted();
    if (version === 0) createWordTables(db);
    db.pragma(`user_version = ${version + 1}`);
    return true;
  };
  do signal?.throwIfAborted();
  while (await transact(db, migrateOnce));
}
