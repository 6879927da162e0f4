// Opens the index: makes the file private, brings its schema up to date, and says plainly when it cannot be used; and locks it
// for whoever writes. Everyone who reads or writes the index comes through here.

import { chmodSync, closeSync, existsSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Migration } from '../../../migrations/index.ts';
import { toReason, UserError } from '../../errors.ts';
import { hint, indexParameter } from '../../hints.ts';
import { type Database, openDatabase } from './database.ts';
import { notAnIndex, toStoreError } from './store-error.ts';
import { isCurrent, readSchemaVersion, refuseNewer, schemaVersion } from './versions.ts';

export interface Store {
  readonly path: string;
  readonly db: Database;
  close(): void;
}

/** First the tables, then their words. */
export interface UpgradeProgress {
  readonly what: 'tables' | 'words';
  readonly done: number;
  readonly total: number;
}

export interface UpgradeOptions {
  readonly onProgress?: ((progress: UpgradeProgress) => void) | undefined;
  /** Aborting leaves the index as it was before the step at hand. */
  readonly signal?: AbortSignal | undefined;
}

export interface OpenOptions {
  /** Runs the upgrade of an older index under the lock, with progress. Absent where the caller holds the lock. */
  readonly upgrade?: (run: (options: UpgradeOptions) => Promise<void>) => Promise<void>;
  /** In place of recall's own, so that tests can upgrade to a version that does not exist yet. */
  readonly migrations?: readonly Migration[];
}

const busyTimeoutMs = 10_000;

export async function withStore<T>(
  path: string,
  use: (store: Store) => T | Promise<T>,
  options: OpenOptions = {},
): Promise<T> {
  const store = await openStore(path, options);
  try {
    return await use(store);
  } finally {
    store.close();
  }
}

export async function openStore(path: string, { upgrade, migrations }: OpenOptions = {}): Promise<Store> {
  refuseOtherThanFile(path);
  if (!existsSync(path)) makePrivate(path);
  const db = connect(path);
  try {
    refuseForeign(db, path);
    // Not before it is known to be ours: a file named by mistake keeps its permissions.
    makePrivate(path);
    const latest = migrations?.length ?? schemaVersion;
    refuseNewer(db, path, latest);
    const isNew = readSchemaVersion(db) === 0;
    // Messages average some hundred bytes to a few thousand: larger pages waste less of the file (12% on chat text).
    if (isNew) db.pragma('page_size = 8192');
    useWriteAheadLog(db);
    db.pragma('synchronous = normal');
    // Rows are tied together by their ids; checking each deletion would scan every message of the index.
    db.pragma('foreign_keys = off');
    if (isNew || !isCurrent(db, latest)) {
      const run = (options: UpgradeOptions = {}) => bringUpToDate(db, options, migrations);
      await (isNew || upgrade === undefined ? run() : upgrade(run));
      // Another process, of a newer recall, may have been quicker.
      refuseNewer(db, path, latest);
    }
    return { path, db, close: () => db.close() };
  } catch (error) {
    db.close();
    throw toStoreError(error, path);
  }
}

async function bringUpToDate(
  db: Database,
  options: UpgradeOptions,
  migrations: readonly Migration[] | undefined,
): Promise<void> {
  const { migrate } = await import('./migrate.ts');
  await migrate(db, options, migrations);
  if (isCurrent(db, readSchemaVersion(db))) return;
  const { rebuildWords } = await import('../upkeep/words-index.ts');
  await rebuildWords(db, options);
}

/** An index that exists and is up to date, only to be read; null when there is none. Makes no index and waits for nobody. */
export function openForReading(path: string): Store | null {
  if (!existsSync(path)) return null;
  const db = openDatabase(path, { readOnly: true, timeoutMs: 100 });
  if (readSchemaVersion(db) === schemaVersion) return { path, db, close: () => db.close() };
  db.close();
  return null;
}

/** File 0600, and recall's own folder 0700, also when they existed with wider permissions. */
function makePrivate(path: string): void {
  const folder = dirname(path);
  try {
    makeFolder(folder);
    if (basename(folder) === 'recall') narrow(folder, 0o700);
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    for (const file of [path, `${path}-wal`, `${path}-shm`]) narrow(file, 0o600);
  } catch (error) {
    throw new UserError(`the index ${path} cannot be created: ${toReason(error)}`, {
      code: 'index-unusable',
      hint: hint`choose another place with ${indexParameter} or RECALL_DB`,
      cause: error,
    });
  }
}

/** As mkdir does with `recursive`, which never ends in a place such as /proc. */
function makeFolder(path: string): void {
  try {
    makeOne(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    makeOne(path);
  }
}

/** Another recall may be making it at the same moment. */
function makeOne(path: string): void {
  try {
    mkdirSync(path, 0o700);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
  }
}

function refuseOtherThanFile(path: string): void {
  // If this fails, opening the file fails too, and reports it.
  const found = existsSync(path) ? statSync(path, { throwIfNoEntry: false }) : undefined;
  if (found === undefined || found.isFile()) return;
  const what = found.isDirectory() ? 'a folder' : 'not a file';
  throw new UserError(`${path} is ${what}, so it cannot be the index`, {
    code: 'not-an-index',
    hint: hint`name a file with ${indexParameter} or RECALL_DB`,
  });
}

/** The log and its index come and go with the connections of other processes. */
function narrow(path: string, mode: number): void {
  try {
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function connect(path: string): Database {
  try {
    return openDatabase(path, { timeoutMs: busyTimeoutMs });
  } catch (error) {
    throw toStoreError(error, path);
  }
}

/** Tables that every index has. Other programs have some of them too, and damage may hide one. */
const ownTables = ['transcript', 'project', 'session', 'message', 'tool_call', 'tombstone', 'message_fts'];

/** A database that holds something else: another program's, which is not to be written into. */
function refuseForeign(db: Database, path: string): void {
  const tables = db.prepare("select name from sqlite_schema where type = 'table'").pluck().all();
  // In this order: another process may be making the tables, and they come together with the version.
  const isOurs = readSchemaVersion(db) > 0 && ownTables.filter((name) => tables.includes(name)).length > 3;
  if (tables.length === 0 || isOurs) return;
  throw notAnIndex(`${path} is a database, but not an index of recall`);
}

/** SQLite does not wait for others when it changes the journal mode, so several cold starts take turns here. */
function useWriteAheadLog(db: Database): void {
  const deadline = Date.now() + busyTimeoutMs;
  for (;;) {
    try {
      if (db.pragma('journal_mode', { simple: true }) !== 'wal') db.pragma('journal_mode = wal');
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== 'SQLITE_BUSY' || Date.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

export interface IndexLock {
  release(): void;
}

export interface LockedByOther {
  /** 0 when it is not known. */
  readonly holderPid: number;
}

/** A write transaction held open on a tiny SQLite file, so the system releases it when its holder dies, however it dies. */
export function acquireIndexLock(indexPath: string, pid: number, waitMs: number): IndexLock | LockedByOther {
  const path = `${indexPath}.lock`;
  try {
    return acquire(path, pid, waitMs);
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_NOTADB') throw error;
    // The file is not a lock, and holds nothing of value.
    rmSync(path, { force: true });
    return acquire(path, pid, waitMs);
  }
}

function acquire(path: string, pid: number, waitMs: number): IndexLock | LockedByOther {
  makePrivate(path);
  const db = openDatabase(path, { timeoutMs: waitMs });
  try {
    // A lock does not have to survive a crash, so there is no need to wait for the disk.
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
