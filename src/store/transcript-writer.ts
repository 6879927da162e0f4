// Writes what was read from transcripts: files, sessions, messages, tool calls. Prepared statements only, because
// this is the hot loop of indexing. What follows from several files together (titles, copies, counts) is not
// decided here; a session that was touched is marked unsettled instead.

import type Database from 'better-sqlite3';
import type {
  MessageRecord,
  SessionFacts,
  SummaryRecord,
  ToolCallRecord,
  TranscriptFile,
} from '../records.ts';
import { isMessageOf, isToolCallOf, maxCallsPerLine, messageId, toolCallId } from './row-ids.ts';
import type { TranscriptState } from './schema.ts';

/** A message with the extra tokens its index row needs. */
export interface IndexedMessage extends MessageRecord {
  readonly stem: string;
  readonly part: string;
}

export interface IndexedToolCall extends ToolCallRecord {
  readonly part: string;
}

/** How far a transcript has been read, and what it looked like then. */
export interface TranscriptProgress {
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
  readonly bytesRead: number;
  readonly linesRead: number;
  readonly lastVersion: string | null;
  readonly isUnterminated: boolean;
  readonly fingerprint: string;
  readonly parserVersion: number;
  readonly state: TranscriptState;
  readonly error: string | null;
}

export interface SkippedLine {
  readonly line: number;
  readonly reason: string;
}

/** The call of these is where an agent's transcript belongs in its parent's, so their id is kept. */
export function keepsToolUseId(toolName: string): boolean {
  return toolName === 'Task' || toolName === 'Agent';
}

/** Bad lines kept with their reason, for each transcript; the rest are only counted. */
const maxSkippedLinesKept = 20;

export class TranscriptWriter {
  private readonly db: Database.Database;
  private readonly sql: ReturnType<typeof prepareStatements>;

  constructor(db: Database.Database) {
    this.db = db;
    this.sql = prepareStatements(db);
  }

  begin(): void {
    this.db.exec('begin immediate');
  }

  commit(): void {
    this.db.exec('commit');
  }

  rollback(): void {
    if (this.db.inTransaction) this.db.exec('rollback');
  }

  getRootId(path: string): number {
    this.sql.insertRoot.run(path);
    return (this.sql.rootId.get(path) as { id: number }).id;
  }

  saveTranscript(rootId: number, file: TranscriptFile, progress: TranscriptProgress): number {
    const row = this.sql.saveTranscript.get({
      rootId,
      path: file.path,
      kind: file.kind,
      claudeId: file.claudeId,
      parentClaudeId: file.parentClaudeId,
      slug: file.slug,
      isMachinery: Number(file.isMachinery),
      ...progress,
      isUnterminated: Number(progress.isUnterminated),
    });
    return (row as { id: number }).id;
  }

  /** A file that could not be read: what is known of it stays, and the reason is kept. */
  markFailed(rootId: number, path: string, reason: string): void {
    this.sql.markFailed.run(reason, rootId, path);
  }

  /** The file is no longer there. Its session stays, marked. */
  markGone(transcriptId: number): void {
    this.sql.markTranscriptGone.run(transcriptId);
    this.sql.markSessionGone.run(transcriptId);
  }

  /** The session of a transcript, made on first sight. */
  getSessionId(rootId: number, transcriptId: number, file: TranscriptFile): number {
    const known = this.sql.sessionOfTranscript.get(transcriptId) as { id: number } | undefined;
    if (known !== undefined) return known.id;
    // The transcript itself replaces what was recovered of it.
    for (const { id } of this.sql.recoveredOf.all(file.claudeId) as { id: number }[]) this.deleteSession(id);
    const { lastInsertRowid } = this.sql.insertSession.run({
      rootId,
      transcriptId,
      claudeId: file.claudeId,
      kind: file.kind,
      slug: file.slug,
      parentClaudeId: file.parentClaudeId,
      isMachinery: Number(file.isMachinery),
    });
    return Number(lastInsertRowid);
  }

  /** Marks transcripts as not read at all, and takes their sessions out of the copies they are linked with. */
  resetTranscripts(transcriptIds: readonly number[]): void {
    const ids = JSON.stringify(transcriptIds);
    this.sql.resetTranscripts.run({ ids });
    this.unlinkSessions(
      (this.sql.sessionsOfTranscripts.all({ ids }) as { id: number }[]).map((row) => row.id),
    );
  }

  /** A session recovered without a transcript. */
  insertRecovered(rootId: number, claudeId: string, slug: string | null): number {
    const kind = 'history';
    const row = { rootId, transcriptId: null, claudeId, kind, slug, parentClaudeId: null, isMachinery: 0 };
    const id = Number(this.sql.insertSession.run(row).lastInsertRowid);
    this.sql.markRecoveredGone.run(id);
    return id;
  }

  /** Takes a transcript's skipped lines and unknown types away, before it is read from the start. */
  clearFindings(transcriptId: number): void {
    this.sql.deleteSkipped.run(transcriptId);
    this.sql.deleteUnknown.run(transcriptId);
    this.sql.resetSkippedCount.run(transcriptId);
  }

  /** Takes all text of a session away; the session itself stays. Its entry uuids go with `unlinkSessions`. */
  clearSession(sessionId: number): void {
    this.sql.deleteMessageFts.run({ sessionId });
    this.sql.deleteMessages.run({ sessionId });
    this.sql.deleteToolCallFts.run({ sessionId });
    this.sql.deleteToolCalls.run({ sessionId });
    this.sql.unsettleSummarised.run(sessionId);
    this.sql.deleteSummaries.run(sessionId);
  }

  /**
   * Forgets which entries these sessions hold and which sessions are copies of them, for all at once: entry_uuid
   * is ordered by uuid, so taking out one session costs as much as taking out a thousand.
   */
  unlinkSessions(sessionIds: readonly number[]): void {
    if (sessionIds.length === 0) return;
    const ids = JSON.stringify(sessionIds);
    this.sql.unsettleLinked.run({ ids });
    this.sql.deleteLinks.run({ ids });
    this.sql.deleteEntryUuids.run({ ids });
  }

  deleteSession(sessionId: number): void {
    this.clearSession(sessionId);
    this.sql.deleteSessionFts.run(sessionId);
    this.sql.deleteSession.run(sessionId);
  }

  addMessages(sessionId: number, messages: readonly IndexedMessage[]): void {
    for (const message of messages) {
      const { seq, uuid, role, kind, timestamp, text } = message;
      this.sql.insertMessage.run({
        sessionId,
        seq,
        uuid,
        role,
        kind,
        timestamp,
        text,
        isSidechain: Number(message.isSidechain),
      });
      this.sql.insertMessageFts.run(sessionId, seq, text, message.stem, message.part);
    }
  }

  addToolCalls(sessionId: number, calls: readonly IndexedToolCall[]): void {
    let nth = 0;
    let lastSeq = 0;
    for (const { seq, toolUseId, name, target, part, isError } of calls) {
      nth = seq === lastSeq ? nth + 1 : 0;
      lastSeq = seq;
      if (nth >= maxCallsPerLine) continue;
      this.sql.insertToolCall.run({ sessionId, seq, nth, toolUseId, name, target, isError: Number(isError) });
      if (target !== null) this.sql.insertToolCallFts.run(sessionId, seq, nth, target, part);
    }
  }

  /** Results for calls that were stored earlier; the first one decides. Call before adding a batch's own calls. */
  closeToolCalls(
    sessionId: number,
    results: readonly { readonly id: string; readonly isError: boolean }[],
  ): void {
    const open = new Set(this.sql.openToolCalls.pluck().all({ sessionId }) as string[]);
    if (open.size === 0) return;
    for (const { id, isError } of results) {
      if (open.has(id)) this.sql.closeToolCall.run({ sessionId, id, isError: Number(isError) });
    }
  }

  addSummaries(
    sessionId: number,
    summaries: readonly SummaryRecord[],
    toHash: (uuid: string) => number,
  ): void {
    for (const summary of summaries) {
      this.sql.insertSummary.run(sessionId, summary.seq, toHash(summary.leafUuid), summary.text);
    }
    if (summaries.length > 0) this.sql.unsettleSummarised.run(sessionId);
  }

  /** Records which entries a session holds, and links it with the sessions of its kind that hold one of them too. */
  addEntryUuids(sessionId: number, hashes: readonly number[]): void {
    if (hashes.length === 0) return;
    const rows = { sessionId, hashes: JSON.stringify(hashes) };
    this.sql.insertEntryUuids.run(rows);
    for (const { id } of this.sql.sessionsSharing.all(rows) as { id: number }[]) {
      this.sql.insertLink.run(sessionId, id);
      this.sql.insertLink.run(id, sessionId);
    }
  }

  /** A queued prompt that also came through as an ordinary one was typed once. */
  dropQueuedCopies(sessionId: number): void {
    for (const { id } of this.sql.queuedCopies.all({ sessionId }) as { id: number }[]) {
      this.sql.deleteOneMessageFts.run(id);
      this.sql.deleteOneMessage.run(id);
    }
  }

  readFacts(sessionId: number): SessionFacts {
    const row = this.sql.readFacts.get(sessionId) as Record<keyof SessionFacts, never> & {
      versions: string;
      models: string;
    };
    return { ...row, versions: JSON.parse(row.versions), models: JSON.parse(row.models) };
  }

  saveFacts(sessionId: number, facts: SessionFacts): void {
    this.sql.saveFacts.run({
      ...facts,
      sessionId,
      versions: JSON.stringify(facts.versions),
      models: JSON.stringify(facts.models),
    });
  }

  addSkipped(transcriptId: number, count: number, lines: readonly SkippedLine[]): void {
    if (count === 0) return;
    this.sql.countSkipped.run(count, transcriptId);
    const { kept } = this.sql.skippedKept.get(transcriptId) as { kept: number };
    for (const { line, reason } of lines.slice(0, Math.max(0, maxSkippedLinesKept - kept))) {
      this.sql.insertSkipped.run(transcriptId, line, reason);
    }
  }

  addUnknownType(transcriptId: number, type: string, version: string, count: number): void {
    this.sql.addUnknown.run(transcriptId, type, version, count);
  }
}

const factColumns: Readonly<Record<keyof SessionFacts, string>> = {
  parentClaudeId: 'parent_claude_id',
  firstCwd: 'first_cwd',
  lastCwd: 'last_cwd',
  relocatedCwd: 'relocated_cwd',
  continuedIn: 'continued_in',
  branch: 'branch',
  versions: 'versions',
  models: 'models',
  createdAt: 'first_timestamp',
  modifiedAt: 'last_timestamp',
  firstPrompt: 'first_prompt',
  lastPrompt: 'last_prompt',
  customTitle: 'custom_title',
  agentName: 'agent_name',
  aiTitle: 'ai_title',
  prNumber: 'pr_number',
  prUrl: 'pr_url',
  prRepository: 'pr_repository',
  compactionCount: 'compaction_count',
};

function prepareStatements(db: Database.Database) {
  const facts = Object.entries(factColumns);
  return {
    insertRoot: db.prepare('insert into root (path) values (?) on conflict do nothing'),
    rootId: db.prepare('select id from root where path = ?'),
    saveTranscript: db.prepare(`
      insert into transcript (root_id, path, kind, claude_id, parent_claude_id, slug, is_machinery, size_bytes, mtime_ms,
        ctime_ms, inode, bytes_read, lines_read, last_version, is_unterminated, fingerprint, parser_version, state, error)
      values (@rootId, @path, @kind, @claudeId, @parentClaudeId, @slug, @isMachinery, @sizeBytes, @mtimeMs,
        @ctimeMs, @inode, @bytesRead, @linesRead, @lastVersion, @isUnterminated, @fingerprint, @parserVersion, @state, @error)
      on conflict (root_id, path) do update set size_bytes = @sizeBytes, mtime_ms = @mtimeMs, ctime_ms = @ctimeMs,
        inode = @inode, bytes_read = @bytesRead, lines_read = @linesRead, last_version = @lastVersion, is_unterminated = @isUnterminated,
        fingerprint = @fingerprint, parser_version = @parserVersion, state = @state, error = @error
      returning id`),
    markFailed: db.prepare(
      "update transcript set state = 'failed', error = ? where root_id = ? and path = ?",
    ),
    markTranscriptGone: db.prepare("update transcript set state = 'gone' where id = ?"),
    markSessionGone: db.prepare('update session set is_gone = 1 where transcript_id = ?'),
    markRecoveredGone: db.prepare('update session set is_gone = 1 where id = ?'),
    resetTranscripts: db.prepare(
      'update transcript set parser_version = 0 where id in (select value from json_each(@ids))',
    ),
    sessionsOfTranscripts: db.prepare(
      'select id from session where transcript_id in (select value from json_each(@ids))',
    ),
    recoveredOf: db.prepare("select id from session where claude_id = ? and kind = 'history'"),
    sessionOfTranscript: db.prepare('select id from session where transcript_id = ?'),
    insertSession: db.prepare(`
      insert into session (root_id, transcript_id, claude_id, kind, slug, parent_claude_id, is_machinery)
      values (@rootId, @transcriptId, @claudeId, @kind, @slug, @parentClaudeId, @isMachinery)`),
    deleteSession: db.prepare('delete from session where id = ?'),
    deleteSessionFts: db.prepare('delete from session_fts where rowid = ?'),
    insertMessage: db.prepare(`
      insert into message (id, session_id, seq, uuid, role, kind, timestamp, text, is_sidechain)
      values (${messageId('@sessionId', '@seq')}, @sessionId, @seq, @uuid, @role, @kind, @timestamp, @text, @isSidechain)`),
    insertMessageFts: db.prepare(
      `insert into message_fts (rowid, text, stem, part) values (${messageId('?', '?')}, ?, ?, ?)`,
    ),
    deleteMessageFts: db.prepare(
      `delete from message_fts where rowid in (select id from message where ${isMessageOf('@sessionId')})`,
    ),
    deleteMessages: db.prepare(`delete from message where ${isMessageOf('@sessionId')}`),
    deleteOneMessageFts: db.prepare('delete from message_fts where rowid = ?'),
    deleteOneMessage: db.prepare('delete from message where id = ?'),
    queuedCopies: db.prepare(`
      select queued.id from message queued
      where ${isMessageOf('@sessionId', 'queued.id')} and queued.kind = 'queued' and exists (
        select 1 from message other
        where ${isMessageOf('@sessionId', 'other.id')} and other.role = 'user' and other.kind <> 'queued'
          and other.text = queued.text)`),
    insertToolCall: db.prepare(`
      insert into tool_call (id, session_id, seq, tool_use_id, name, target, is_error)
      values (${toolCallId('@sessionId', '@seq', '@nth')}, @sessionId, @seq, @toolUseId, @name, @target, @isError)`),
    insertToolCallFts: db.prepare(
      `insert into tool_call_fts (rowid, target, part) values (${toolCallId('?', '?', '?')}, ?, ?)`,
    ),
    deleteToolCallFts: db.prepare(
      `delete from tool_call_fts where rowid in (
        select id from tool_call where ${isToolCallOf('@sessionId')} and target is not null)`,
    ),
    deleteToolCalls: db.prepare(`delete from tool_call where ${isToolCallOf('@sessionId')}`),
    openToolCalls: db.prepare(
      `select tool_use_id from tool_call where ${isToolCallOf('@sessionId')} and tool_use_id is not null`,
    ),
    closeToolCall: db.prepare(
      `update tool_call set is_error = max(is_error, @isError),
        tool_use_id = iif(name in ('Task', 'Agent'), tool_use_id, null)
      where ${isToolCallOf('@sessionId')} and tool_use_id = @id`,
    ),
    insertSummary: db.prepare(
      'insert into summary (session_id, seq, leaf_hash, text) values (?, ?, ?, ?) on conflict do nothing',
    ),
    deleteSummaries: db.prepare('delete from summary where session_id = ?'),
    unsettleSummarised: db.prepare(`
      update session set is_unsettled = 1 where id in (
        select entry_uuid.session_id from summary join entry_uuid on entry_uuid.uuid_hash = summary.leaf_hash
        where summary.session_id = ?)`),
    insertEntryUuids: db.prepare(`
      insert into entry_uuid (uuid_hash, session_id) select value, @sessionId from json_each(@hashes) where true
      on conflict do nothing`),
    sessionsSharing: db.prepare(`
      select distinct other.id from json_each(@hashes) hash
      cross join entry_uuid on entry_uuid.uuid_hash = hash.value and entry_uuid.session_id <> @sessionId
      cross join session other on other.id = entry_uuid.session_id
      where other.kind = (select kind from session where id = @sessionId)`),
    insertLink: db.prepare(
      'insert into session_link (session_id, other_id) values (?, ?) on conflict do nothing',
    ),
    unsettleLinked: db.prepare(`
      update session set is_unsettled = 1 where conversation_id in (
        select conversation_id from session where id in (select value from json_each(@ids)))`),
    deleteLinks: db.prepare(`
      delete from session_link where session_id in (select value from json_each(@ids))
        or other_id in (select value from json_each(@ids))`),
    deleteEntryUuids: db.prepare(
      'delete from entry_uuid where session_id in (select value from json_each(@ids))',
    ),
    readFacts: db.prepare(
      `select ${facts.map(([name, column]) => `${column} as ${name}`).join(', ')} from session where id = ?`,
    ),
    saveFacts: db.prepare(
      `update session set ${facts.map(([name, column]) => `${column} = @${name}`).join(', ')}, is_unsettled = 1,
        is_gone = 0 where id = @sessionId`,
    ),
    countSkipped: db.prepare('update transcript set skipped_lines = skipped_lines + ? where id = ?'),
    resetSkippedCount: db.prepare('update transcript set skipped_lines = 0 where id = ?'),
    skippedKept: db.prepare('select count(*) as kept from skipped_line where transcript_id = ?'),
    insertSkipped: db.prepare(
      'insert into skipped_line (transcript_id, line, reason) values (?, ?, ?) on conflict do nothing',
    ),
    deleteSkipped: db.prepare('delete from skipped_line where transcript_id = ?'),
    addUnknown: db.prepare(`
      insert into unknown_type (transcript_id, type, version, count) values (?, ?, ?, ?)
      on conflict do update set count = count + excluded.count`),
    deleteUnknown: db.prepare('delete from unknown_type where transcript_id = ?'),
  };
}
