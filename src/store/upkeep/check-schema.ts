// Whether the tables of an index are those that recall makes. SQLite's own check does not look at their names and columns.

import Database from 'better-sqlite3';
import { migrate } from '../open/migrate.ts';

/** What differs from a new index; empty when nothing does. */
export async function checkSchema(db: Database.Database): Promise<string[]> {
  const fresh = new Database(':memory:');
  try {
    await migrate(fresh);
    const here = readSchema(db);
    return [...readSchema(fresh)]
      .filter(([name, sql]) => here.get(name) !== sql)
      .map(([name]) => `the definition of ${name} is not as it was made`);
  } finally {
    fresh.close();
  }
}

function readSchema(db: Database.Database): Map<string, string | null> {
  const rows = db.prepare("select name, sql from sqlite_schema where name not like 'sqlite_%'").raw().all();
  return new Map(rows as [string, string | null][]);
}
