// What Claude Code 2.1.326 says of a session beyond its conversation: a tag, the session that it was branched from, and the
// directory that its work tree was made in. And the uuids of entries as a whole, because an entry may be written into its file
// again: by their ends alone, which the other hashes are made of, two that were made up by hand could be taken for one.
//
// Every transcript is read again for it, because the version of the parser rises.

import { type Kysely, sql } from 'kysely';

const statements = [
  'alter table session add column tag text',
  'alter table session add column original_cwd text', // where it was before it went to a work tree
  'alter table session add column own_branched_from text', // as its transcript says
  // The native_id of its origin, where it is a session of its own beside that one; null where both are one conversation.
  'alter table session add column branched_from text',
  'alter table entry_block add column whole_hashes blob', // of the entries that may be written again, 6 bytes each
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
