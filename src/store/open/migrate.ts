// Brings the schema of an index up to date. Loaded only for an index that is new or old, and with it kysely, which a
// search would otherwise load for nothing.

import type Database from 'better-sqlite3';
import { Kysely, Migrator, SqliteDialect } from 'kysely';
import { migrations } from '../../../migrations/index.ts';

/**
 * Kysely's migrator takes neither lock nor transaction on SQLite: two cold starts would collide and a failed one
 * would stick. One immediate transaction around it gives both.
 */
export async function migrate(db: Database.Database, schemaVersion: number): Promise<void> {
  db.exec('begin immediate');
  try {
    const query = new Kysely<unknown>({ dialect: new SqliteDialect({ database: db }) });
    const migrator = new Migrator({
      db: query,
      provider: { getMigrations: async () => ({ ...migrations }) },
    });
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
    db.pragma(`user_version = ${schemaVersion}`);
    db.exec('commit');
  } catch (error) {
    if (db.inTransaction) db.exec('rollback');
    throw error;
  }
}
