// What tables an index has, asked of the index itself, so that a yardstick follows every change of the schema.

import type Database from 'better-sqlite3';

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The ordinary tables, without SQLite's and the migrator's own. */
export function readTables(db: Database.Database): Table[] {
  return listTables(db, 'table')
    .filter((name) => !/^(sqlite|kysely)_/.test(name))
    .map((name) => ({ name, columns: readColumns(db, name) }));
}

export function listTables(db: Database.Database, type: 'table' | 'virtual'): string[] {
  const tables = db.pragma('table_list') as { schema: string; name: string; type: string }[];
  return tables.filter((table) => table.schema === 'main' && table.type === type).map(({ name }) => name);
}

/** The columns that can be inserted into: none that are generated or hidden. */
export function readColumns(db: Database.Database, table: string): string[] {
  const columns = db.pragma(`table_xinfo("${table}")`) as { name: string; hidden: number }[];
  return columns.filter((column) => column.hidden === 0).map(({ name }) => name);
}
