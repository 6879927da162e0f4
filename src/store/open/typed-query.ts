// Queries that are built with kysely and checked against the schema when they are compiled, run by better-sqlite3 in the
// same moment, so that transactions stay synchronous. For what is not hot: loading kysely takes 4 ms of a start-up of 44,
// and a query is 22 µs instead of 7, so what a search, a list, `open` or every refresh runs is prepared SQL and must not
// import this.

import {
  type Compilable,
  DummyDriver,
  Kysely,
  type RawBuilder,
  type SqlBool,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import type { Tables } from '../schema.ts';
import type { Database } from './database.ts';

export const query = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

type Named = Readonly<Record<string, unknown>>;

export function all<Row>(db: Database, built: Compilable<Row>, named: Named = {}): Row[] {
  const { sql: text, parameters } = built.compile();
  return db.prepare(text).all(...parameters, named) as Row[];
}

export function get<Row>(db: Database, built: Compilable<Row>, named: Named = {}): Row {
  const [row] = all(db, built, named);
  if (row === undefined) throw new Error(`no row for: ${built.compile().sql}`);
  return row;
}

/** A condition that is shared with prepared SQL. */
export function condition(text: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.raw(text)}`;
}

/** All of these, however many: the parameters of a statement are limited. */
export function anyOf<T extends string | number>(values: readonly T[]): RawBuilder<T> {
  return sql<T>`(select value from json_each(${JSON.stringify(values)}))`;
}
