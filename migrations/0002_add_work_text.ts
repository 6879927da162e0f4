// What tools were given and what they answered. Its words are in a full-text table of its own, weighed less than what was
// said; its text is not stored, and each row says where in the transcript it can be read. So these words cannot be built
// again for a session whose transcript is gone, and the table is no part of those that are (src/store/open/word-tables.ts).

import { type Kysely, sql } from 'kysely';

const statements = [
  `create table work (
    -- session, line, place on the line, and whether it is an answer: (session_id << 26 | seq << 6 | nth) << 1 | is_output
    id integer primary key,
    session_id integer not null references session (id),
    -- the line of the transcript that holds it
    seq integer not null,
    -- tool-input or tool-output
    kind text not null,
    -- the call, in tool_call; null where it is not known
    call_id integer,
    -- where that line starts in the transcript, and how long it is
    line_from integer not null,
    line_bytes integer not null
  ) strict`,
  `create virtual table work_fts using fts5 (
    text, part,
    content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  )`,
  `insert into work_fts (work_fts, rank) values ('hashsize', ${8 * 1024 * 1024})`,
  'alter table total add column tool_calls integer not null default 0',
  // Whoever refreshes the index later must do as whoever made it wanted.
  'alter table setting add column keeps_work integer not null default 1',
  // What the totals are counted from, without a walk through the sessions themselves.
  'drop index session_size',
  'create index session_size on session (message_count, text_chars, tool_call_count)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
