// The tables of OpenCode's database that recall reads, and whether they are as it knows them.

import type { ForeignDatabase } from '../../batch.ts';

export const databaseName = 'opencode.db';

const needed = {
  session: ['id', 'directory', 'time_created', 'time_updated'],
  message: ['id', 'session_id', 'time_created', 'data'],
  part: ['id', 'message_id', 'data'],
} as const;

/** What is missing of the tables as they are known; null when nothing is. */
export function findUnknown(db: ForeignDatabase): string | null {
  for (const [table, columns] of Object.entries(needed)) {
    const found = new Set(readColumns(db, table));
    const missing = columns.find((column) => !found.has(column));
    if (found.size === 0) return `it has no table ${table}`;
    if (missing !== undefined) return `its table ${table} has no column ${missing}`;
  }
  return null;
}

export function readColumns(db: ForeignDatabase, table: string): string[] {
  return db.all('select name from pragma_table_info(?)', table).map(({ name }) => String(name));
}

/** SQL for a column that not every version has. */
export function optional(columns: readonly string[], name: string): string {
  return columns.includes(name) ? name : `null as ${name}`;
}
