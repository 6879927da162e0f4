// What a person says of sessions: a name, a star, tags, notes. The labels themselves are in labels.db, beside the index; this is the
// copy that filters and lists are answered from, made again whenever that file has changed.

import { type Kysely, sql } from 'kysely';

const statements = [
  `create table label ( -- what a person says of a session, copied from labels.db
    agent text not null, -- the program: claude, codex, …
    native_id text not null,
    message text not null, -- the uuid of the message that a note is about; empty for the session as a whole
    field text not null, -- name, star, note, or tag:<tag>
    value text not null,
    primary key (agent, native_id, message, field)
  ) strict, without rowid`,
  `create table label_copy ( -- which labels.db was copied
    id integer primary key check (id = 1),
    stamp text not null
  ) strict`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
