// One indexer at a time. The lock is a write transaction held open on a tiny SQLite file beside the index, so the
// system releases it when its holder dies, however it dies. Reading needs no lock.

import { rmSync } from 'node:fs';
import { type Database, openDatabase } from './database.ts';
import { makePrivate } from './open-store.ts';

export interface IndexLock {
  release(): void;
}

export interface LockedByOther {
  /** 0 when it is not known. */
  readonly holderPid: number;
}

export function acquireIndexLock(indexPath: string, pid: number, waitMs: number): IndexLock | LockedByOther {
  const path = `${indexPath}.lock`;
  try {
    return acquire(path, pid, waitMs);
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_NOTADB') throw error;
    // Nothing is lost with a file that is not a lock.
    rmSync(path, { force: true });
    return acquire(path, pid, waitMs);
  }
}

function acquire(path: string, pid: number, waitMs: number): IndexLock | LockedByOther {
  makePrivate(path);
  const db = openDatabase(path, { timeoutMs: waitMs });
  try {
    // Nothing in it is worth waiting for the disk.
    db.pragma('journal_mode = memory');
    db.pragma('synchronous = off');
    // Named first in a transaction of its own, so that those who wait can read who holds the lock.
    db.exec('begin immediate');
    db.pragma(`user_version = ${pid}`);
    db.exec('commit');
    db.exec('begin immediate');
    return { release: () => db.close() };
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') {
      db.close();
      throw error;
    }
    const holderPid = readHolder(db);
    db.close();
    return { holderPid };
  }
}

export function isLocked(lock: IndexLock | LockedByOther): lock is IndexLock {
  return 'release' in lock;
}

function readHolder(db: Database): number {
  try {
    return Number(db.pragma('user_version', { simple: true }));
  } catch {
    return 0;
  }
}
