// SQLite as Node.js brings it, made to behave like better-sqlite3: the same values, errors, defaults and transactions.
// Used where better-sqlite3 cannot be loaded, so correct and simple come before fast.

import type { Database, Statement, Transaction } from './database.ts';

/** What is used of node:sqlite; the types of Node 20 do not have it. */
interface NodeSqlite {
  readonly DatabaseSync: new (
    path: string,
    options?: { readonly readOnly?: boolean; readonly timeout?: number },
  ) => NodeDatabase;
}

interface NodeDatabase {
  readonly isTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): NodeStatement;
  function(name: string, options: object, run: (...values: unknown[]) => unknown): void;
  /** Since Node 24; before, definitions can always be written. */
  enableDefensive?(isDefensive: boolean): void;
  close(): void;
}

interface NodeStatement {
  all(...values: unknown[]): unknown[][];
  get(...values: unknown[]): unknown[] | undefined;
  iterate(...values: unknown[]): Iterator<unknown[], unknown>;
  run(...values: unknown[]): { readonly changes: bigint; readonly lastInsertRowid: bigint };
  columns(): { readonly name: string }[];
  setReadBigInts(isOn: boolean): void;
  setReturnArrays(isOn: boolean): void;
  setAllowUnknownNamedParameters(isOn: boolean): void;
}

export type OpenNodeSqlite = (path: string, readOnly: boolean, timeoutMs: number) => Database;

/** Null before Node 22.16: older ones have no such module, or one without FTS5. */
export function loadNodeSqlite(): OpenNodeSqlite | null {
  const sqlite = withoutWarning(() => process.getBuiltinModule?.('node:sqlite') as NodeSqlite | undefined);
  if (sqlite === undefined || !hasFullText(sqlite)) return null;
  return (path, readOnly, timeoutMs) =>
    new NodeSqliteDatabase(
      asSqliteError(() => new sqlite.DatabaseSync(path, { readOnly, timeout: timeoutMs })),
    );
}

/** Node 22 calls the module experimental whenever it is loaded, on stderr. */
function withoutWarning<T>(load: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

function hasFullText({ DatabaseSync }: NodeSqlite): boolean {
  const db = new DatabaseSync(':memory:');
  try {
    return db.prepare("select 1 from pragma_module_list where name = 'fts5'").get() !== undefined;
  } finally {
    db.close();
  }
}

class NodeSqliteDatabase implements Database {
  private readonly db: NodeDatabase;
  private isOpen = true;

  constructor(db: NodeDatabase) {
    this.db = db;
    try {
      // As better-sqlite3 is compiled; SQLite's own default is an eighth of it.
      this.exec('pragma cache_size = -16000');
    } catch {
      // It reads the file. What is wrong with that is reported to whoever reads it next, as better-sqlite3 does.
    }
  }

  get inTransaction(): boolean {
    return this.isOpen && this.db.isTransaction;
  }

  prepare(sql: string): Statement {
    return new NodeSqliteStatement(asSqliteError(() => this.db.prepare(sql)));
  }

  exec(sql: string): void {
    asSqliteError(() => this.db.exec(sql));
  }

  pragma(text: string, { simple = false } = {}): unknown {
    const statement = this.prepare(`pragma ${text}`);
    return simple ? statement.pluck().get() : statement.all();
  }

  transaction<Given extends unknown[], T>(run: (...given: Given) => T): Transaction<Given, T> {
    const inOne =
      (begin: string) =>
      (...given: Given): T =>
        this.transact(begin, () => run(...given));
    return Object.assign(inOne('begin'), { immediate: inOne('begin immediate') });
  }

  private transact<T>(begin: string, run: () => T): T {
    const [start, end, undo] = this.inTransaction
      ? ['savepoint part', 'release part', 'rollback to part; release part']
      : [begin, 'commit', 'rollback'];
    this.exec(start);
    try {
      const result = run();
      if (result instanceof Promise) throw new TypeError('a transaction cannot wait');
      this.exec(end);
      return result;
    } catch (error) {
      // SQLite has already rolled back after some errors, such as a full disk.
      if (this.inTransaction) this.exec(undo);
      throw error;
    }
  }

  function(
    name: string,
    options: { readonly deterministic?: boolean },
    run: (...values: unknown[]) => unknown,
  ): void {
    this.db.function(name, options, run);
  }

  unsafeMode(isUnsafe: boolean): void {
    this.db.enableDefensive?.(!isUnsafe);
  }

  close(): void {
    if (this.isOpen) asSqliteError(() => this.db.close());
    this.isOpen = false;
  }
}

/** Rows come as lists: objects of node:sqlite have no prototype and take longer. Integers are BigInt, or 2^53 would throw. */
class NodeSqliteStatement implements Statement {
  private readonly statement: NodeStatement;
  private shape: 'object' | 'list' | 'value' = 'object';
  private isExact = false;
  private names: readonly string[] = [];

  constructor(statement: NodeStatement) {
    this.statement = statement;
    statement.setReturnArrays(true);
    statement.setReadBigInts(true);
    statement.setAllowUnknownNamedParameters(true);
  }

  get reader(): boolean {
    return this.columns().length > 0;
  }

  run(...values: unknown[]) {
    const { changes, lastInsertRowid } = asSqliteError(() => this.statement.run(...toBound(values)));
    return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) };
  }

  get(...values: unknown[]): unknown {
    const row = asSqliteError(() => this.statement.get(...toBound(values)));
    return row === undefined ? undefined : this.toRow(row);
  }

  all(...values: unknown[]): unknown[] {
    return asSqliteError(() => this.statement.all(...toBound(values))).map((row) => this.toRow(row));
  }

  *iterate(...values: unknown[]): IterableIterator<unknown> {
    const rows = asSqliteError(() => this.statement.iterate(...toBound(values)));
    try {
      for (;;) {
        const next = asSqliteError(() => rows.next());
        if (next.done === true) return;
        yield this.toRow(next.value);
      }
    } finally {
      rows.return?.();
    }
  }

  pluck(): this {
    this.shape = 'value';
    return this;
  }

  raw(): this {
    this.shape = 'list';
    return this;
  }

  safeIntegers(): this {
    this.isExact = true;
    return this;
  }

  columns(): readonly { readonly name: string }[] {
    return asSqliteError(() => this.statement.columns());
  }

  private toRow(values: readonly unknown[]): unknown {
    if (this.shape === 'value') return this.toValue(values[0]);
    if (this.shape === 'list') return values.map((value) => this.toValue(value));
    if (this.names.length !== values.length) this.names = this.columns().map(({ name }) => name);
    const row: Record<string, unknown> = {};
    for (const [i, name] of this.names.entries()) row[name] = this.toValue(values[i]);
    return row;
  }

  private toValue(value: unknown): unknown {
    if (typeof value === 'bigint') return this.isExact ? value : Number(value);
    if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return value;
  }
}

/** SQLite's result codes from 1 on, by which better-sqlite3 names its errors. */
const codes =
  `ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL
  EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB`.split(/\s+/);

/** The code of an error without its second half: SQLITE_IOERR, where better-sqlite3 says SQLITE_IOERR_WRITE. */
function asSqliteError<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    const { errcode } = error as { readonly errcode?: unknown };
    const code = typeof errcode === 'number' ? codes[(errcode & 0xff) - 1] : undefined;
    throw code === undefined ? error : Object.assign(error as Error, { code: `SQLITE_${code}` });
  }
}

/** Values as better-sqlite3 takes them → as node:sqlite does: names before the other values, no list and no undefined. */
function toBound(values: readonly unknown[]): unknown[] {
  const bound: unknown[] = [];
  for (const value of values) {
    if (Array.isArray(value)) bound.push(...toBound(value));
    else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
      const named = Object.entries(value).map(([name, each]) => [name, toBindable(each)]);
      bound.unshift(Object.fromEntries(named));
    } else bound.push(toBindable(value));
  }
  return bound;
}

/** Bytes that are nowhere, as those of a new empty array, would be bound as null. */
const noBytes = new Uint8Array(1).subarray(1);

function toBindable(value: unknown): unknown {
  return ArrayBuffer.isView(value) && value.byteLength === 0 ? noBytes : (value ?? null);
}
