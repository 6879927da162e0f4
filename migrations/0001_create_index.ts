// The index as it was first shipped. Frozen: a test compares its hash, and later changes are migrations of their own.
//
// Why the tables are what they are:
// - Text is stored once, in message.text. The tables of words hold only the word index and are not created here: they
//   can be rebuilt from the stored text at any time (src/store/open/word-tables.ts).
// - message.id is session_id << 20 | seq, where seq is the line number: the rows of a session are a range in reading
//   order without a further index, and a full-text hit names its session by its row id. tool_call.id is the same with
//   six more bits for the calls of one line. session_id and seq are columns too, for people who query the file. The
//   text is the last column, so that nobody reads through it for the rest.
// - Session ids follow the age of the files, so that the newest rows have the highest ids and a search for a common word
//   can begin with what is recent.
// - Copies of a conversation are recognised by the uuids of their messages: entry_uuid holds 48 bits of each. Most
//   entries are tool results without text, and as rows there were seven of them for each message. Yet 377 of 539
//   resolvable leaf uuids of `summary` lines name such an entry, so entry_block keeps all of them, six bytes each, and
//   `leaf` says where the few that a summary names were found.
// - What a transcript says of itself (own_…) is kept apart from what follows from it and from the hints together, so
//   that a hint that changes can take effect.
// - A session is known by its agent (the program that wrote it) and the id that this agent gave it. Two rows may have the
//   same: one transcript may be in two folders. Nor is a transcript's session unique: some agents write a subagent into
//   the file of its parent.
// - Times of files and inodes are real, since better-sqlite3 binds large numbers as floating point and an inode may be
//   larger than any integer of SQLite's.
//
// The comments inside the statements are kept by SQLite: `.schema` shows them to whoever opens the file.

import { type Kysely, sql } from 'kysely';

const statements = [
  `create table root ( -- a folder in which an agent keeps its sessions
    id integer primary key,
    agent text not null, -- the program: claude, codex, …
    path text not null,
    unique (agent, path)
  ) strict`,
  `create table project (
    id integer primary key,
    path text not null unique -- the directory; where none is known, the agent's name for it
  ) strict`,
  `create table transcript ( -- a file that sessions are read from
    id integer primary key,
    root_id integer not null references root (id),
    path text not null, -- below the root, with forward slashes
    kind text not null, -- main, subagent, precompact, transcript, history
    native_id text not null, -- of the session in it
    is_machinery integer not null,
    size_bytes integer not null, mtime_ms real not null, ctime_ms real not null, inode real not null,
    bytes_read integer not null,
    lines_read integer not null,
    last_version text, -- of the agent, as its last line says
    is_unterminated integer not null, -- the last line that was read had no end
    fingerprint text not null,
    parser_version integer not null,
    state text not null, -- current, gone, failed
    error text,
    skipped_lines integer not null default 0,
    unique (root_id, path)
  ) strict`,
  `create table sidecar ( -- a small file beside a transcript that says something of its session
    id integer primary key,
    root_id integer not null references root (id),
    path text not null,
    kind text not null,
    slug text not null, -- the project's folder below the root
    native_id text,
    size_bytes integer not null, mtime_ms real not null, ctime_ms real not null, inode real not null,
    custom_title text,
    subagent_type text,
    subagent_description text,
    tool_use_id text,
    unique (root_id, path)
  ) strict`,
  'create index sidecar_native_id on sidecar (native_id)',
  `create table hint ( -- what an agent's own list of sessions says of one
    root_id integer not null references root (id),
    slug text not null,
    native_id text not null,
    first_prompt text,
    summary text,
    custom_title text,
    created_at text, modified_at text,
    branch text,
    project_path text,
    pr_number integer, pr_url text, pr_repository text,
    primary key (native_id, root_id, slug)
  ) strict, without rowid`,
  `create table session ( -- times are ISO 8601 in UTC, flags are 0 or 1
    id integer primary key,
    root_id integer not null references root (id),
    transcript_id integer references transcript (id), -- null when it never had one
    agent text not null, -- the program that wrote it: claude, codex, …
    native_id text not null, -- the id that this program gave it
    kind text not null, -- main, subagent, precompact, transcript, history
    slug text,
    parent_native_id text,
    first_cwd text, last_cwd text, relocated_cwd text,
    continued_in text, -- the native_id of the session that goes on from here
    own_branch text,
    versions text not null default '[]', -- of the agent, a JSON list
    models text not null default '[]', -- a JSON list
    first_timestamp text, -- of the transcript's own lines
    last_timestamp text,
    own_first_prompt text,
    own_last_prompt text, -- null when it is the first
    last_prompt text generated always as (coalesce(own_last_prompt, own_first_prompt)) virtual,
    custom_title text,
    named_title text,
    ai_title text,
    own_pr_number integer, own_pr_url text, own_pr_repository text,
    compaction_count integer not null default 0,
    title text,
    title_source text not null default 'none', -- which of the titles it is
    summary text,
    hinted_first_prompt text,
    first_prompt text generated always as (coalesce(own_first_prompt, hinted_first_prompt)) virtual,
    branch text,
    pr_number integer, pr_url text, pr_repository text,
    subagent_type text, subagent_description text, subagent_tool_use_id text,
    project_id integer references project (id),
    conversation_id integer, -- the same for all copies: the lowest id among them
    fallback_created_at text, -- where no line of the transcript has a time
    fallback_modified_at text,
    created_at text generated always as (coalesce(first_timestamp, fallback_created_at)) virtual,
    modified_at text generated always as (coalesce(last_timestamp, fallback_modified_at)) virtual,
    message_count integer not null default 0,
    text_chars integer not null default 0,
    tool_call_count integer not null default 0,
    is_empty integer not null default 0,
    is_warmup integer not null default 0,
    is_machinery integer not null default 0, -- written by the agent for itself
    is_hidden integer not null default 0, -- empty, a warm-up or machinery
    is_gone integer not null default 0, -- its transcript was deleted; the text is kept here
    is_unsettled integer not null default 1 -- waits for titles, copies and counts to be worked out
  ) strict`,
  'create index session_native_id on session (native_id)',
  'create index session_transcript on session (transcript_id)',
  'create index session_parent on session (parent_native_id) where parent_native_id is not null',
  'create index session_conversation on session (conversation_id)',
  'create index session_unsettled on session (id) where is_unsettled = 1',
  'create index session_hidden on session (id) where is_hidden = 1',
  'create index session_warmup on session (id) where is_warmup = 1',
  // What the totals are counted from, without a walk through the sessions themselves.
  'create index session_size on session (message_count, text_chars)',
  // Also for a filter by time alone: going through this index takes as long as one of times and looking up the rest.
  'create index session_scope on session (project_id, is_hidden, kind, modified_at, created_at, branch)',
  `create table message (
    id integer primary key, -- session_id << 20 | seq
    session_id integer not null references session (id),
    seq integer not null, -- the line of the transcript
    uuid text,
    role text not null, -- user, assistant
    kind text not null, -- prompt, reply, queued, command, shell, task, recap
    timestamp text,
    is_sidechain integer not null default 0,
    text text not null
  ) strict`,
  `create table tool_call (
    id integer primary key, -- (session_id << 20 | seq) << 6 | the place among the calls of this line
    session_id integer not null references session (id),
    seq integer not null,
    tool_use_id text, -- until its result has come; kept where a subagent was started
    name text not null,
    target text, -- the path, command or pattern it was given
    is_error integer not null default 0
  ) strict`,
  `create table summary ( -- what a session says of the one that holds the entry leaf_hash
    session_id integer not null references session (id),
    seq integer not null,
    leaf_hash integer not null,
    text text not null,
    is_sought integer not null default 0, -- the entry was looked for in all sessions
    primary key (leaf_hash, session_id, seq)
  ) strict, without rowid`,
  'create index summary_session on summary (session_id)',
  'create index summary_unsought on summary (leaf_hash) where is_sought = 0',
  `create table entry_uuid ( -- entries with a message, by 48 bits of their uuid
    uuid_hash integer not null,
    session_id integer not null references session (id),
    primary key (uuid_hash, session_id)
  ) strict, without rowid`,
  `create table entry_block ( -- all entries of a session
    id integer primary key, -- session_id << 20 | the last line of the stretch
    hashes blob not null -- 6 bytes each
  ) strict`,
  `create table leaf ( -- in which session an entry was found that a summary names
    leaf_hash integer not null,
    session_id integer not null references session (id),
    primary key (leaf_hash, session_id)
  ) strict, without rowid`,
  'create index leaf_session on leaf (session_id)',
  `create table session_link ( -- two sessions with entries in common
    session_id integer not null references session (id),
    other_id integer not null references session (id),
    primary key (session_id, other_id)
  ) strict, without rowid`,
  `create table tombstone ( -- a session that was forgotten and must not come back
    agent text not null,
    native_id text not null,
    forgotten_at text not null,
    project_hash text,
    first_timestamp text,
    last_timestamp text,
    primary key (native_id, agent)
  ) strict, without rowid`,
  `create table forgotten_leaf ( -- entries of forgotten sessions that summaries elsewhere name
    leaf_hash integer primary key
  ) strict, without rowid`,
  `create table snapshot ( -- what the files of a root looked like after the last complete run
    root_id integer primary key references root (id),
    parser_version integer not null,
    names blob not null,
    stamps blob not null
  ) strict`,
  `create table total ( -- counted once after each change
    id integer primary key check (id = 1),
    sessions integer not null,
    spoken_sessions integer not null,
    messages integer not null,
    text_chars integer not null
  ) strict`,
  'insert into total values (1, 0, 0, 0, 0)',
  // is_redacting is in the index and not only a flag: every later refresh must do as the one that made it.
  `create table setting (
    id integer primary key check (id = 1),
    is_redacting integer not null, -- secrets are kept out
    words_version integer not null -- which recall made the tables of words
  ) strict`,
  'insert into setting values (1, 0, 0)',
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

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
