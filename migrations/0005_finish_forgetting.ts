// Remembers what is still due after a session was forgotten, in the transaction that forgets it: a run that was killed between
// that and the wiping left the text in free pages of the file, and its copy in the archive.
//
// What older versions of recall have forgotten may be left as well, so that it is all done once more.

import { type Kysely, sql } from 'kysely';

const statements = [
  // Something was deleted whose bytes may still be in the file.
  'alter table setting add column is_wipe_due integer not null default 0',
  'update setting set is_wipe_due = exists (select 1 from tombstone)',
  `create table cleaned_archive ( -- archives from which copies of forgotten sessions were deleted
    path text primary key,
    tombstones integer not null -- how many there were: while there are more now, copies may be left
  ) strict, without rowid`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
