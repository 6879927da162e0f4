// Stores what tools were given and what they answered, which until now was read again from the transcript whenever it was
// shown: a deleted session had no passages, and its words could not be built again.
//
// The texts of a stretch of a transcript are packed together. On 60 MB of real transcripts with 8.8 MB of such texts, half of
// them shorter than 160 characters, one by one they took 3.9 MB and 250 ms to pack, in stretches of 32,000 characters 2.5 MB
// and 90 ms.
//
// Every transcript is read again, unless tool texts are not wanted; so are the copies in the archive of those that are gone.

import { type Kysely, sql } from 'kysely';

const statements = [
  `create table tool_text ( -- what tools were given and answered on some lines of a session
    id integer primary key, -- session_id << 20 | the last of these lines
    texts blob not null -- deflated: each as its line, its place on the line, 0 for given or 1 for answered, and the text
  ) strict`,
  // With everything that its id says computed: these columns were a third of the table.
  `create table work_now (
    id integer primary key, -- session, line, place on the line, and whether it is an answer: (session_id << 26 | seq << 6 | nth) << 1 | is_output
    call_id integer, -- the call, in tool_call; null where it is not known
    at_ms integer, -- when
    has_text integer not null, -- 0 where its transcript was deleted before texts were stored: then only its words are known
    session_id integer generated always as (id >> 27) virtual,
    seq integer generated always as (id >> 7 & ${2 ** 20 - 1}) virtual,
    kind text generated always as (iif(id & 1, 'tool-output', 'tool-input')) virtual
  ) strict`,
  'insert into work_now (id, call_id, has_text) select id, call_id, 0 from work',
  'drop table work',
  'alter table work_now rename to work',
  'update transcript set parser_version = 0 where (select keeps_work from setting)',
  'delete from snapshot where (select keeps_work from setting)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
