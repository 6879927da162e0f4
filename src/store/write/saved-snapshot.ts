// Keeps what each root looked like when it was last indexed as a whole. It is removed in the first transaction that
// changes anything and saved again when all is done, so a snapshot that exists is true.

import type { Database } from '../open/database.ts';

type SavedSnapshot = Readonly<Record<'names' | 'stamps', Buffer>>;

/** Undefined when there is none, or when it was made by a recall that read files differently. */
export function readSnapshot(db: Database, rootId: number, parserVersion: number): SavedSnapshot | undefined {
  const sql = 'select names, stamps from snapshot where root_id = ? and parser_version = ?';
  return db.prepare(sql).get(rootId, parserVersion) as SavedSnapshot | undefined;
}

export function saveSnapshot(
  db: Database,
  rootId: number,
  parserVersion: number,
  { names, stamps }: SavedSnapshot,
): void {
  db.prepare('insert or replace into snapshot values (?, ?, ?, ?)').run(rootId, parserVersion, names, stamps);
}

export function dropSnapshot(db: Database, rootId: number): void {
  db.prepare('delete from snapshot where root_id = ?').run(rootId);
}

/** Undefined for a root that was never indexed. `machineId` is 0 for this machine. */
export function findRootId(db: Database, agent: string, path: string, machineId = 0): number | undefined {
  const sql = 'select id from root where agent = ? and path = ? and machine_id = ?';
  return db.prepare(sql).pluck().get(agent, path, machineId) as number | undefined;
}
