// The one way to SQLite, for the index and for files of other programs. better-sqlite3 is the engine of choice; where its
// native half cannot be loaded or is not safe, node:sqlite takes its place with the same results. Nobody else names either of them.

import { existsSync } from 'node:fs';
import BetterSqlite from 'better-sqlite3';
import type { ForeignDatabase } from '../../batch.ts';
import { isFile } from '../../open-file.ts';
import { loadNodeSqlite, type OpenNodeSqlite } from './node-sqlite.ts';
import { toNativeError } from './store-error.ts';

/** What recall uses of better-sqlite3, whose own objects are handed out. */
export interface Database {
  readonly inTransaction: boolean;
  prepare(sql: string): Statement;
  exec(sql: string): unknown;
  /** The rows of the answer; `simple` gives the first value instead. */
  pragma(text: string, options?: { readonly simple?: boolean }): unknown;
  /** All or nothing of what `run` does; inside another transaction, a savepoint. */
  transaction<Given extends unknown[], T>(run: (...given: Given) => T): Transaction<Given, T>;
  function(
    name: string,
    options: { readonly deterministic?: boolean },
    run: (...values: unknown[]) => unknown,
  ): unknown;
  unsafeMode(isUnsafe: boolean): unknown;
  close(): unknown;
}

/** Values by position, as a list, or by name in an object after them. Integers are exact up to 2^53, blobs are Buffers. */
export interface Statement {
  /** False for a statement that returns no rows. */
  readonly reader: boolean;
  run(...values: unknown[]): { readonly changes: number; readonly lastInsertRowid: number | bigint };
  get(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
  /** Nothing may be written through the same connection meanwhile. */
  iterate(...values: unknown[]): IterableIterator<unknown>;
  /** From now on, results are the first column instead of the row. */
  pluck(): this;
  raw(): this;
  safeIntegers(): this;
  columns(): readonly { readonly name: string }[];
}

export type Prepared<Sql> = { readonly [Name in keyof Sql]: Statement };

export function prepareAll<Sql extends Readonly<Record<string, string>>>(
  db: Database,
  sql: Sql,
): Prepared<Sql> {
  const prepared = Object.entries(sql).map(([name, text]) => [name, db.prepare(text)]);
  return Object.fromEntries(prepared) as Prepared<Sql>;
}

/** As `transaction` with the write lock, for what has to wait in between. */
export async function transact<T>(db: Database, run: () => Promise<T>): Promise<T> {
  db.exec('begin immediate');
  try {
    const result = await run();
    db.exec('commit');
    return result;
  } catch (error) {
    // SQLite has already rolled back after some errors, such as a full disk.
    if (db.inTransaction) db.exec('rollback');
    throw error;
  }
}

/** Rows with booleans in place of SQLite's 0 and 1. */
export function withBooleans<Row>(rows: readonly unknown[], ...names: readonly (keyof Row)[]): Row[] {
  for (const row of rows as Record<keyof Row, unknown>[])
    for (const name of names) row[name] = row[name] === 1;
  return rows as Row[];
}

export interface Transaction<Given extends unknown[], T> {
  (...given: Given): T;
  immediate(...given: Given): T;
}

/**
 * Built with the headers of Node 24.19 or newer, better-sqlite3 12 aborts the process when a statement is collected as
 * garbage (nodejs/node#65446), and nothing tells which headers it was built with.
 */
const isRiskyHere = process.versions.node.startsWith('24.');

let openInstead: OpenNodeSqlite | null = null;

/** `timeoutMs` is how long a statement waits for another process that is writing. */
export function openDatabase(path: string, { readOnly = false, timeoutMs = 5000 } = {}): Database {
  if (isRiskyHere) openInstead ??= loadNodeSqlite();
  if (openInstead !== null) return openInstead(path, readOnly, timeoutMs);
  try {
    return new BetterSqlite(path, { readonly: readOnly, timeout: timeoutMs });
  } catch (error) {
    const nativeError = toNativeError(error, { nodeVersion: process.versions.node, isThere: existsSync });
    if (nativeError === null) {
      // better-sqlite3 looks for the folder itself, and reports that without a code.
      const isWithoutFolder = error instanceof TypeError && /directory does not exist/.test(error.message);
      throw isWithoutFolder ? Object.assign(error, { code: 'SQLITE_CANTOPEN' }) : error;
    }
    openInstead = loadNodeSqlite();
    if (openInstead === null) throw nativeError;
    return openInstead(path, readOnly, timeoutMs);
  }
}

export interface Engine {
  readonly name: 'better-sqlite3' | 'node:sqlite';
  readonly sqliteVersion: string;
}

export function readEngine(db: Database): Engine {
  return {
    name: openInstead === null ? 'better-sqlite3' : 'node:sqlite',
    sqliteVersion: String(db.prepare('select sqlite_version()').pluck().get()),
  };
}

/** Its owner is never waited for long and never kept waiting. SQLite may leave empty -wal and -shm files beside it. */
export function openForeign(path: string): ForeignDatabase {
  if (!isFile(path)) throw new Error('not a regular file');
  const db = openDatabase(path, { readOnly: true, timeoutMs: 500 });
  return {
    all: (sql, ...values) => db.prepare(sql).all(...values) as Record<string, unknown>[],
    close: () => db.close(),
  };
}
