// The index as it was first shipped.
//
// Why the shapes are what they are:
// - Text stands once, in message.text. The FTS5 tables are contentless: they hold only the word index, so the file
//   stays small, and a row can still be deleted by its id (contentless_delete).
// - message_fts.text is the text itself, split by unicode61; the parts of identifiers are a column of their own. Stems are
//   not in it: word_form names the words of each stem, and a query asks for all of them. As a column of their own they
//   were a quarter of the entries of the full-text index.
// - Copies of a conversation are recognised by the uuids of their messages: entry_uuid holds 48 bits of each. Most
//   entries are tool results without text, and as rows there were seven of them for each message. Yet 377 of 539
//   resolvable leaf uuids of `summary` lines name such an entry, so entry_block keeps all of them, six bytes each, and
//   `leaf` says where the few that a summary names were found.
// - session ids follow the age of the files, so that the newest rows have the highest ids and a search for a word that
//   stands everywhere can begin with what is recent.
// - message.id is session_id << 20 | seq, where seq is the line number: the rows of a session are a range in reading
//   order without a further index, and a full-text hit names its session by its row id. tool_call.id is the same
//   with six more bits for the calls of one line. What follows from another column is computed, not stored.
// - A message is stored packed and read as if it were not: 16 bytes of packed_uuid for the 36 characters of a uuid (any
//   other id as it is), time_ms for a timestamp, code for role, kind and is_sidechain (src/store/message-row.ts). It stood
//   in 87 bytes beside the text and stands in 30. The text comes last, so that nobody reads through it for the rest.
// - What a transcript says of itself (own_…) is kept apart from what follows from it and from the hints together, so
//   that a hint that changes can take effect.

import { type Kysely, sql } from 'kysely';

/** Dropped and created again when they are rebuilt from the stored text. */
export const wordTables = {
  message_fts: `create virtual table message_fts using fts5 (
    text, part,
    content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  )`,
  tool_call_fts: `create virtual table tool_call_fts using fts5 (
    target, part,
    content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  )`,
  session_fts: `create virtual table session_fts using fts5 (
    title, summary, first_prompt, context, part,
    content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  )`,
} as const;

const statements = [
  `create table root (
    id integer primary key,
    path text not null unique
  ) strict`,
  `create table project (
    id integer primary key,
    path text not null unique
  ) strict`,
  `create table transcript (
    id integer primary key,
    root_id integer not null references root (id),
    path text not null,
    kind text not null,
    claude_id text not null,
    is_machinery integer not null,
    size_bytes integer not null,
    mtime_ms real not null,
    ctime_ms real not null,
    inode real not null,
    bytes_read integer not null,
    lines_read integer not null,
    last_version text,
    is_unterminated integer not null,
    fingerprint text not null,
    parser_version integer not null,
    state text not null,
    error text,
    skipped_lines integer not null default 0,
    unique (root_id, path)
  ) strict`,
  `create table sidecar (
    id integer primary key,
    root_id integer not null references root (id),
    path text not null,
    kind text not null,
    slug text not null,
    claude_id text,
    size_bytes integer not null,
    mtime_ms real not null,
    ctime_ms real not null,
    inode real not null,
    custom_title text,
    agent_type text,
    agent_description text,
    tool_use_id text,
    unique (root_id, path)
  ) strict`,
  'create index sidecar_claude_id on sidecar (claude_id)',
  `create table hint (
    root_id integer not null references root (id),
    slug text not null,
    claude_id text not null,
    first_prompt text,
    summary text,
    custom_title text,
    created_at text,
    modified_at text,
    branch text,
    project_path text,
    pr_number integer,
    pr_url text,
    pr_repository text,
    primary key (claude_id, root_id, slug)
  ) strict, without rowid`,
  `create table session (
    id integer primary key,
    root_id integer not null references root (id),
    transcript_id integer unique references transcript (id),
    claude_id text not null,
    kind text not null,
    slug text,
    parent_claude_id text,
    first_cwd text,
    last_cwd text,
    relocated_cwd text,
    continued_in text,
    own_branch text,
    versions text not null default '[]',
    models text not null default '[]',
    first_timestamp text,
    last_timestamp text,
    own_first_prompt text,
    own_last_prompt text,
    last_prompt text generated always as (coalesce(own_last_prompt, own_first_prompt)) virtual,
    custom_title text,
    agent_name text,
    ai_title text,
    own_pr_number integer,
    own_pr_url text,
    own_pr_repository text,
    compaction_count integer not null default 0,
    title text,
    title_source text not null default 'none',
    summary text,
    hinted_first_prompt text,
    first_prompt text generated always as (coalesce(own_first_prompt, hinted_first_prompt)) virtual,
    branch text,
    pr_number integer,
    pr_url text,
    pr_repository text,
    agent_type text,
    agent_description text,
    agent_tool_use_id text,
    project_id integer references project (id),
    conversation_id integer,
    other_created_at text,
    other_modified_at text,
    created_at text generated always as (coalesce(first_timestamp, other_created_at)) virtual,
    modified_at text generated always as (coalesce(last_timestamp, other_modified_at)) virtual,
    message_count integer not null default 0,
    text_chars integer not null default 0,
    tool_call_count integer not null default 0,
    is_empty integer not null default 0,
    is_warmup integer not null default 0,
    is_machinery integer not null default 0,
    is_hidden integer not null default 0,
    is_gone integer not null default 0,
    is_unsettled integer not null default 1
  ) strict`,
  'create index session_claude_id on session (claude_id)',
  'create index session_parent on session (parent_claude_id) where parent_claude_id is not null',
  'create index session_conversation on session (conversation_id)',
  'create index session_unsettled on session (id) where is_unsettled = 1',
  'create index session_hidden on session (id) where is_hidden = 1',
  'create index session_warmup on session (id) where is_warmup = 1',
  // What the totals are counted from, without a walk through the sessions themselves.
  'create index session_size on session (message_count, text_chars)',
  // Also for a filter by time alone: going through this index takes as long as one of times and looking up the rest.
  'create index session_scope on session (project_id, is_hidden, kind, modified_at, created_at, branch)',
  `create table message (
    id integer primary key,
    session_id integer generated always as (id >> 20) virtual,
    seq integer generated always as (id & 1048575) virtual,
    packed_uuid any,
    uuid text generated always as (iif(typeof(packed_uuid) <> 'blob', packed_uuid, lower(
      hex(substr(packed_uuid, 1, 4)) || '-' || hex(substr(packed_uuid, 5, 2)) || '-' || hex(substr(packed_uuid, 7, 2))
      || '-' || hex(substr(packed_uuid, 9, 2)) || '-' || hex(substr(packed_uuid, 11))))) virtual,
    code integer not null,
    role text generated always as (iif(code & 8, 'user', 'assistant')) virtual,
    kind text generated always as (case code & 7 when 0 then 'answer' when 1 then 'prompt' when 2 then 'queued'
      when 3 then 'command' when 4 then 'shell' when 5 then 'task' else 'recap' end) virtual,
    is_sidechain integer generated always as (code >> 4 & 1) virtual,
    time_ms integer,
    timestamp text generated always as (strftime('%Y-%m-%dT%H:%M:%fZ', time_ms / 1000.0, 'unixepoch')) virtual,
    text text not null
  ) strict`,
  `create table tool_call (
    id integer primary key,
    session_id integer generated always as (id >> 26) virtual,
    seq integer generated always as (id >> 6 & 1048575) virtual,
    tool_use_id text,
    name text not null,
    target text,
    is_error integer not null default 0
  ) strict`,
  `create table summary (
    session_id integer not null references session (id),
    seq integer not null,
    leaf_hash integer not null,
    text text not null,
    is_sought integer not null default 0,
    primary key (leaf_hash, session_id, seq)
  ) strict, without rowid`,
  'create index summary_session on summary (session_id)',
  'create index summary_unsought on summary (leaf_hash) where is_sought = 0',
  `create table entry_uuid (
    uuid_hash integer not null,
    session_id integer not null,
    primary key (uuid_hash, session_id)
  ) strict, without rowid`,
  `create table entry_block (
    id integer primary key,
    hashes blob not null
  ) strict`,
  `create table leaf (
    leaf_hash integer not null,
    session_id integer not null,
    primary key (leaf_hash, session_id)
  ) strict, without rowid`,
  'create index leaf_session on leaf (session_id)',
  `create table word_form (
    stem text not null,
    word text not null,
    primary key (stem, word)
  ) strict, without rowid`,
  `create table session_link (
    session_id integer not null,
    other_id integer not null,
    primary key (session_id, other_id)
  ) strict, without rowid`,
  `create table tombstone (
    claude_id text primary key,
    forgotten_at text not null,
    project_hash text,
    first_timestamp text,
    last_timestamp text
  ) strict, without rowid`,
  `create table forgotten_leaf (
    leaf_hash integer primary key
  ) strict, without rowid`,
  `create table snapshot (
    root_id integer primary key references root (id),
    parser_version integer not null,
    names blob not null,
    stamps blob not null
  ) strict`,
  `create table total (
    id integer primary key check (id = 1),
    sessions integer not null,
    spoken_sessions integer not null,
    messages integer not null,
    text_chars integer not null
  ) strict`,
  'insert into total values (1, 0, 0, 0, 0)',
  // In the index and not only in a flag: whoever refreshes it later must do as whoever made it wanted.
  `create table setting (
    id integer primary key check (id = 1),
    is_redacting integer not null
  ) strict`,
  'insert into setting values (1, 0)',
  `create table skipped_line (
    transcript_id integer not null references transcript (id),
    line integer not null,
    reason text not null,
    primary key (transcript_id, line)
  ) strict, without rowid`,
  `create table unknown_type (
    transcript_id integer not null references transcript (id),
    type text not null,
    version text not null,
    count integer not null,
    primary key (transcript_id, type, version)
  ) strict, without rowid`,
];

/**
 * FTS5 gathers this much before it writes a segment. With its usual megabyte a first index wrote most words several
 * times: 2.0 s instead of 1.3 s for 20 MB of text. More than this gains nothing.
 */
export const gatherWords = `insert into message_fts (message_fts, rank) values ('hashsize', ${8 * 1024 * 1024})`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...statements, ...Object.values(wordTables), gatherWords])
    await sql.raw(statement).execute(db);
}
