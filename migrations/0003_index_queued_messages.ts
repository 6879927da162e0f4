// Finds the prompts of a session that are still queued. Whenever a prompt is appended, recall asks whether it was queued
// before; without this it went through all messages of the session, which took longer than everything else in a long one.

import { type Kysely, sql } from 'kysely';

const statements = ["create index message_queued on message (session_id) where kind = 'queued'"];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
