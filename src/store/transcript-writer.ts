// Writes what was read from transcripts: files, sessions, messages, tool calls. Prepared statements only, because
// this is the hot loop of indexing. What follows from several files together (titles, copies, counts) is not
// decided here; a session that was touched is marked unsettled instead.

import type Database from 'better-sqlite3';
import type {
  FileStamp,
  MessageRecord,
  SessionFacts,
  SummaryRecord,
  ToolCallRecord,
  TranscriptFile,
} from '../records.ts';
import { toSearchable } from '../text/words.ts';
import { packHashes, unpackHashes } from './packed-hashes.ts';
import { maxCallsPerLine } from './row-ids.ts';
import { findRootId } from './saved-snapshot.ts';
import type { TranscriptState } from './schema.ts';
import { prepareTranscriptStatements } from './transcript-statements.ts';
import { WordFormWriter } from './word-forms.ts';

/** A message with the parts of its identifiers, which its index row needs. */
export interface IndexedMessage extends MessageRecord {
  readonly part: string;
}

export interface IndexedToolCall extends ToolCallRecord {
  readonly part: string;
}

/** How far a transcript has been read, and what it looked like then. */
export interface TranscriptProgress extends FileStamp {
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

/** A call that waits for its result. */
interface OpenCall {
  readonly id: number;
  readonly toolUseId: string;
  readonly name: string;
}

/** Bad lines kept with their reason, for each transcript; the rest are only counted. */
const maxSkippedLinesKept = 20;

export class TranscriptWriter {
  private readonly db: Database.Database;
  private readonly sql: ReturnType<typeof prepareTranscriptStatements>;
  private readonly forms: WordFormWriter;
  /** Entries that summaries name and that were looked for in all sessions there were. */
  private soughtLeaves: Set<number> | null = null;

  constructor(db: Database.Database) {
    this.db = db;
    // Entry uuids are written all over their table: with SQLite's usual 2 MB most cost a page read from disk.
    db.pragma('cache_size = -8192');
    this.sql = prepareTranscriptStatements(db);
    this.forms = new WordFormWriter(db);
  }

  get isInTransaction(): boolean {
    return this.db.inTransaction;
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
    const known = findRootId(this.db, path);
    if (known !== undefined) return known;
    return Number(this.sql.insertRoot.run(path).lastInsertRowid);
  }

  /** Ids above this one are free. */
  readLastSessionId(): number {
    return this.sql.lastSessionId.pluck().get() as number;
  }

  saveTranscript(rootId: number, file: TranscriptFile, progress: TranscriptProgress): number {
    const row = { ...progress, isUnterminated: Number(progress.isUnterminated) };
    const id = this.sql.transcriptId.pluck().get(rootId, file.path) as number | undefined;
    if (id !== undefined) {
      this.sql.updateTranscript.run({ ...row, id });
      return id;
    }
    const { path, kind, claudeId, parentClaudeId, slug } = file;
    const { lastInsertRowid } = this.sql.insertTranscript.run({
      ...row,
      ...{ rootId, path, kind, claudeId, parentClaudeId, slug, isMachinery: Number(file.isMachinery) },
    });
    return Number(lastInsertRowid);
  }

  /** A file that could not be read: what is known of it stays, and the reason is kept. False when it is not known. */
  markFailed(rootId: number, path: string, reason: string): boolean {
    return this.sql.markFailed.run(reason, rootId, path).changes > 0;
  }

  /** The file is no longer there. Its session stays, marked. */
  markGone(transcriptId: number): void {
    this.sql.markTranscriptGone.run(transcriptId);
    this.sql.markSessionGone.run(transcriptId);
  }

  /** The session of a transcript, made on first sight under the id that is kept for it. */
  getSessionId(rootId: number, transcriptId: number, file: TranscriptFile, newId: number | null): number {
    const known = this.sql.sessionOfTranscript.get(transcriptId) as { id: number } | undefined;
    if (known !== undefined) return known.id;
    // The transcript itself replaces what was recovered of it.
    for (const { id } of this.sql.recoveredOf.all(file.claudeId) as { id: number }[]) this.deleteSession(id);
    const { lastInsertRowid } = this.sql.insertSession.run({
      id: newId,
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

  /** A session recovered without a transcript. */
  insertRecovered(rootId: number, claudeId: string, slug: string | null): number {
    const kind = 'history';
    const row = { rootId, transcriptId: null, claudeId, kind, slug, parentClaudeId: null, isMachinery: 0 };
    const id = Number(this.sql.insertSession.run({ id: null, ...row }).lastInsertRowid);
    this.sql.markSessionIdGone.run(id);
    return id;
  }

  /** Takes a transcript's skipped lines and unknown types away, before it is read from the start. */
  clearFindings(transcriptId: number): void {
    this.sql.deleteSkipped.run(transcriptId);
    this.sql.deleteUnknown.run(transcriptId);
    this.sql.resetSkippedCount.run(transcriptId);
  }

  /** Takes all text of a session away; the session itself stays. Its entry uuids go with `unlinkSession`. */
  clearSession(sessionId: number): void {
    this.sql.deleteMessageFts.run({ sessionId });
    this.sql.deleteMessages.run({ sessionId });
    this.sql.deleteToolCallFts.run({ sessionId });
    this.sql.deleteToolCalls.run({ sessionId });
    this.unsettleSummarised(sessionId);
    this.sql.deleteSummaries.run(sessionId);
    this.sql.resetCounts.run(sessionId);
  }

  /** Forgets which entries a session holds and which sessions are copies of it; those are settled anew. */
  unlinkSession(sessionId: number): void {
    for (const id of this.sql.conversationOf.pluck().all(sessionId) as number[]) this.sql.unsettle.run(id);
    this.sql.deleteLinksTo.run({ sessionId });
    this.sql.deleteLinks.run(sessionId);
    for (const block of this.sql.entryBlocks.pluck().all({ sessionId }) as Buffer[]) {
      this.sql.deleteEntryUuids.run({ sessionId, hashes: JSON.stringify(unpackHashes(block)) });
    }
    this.sql.deleteEntryBlocks.run({ sessionId });
    this.sql.deleteLeaves.run(sessionId);
  }

  deleteSession(sessionId: number): void {
    this.clearSession(sessionId);
    this.unlinkSession(sessionId);
    this.sql.deleteSessionFts.run(sessionId);
    this.sql.deleteSession.run(sessionId);
  }

  addMessages(sessionId: number, messages: readonly IndexedMessage[]): void {
    let chars = 0;
    for (const message of messages) {
      const { seq, uuid, role, kind, timestamp, text } = message;
      chars += text.length;
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
      this.sql.insertMessageFts.run(sessionId, seq, toSearchable(text), message.part);
    }
    if (messages.length > 0)
      this.sql.count.run({ sessionId, messages: messages.length, chars, toolCalls: 0 });
  }

  addForms(words: readonly string[]): void {
    this.forms.add(words);
  }

  addToolCalls(sessionId: number, calls: readonly IndexedToolCall[]): void {
    let nth = 0;
    let lastSeq = 0;
    let added = 0;
    for (const { seq, toolUseId, name, target, part, isError } of calls) {
      nth = seq === lastSeq ? nth + 1 : 0;
      lastSeq = seq;
      if (nth >= maxCallsPerLine) continue;
      added++;
      this.sql.insertToolCall.run({ sessionId, seq, nth, toolUseId, name, target, isError: Number(isError) });
      if (target !== null) this.sql.insertToolCallFts.run(sessionId, seq, nth, target, part);
    }
    if (added > 0) this.sql.count.run({ sessionId, messages: 0, chars: 0, toolCalls: added });
  }

  /** Results for calls that were stored earlier; the first one decides. Call before adding a batch's own calls. */
  closeToolCalls(
    sessionId: number,
    results: readonly { readonly id: string; readonly isError: boolean }[],
  ): void {
    if (results.length === 0) return;
    const open = new Map<string, OpenCall[]>();
    for (const call of this.sql.openToolCalls.all({ sessionId }) as OpenCall[]) {
      const calls = open.get(call.toolUseId);
      if (calls === undefined) open.set(call.toolUseId, [call]);
      else calls.push(call);
    }
    for (const { id, isError } of results) {
      const calls = open.get(id);
      if (calls === undefined) continue;
      for (const call of calls) this.sql.closeToolCall.run({ id: call.id, isError: Number(isError) });
      open.set(
        id,
        calls.filter((call) => keepsToolUseId(call.name)),
      );
    }
  }

  addSummaries(
    sessionId: number,
    summaries: readonly SummaryRecord[],
    toHash: (uuid: string) => number,
  ): void {
    for (const summary of summaries) {
      const { seq, text, leafUuid } = summary;
      const leafHash = toHash(leafUuid);
      const isForgotten = this.sql.isForgottenLeaf.get(leafHash) !== undefined;
      if (!isForgotten) this.sql.insertSummary.run({ sessionId, seq, text, leafHash });
    }
    if (summaries.length > 0) this.unsettleSummarised(sessionId);
  }

  /** The sessions that this one's summaries speak of may get another title. */
  private unsettleSummarised(sessionId: number): void {
    for (const id of this.sql.summarised.pluck().all(sessionId) as number[]) this.sql.unsettle.run(id);
  }

  /**
   * Records which entries a session holds, up to line `seq`. By those with a message it is linked with the sessions of
   * its kind that hold one of them too.
   */
  addEntries(
    sessionId: number,
    seq: number,
    hashes: readonly number[],
    messageHashes: readonly number[],
  ): void {
    if (hashes.length === 0) return;
    this.sql.insertEntryBlock.run(sessionId, seq, packHashes(hashes));
    this.soughtLeaves ??= new Set(this.sql.soughtLeaves.pluck().all() as number[]);
    if (this.soughtLeaves.size > 0) {
      for (const hash of hashes) if (this.soughtLeaves.has(hash)) this.sql.insertLeaf.run(hash, sessionId);
    }
    if (messageHashes.length === 0) return;
    for (const hash of messageHashes) this.sql.insertEntryUuid.run(hash, sessionId);
    const rows = { sessionId, hashes: JSON.stringify(messageHashes) };
    for (const { id } of this.sql.sessionsSharing.all(rows) as { id: number }[]) {
      this.sql.insertLink.run(sessionId, id);
      this.sql.insertLink.run(id, sessionId);
    }
  }

  /** A queued prompt that also came through as an ordinary one was typed once. */
  dropQueuedCopies(sessionId: number): void {
    const queued = this.sql.queued.all({ sessionId }) as { id: number; text: string }[];
    if (queued.length === 0) return;
    const typed = new Set(this.sql.typed.pluck().all({ sessionId }) as string[]);
    for (const { id, text } of queued) {
      if (!typed.has(text)) continue;
      this.sql.deleteOneMessageFts.run(id);
      this.sql.deleteOneMessage.run(id);
      this.sql.count.run({ sessionId, messages: -1, chars: -text.length, toolCalls: 0 });
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
