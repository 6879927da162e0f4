// Queries that are built and checked against the schema, for commands that ask much and are not in a hurry. Kysely is
// loaded only here and for migrations: a search has no time for it.

import type { Kysely } from 'kysely';
import type { Tables } from '../schema.ts';
import type { Store } from './open-store.ts';

export async function openQuery({ db }: Store): Promise<Kysely<Tables>> {
  const { Kysely, SqliteDialect } = await import('kysely');
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: db }) });
}
