// The prepared statements of the write loop. Each writes one row: around a statement that may write several and then fail,
// SQLite sets a savepoint, and at every savepoint FTS5 writes out the words it has gathered. With an upsert for every
// transcript that took a third of the inserting. The rows that are written by the hundred thousand take their values by
// position: an object with names costs a microsecond more, a quarter of the inserting of such a row.

import type { SessionFacts } from '../../records.ts';
import type { Database, Statement } from '../open/database.ts';
import { isMessageOf, isToolCallOf, isWorkOf, messageId, toolCallId, workId } from '../row-ids.ts';

const factColumns: Readonly<Record<keyof SessionFacts, string>> = {
  parentNativeId: 'parent_native_id',
  firstCwd: 'first_cwd',
  lastCwd: 'last_cwd',
  relocatedCwd: 'relocated_cwd',
  continuedIn: 'continued_in',
  branch: 'own_branch',
  versions: 'versions',
  models: 'models',
  createdAt: 'first_timestamp',
  modifiedAt: 'last_timestamp',
  firstPrompt: 'own_first_prompt',
  lastPrompt: 'last_prompt',
  customTitle: 'custom_title',
  agentName: 'named_title',
  aiTitle: 'ai_title',
  prNumber: 'own_pr_number',
  prUrl: 'own_pr_url',
  prRepository: 'own_pr_repository',
  compactionCount: 'compaction_count',
};

/** With a name of its own, which declarations of what is exported need. */
export interface PreparedStatement extends Statement {}

export type TranscriptStatements = ReturnType<typeof prepareTranscriptStatements>;

export function prepareTranscriptStatements(db: Database) {
  const prepare = (sql: string): PreparedStatement => db.prepare(sql);
  const facts = Object.entries(factColumns);
  const stored = facts.map(([name, column]) =>
    // Most subagents have only one prompt, and it is stored once.
    name === 'lastPrompt'
      ? (['own_last_prompt', 'nullif(@lastPrompt, @firstPrompt)'] as const)
      : ([column, `@${name}`] as const),
  );
  return {
    insertRoot: prepare('insert into root (agent, path) values (?, ?)'),
    transcriptId: prepare('select id from transcript where root_id = ? and path = ?'),
    insertTranscript: prepare(`
      insert into transcript (root_id, path, kind, native_id, is_machinery, size_bytes, mtime_ms,
        ctime_ms, inode, bytes_read, lines_read, last_version, is_unterminated, fingerprint, parser_version, state, error)
      values (@rootId, @path, @kind, @nativeId, @isMachinery, @sizeBytes, @mtimeMs,
        @ctimeMs, @inode, @bytesRead, @linesRead, @lastVersion, @isUnterminated, @fingerprint, @parserVersion, @state, @error)`),
    updateTranscript: prepare(`
      update transcript set size_bytes = @sizeBytes, mtime_ms = @mtimeMs, ctime_ms = @ctimeMs,
        inode = @inode, bytes_read = @bytesRead, lines_read = @linesRead, last_version = @lastVersion, is_unterminated = @isUnterminated,
        fingerprint = @fingerprint, parser_version = @parserVersion, state = @state, error = @error
      where id = @id`),
    markFailed: prepare("update transcript set state = 'failed', error = ? where root_id = ? and path = ?"),
    markTranscriptGone: prepare("update transcript set state = 'gone' where id = ?"),
    markSessionGone: prepare('update session set is_gone = 1 where id = ?'),
    recoveredOf: prepare(`
      select id from session where agent = ? and native_id = ? and (kind = 'history' or transcript_id is null)`),
    sessionOfTranscript: prepare('select id from session where transcript_id = ?'),
    insertSession: prepare(`
      insert into session (id, root_id, transcript_id, agent, native_id, kind, slug, is_machinery,
        message_count, text_chars, tool_call_count, ${stored.map(([column]) => column).join(', ')})
      values (@id, @rootId, @transcriptId, @agent, @nativeId, @kind, @slug, @isMachinery,
        @messages, @chars, @toolCalls, ${stored.map(([, value]) => value).join(', ')})`),
    identifySession: prepare('update session set kind = ?, native_id = ? where id = ?'),
    identifyTranscript: prepare('update transcript set kind = ?, native_id = ? where id = ?'),
    insertRecovered: prepare(
      "insert into session (root_id, agent, native_id, kind, slug, is_gone) values (?, ?, ?, 'history', ?, 1)",
    ),
    deleteSession: prepare('delete from session where id = ?'),
    deleteSessionFts: prepare('delete from session_fts where rowid = ?'),
    insertMessage: prepare(`
      insert into message (id, session_id, seq, uuid, role, kind, timestamp, is_sidechain, text)
      values (${messageId('?', '?')}, ?, ?, ?, ?, ?, ?, ?, ?)`),
    insertMessageFts: prepare(
      `insert into message_fts (rowid, text, part) values (${messageId('?', '?')}, ?, ?)`,
    ),
    deleteMessageFts: prepare(
      `delete from message_fts where rowid in (select id from message where ${isMessageOf('@sessionId')})`,
    ),
    deleteMessages: prepare(`delete from message where ${isMessageOf('@sessionId')}`),
    deleteOneMessageFts: prepare('delete from message_fts where rowid = ?'),
    deleteOneMessage: prepare('delete from message where id = ?'),
    queued: prepare("select id, text from message where session_id = @sessionId and kind = 'queued'"),
    typed: prepare(`
      select text from message where ${isMessageOf('@sessionId')} and role = 'user' and kind <> 'queued'`),
    uncountMessage: prepare(
      'update session set message_count = message_count - 1, text_chars = text_chars - ? where id = ?',
    ),
    resetCounts: prepare(
      'update session set message_count = 0, text_chars = 0, tool_call_count = 0 where id = ?',
    ),
    insertToolCall: prepare(`
      insert into tool_call (id, session_id, seq, tool_use_id, name, target, is_error)
      values (${toolCallId('?', '?', '?')}, ?, ?, ?, ?, ?, ?)`),
    insertToolCallFts: prepare(
      `insert into tool_call_fts (rowid, target, part) values (${toolCallId('?', '?', '?')}, ?, ?)`,
    ),
    deleteToolCallFts: prepare(
      `delete from tool_call_fts where rowid in (
        select id from tool_call where ${isToolCallOf('@sessionId')} and target is not null)`,
    ),
    deleteToolCalls: prepare(`delete from tool_call where ${isToolCallOf('@sessionId')}`),
    openToolCalls: prepare(
      `select id, tool_use_id as toolUseId, name from tool_call
      where ${isToolCallOf('@sessionId')} and tool_use_id is not null order by id`,
    ),
    closeToolCall: prepare(
      `update tool_call set is_error = max(is_error, @isError),
        tool_use_id = iif(@keepsId, tool_use_id, null)
      where id = @id`,
    ),
    insertWork: prepare(`
      insert into work (id, call_id, at_ms, has_text)
      values (${workId('?', '?', '?', '?')}, ${toolCallId('?', '?', '?')}, ?, 1)`),
    /** For a call that was stored earlier, or is not known. */
    insertLateWork: prepare(`
      insert into work (id, call_id, at_ms, has_text) values (${workId('?', '?', '?', '?')}, ?, ?, 1)`),
    insertToolTexts: prepare(`insert into tool_text (id, texts) values (${messageId('?', '?')}, ?)`),
    deleteToolTexts: prepare(`delete from tool_text where ${isMessageOf('@sessionId')}`),
    insertWorkFts: prepare(
      `insert into work_fts (rowid, text, part) values (${workId('?', '?', '?', '?')}, ?, ?)`,
    ),
    deleteWorkFts: prepare(
      `delete from work_fts where rowid in (select id from work where ${isWorkOf('@sessionId')})`,
    ),
    deleteWork: prepare(`delete from work where ${isWorkOf('@sessionId')}`),
    isForgottenLeaf: prepare('select 1 from forgotten_leaf where leaf_hash = ?'),
    insertSummary: prepare(`
      insert into summary (session_id, seq, leaf_hash, text) values (@sessionId, @seq, @leafHash, @text)
      on conflict do nothing`),
    deleteSummaries: prepare('delete from summary where session_id = ?'),
    summarised: prepare(`
      select distinct leaf.session_id from summary join leaf on leaf.leaf_hash = summary.leaf_hash
      where summary.session_id = ?`),
    unsettle: prepare('update session set is_unsettled = 1 where id = ?'),
    soughtLeaves: prepare('select distinct leaf_hash from summary where is_sought = 1'),
    insertLeaf: prepare('insert into leaf (leaf_hash, session_id) values (?, ?) on conflict do nothing'),
    deleteLeaves: prepare('delete from leaf where session_id = ?'),
    insertEntryBlock: prepare(
      `insert or replace into entry_block (id, hashes) values (${messageId('?', '?')}, ?)`,
    ),
    entryBlocks: prepare(`select hashes from entry_block where ${isMessageOf('@sessionId')}`),
    deleteEntryBlocks: prepare(`delete from entry_block where ${isMessageOf('@sessionId')}`),
    insertEntryUuid: prepare(
      'insert into entry_uuid (uuid_hash, session_id) values (?, ?) on conflict do nothing',
    ),
    deleteEntryUuids: prepare(`
      delete from entry_uuid where session_id = @sessionId and uuid_hash in (select value from json_each(@hashes))`),
    sessionsSharing: prepare(`
      select distinct other.id from json_each(@hashes) hash
      cross join entry_uuid on entry_uuid.uuid_hash = hash.value and entry_uuid.session_id <> @sessionId
      cross join session other on other.id = entry_uuid.session_id
      where other.kind = (select kind from session where id = @sessionId)`),
    insertLink: prepare(
      'insert into session_link (session_id, other_id) values (?, ?) on conflict do nothing',
    ),
    conversationOf: prepare(`
      select id from session where conversation_id = (select conversation_id from session where id = ?)`),
    deleteLinksTo: prepare(`
      delete from session_link where other_id = @sessionId
        and session_id in (select other_id from session_link where session_id = @sessionId)`),
    deleteLinks: prepare('delete from session_link where session_id = ?'),
    readFacts: prepare(
      `select ${facts.map(([name, column]) => `${column} as ${name}`).join(', ')} from session where id = ?`,
    ),
    saveFacts: prepare(
      `update session set ${stored.map(([column, value]) => `${column} = ${value}`).join(', ')},
        message_count = message_count + @messages, text_chars = text_chars + @chars,
        tool_call_count = tool_call_count + @toolCalls, is_unsettled = 1, is_gone = 0
      where id = @sessionId`,
    ),
    countSkipped: prepare('update transcript set skipped_lines = skipped_lines + ? where id = ?'),
    resetSkippedCount: prepare('update transcript set skipped_lines = 0 where id = ?'),
    skippedKept: prepare('select count(*) as kept from skipped_line where transcript_id = ?'),
    insertSkipped: prepare(
      'insert into skipped_line (transcript_id, line, reason) values (?, ?, ?) on conflict do nothing',
    ),
    deleteSkipped: prepare('delete from skipped_line where transcript_id = ?'),
    addUnknown: prepare(`
      insert into unknown_type (transcript_id, type, version, count) values (?, ?, ?, ?)
      on conflict do update set count = count + excluded.count`),
    deleteUnknown: prepare('delete from unknown_type where transcript_id = ?'),
  };
}
