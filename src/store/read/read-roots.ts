// The Claude folders that the index has seen.

import type Database from 'better-sqlite3';

export function readRoots(db: Database.Database): string[] {
  return db.prepare('select path from root').pluck().all() as string[];
}
