// Writes what was read from transcripts: files, sessions, messages; tool calls and entries have writers of their own.
// Prepared statements only, because this is the hot loop of indexing. What follows from several files together
// (titles, copies) is not decided here; a session that was touched is marked unsettled instead.

import type { IndexedMessage, SkippedLine } from '../../batch.ts';
import type { FileStamp, SessionFacts, TranscriptFile } from '../../records.ts';
import { toSearchable } from '../../text/words.ts';
import type { TranscriptState } from '../file-tables.ts';
import type { Database } from '../open/database.ts';
import { EntryWriter } from './entry-writer.ts';
import { findRootId } from './saved-snapshot.ts';
import { ToolCallWriter } from './tool-call-writer.ts';
import { prepareTranscriptStatements } from './transcript-statements.ts';
import { findUsedWords, WordFormWriter } from './word-forms.ts';

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

export interface NewSession {
  readonly id: number;
  readonly root: Root;
  readonly transcriptId: number;
  readonly file: TranscriptFile;
}

/** An agent's folder as the index knows it. */
export interface Root {
  readonly id: number;
  readonly agent: string;
}

/** What was added to a session. */
export interface AddedCounts {
  readonly messages: number;
  readonly chars: number;
  readonly toolCalls: number;
}

/** Bad lines kept with their reason, for each transcript; the rest are only counted. */
const maxSkippedLinesKept = 20;

export class TranscriptWriter {
  private readonly db: Database;
  private readonly sql: ReturnType<typeof prepareTranscriptStatements>;
  private readonly forms: WordFormWriter;
  readonly toolCalls: ToolCallWriter;
  readonly entries: EntryWriter;

  constructor(db: Database) {
    this.db = db;
    // Entry uuids are written all over their table: with SQLite's usual 2 MB most cost a page read from disk.
    db.pragma('cache_size = -8192');
    this.sql = prepareTranscriptStatements(db);
    this.forms = new WordFormWriter(db);
    this.toolCalls = new ToolCallWriter(this.sql);
    this.entries = new EntryWriter(this.sql);
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

  getRoot(agent: string, path: string): Root {
    const known = findRootId(this.db, agent, path);
    return { agent, id: known ?? Number(this.sql.insertRoot.run(agent, path).lastInsertRowid) };
  }

  saveTranscript(rootId: number, file: TranscriptFile, progress: TranscriptProgress): number {
    const row = { ...progress, isUnterminated: Number(progress.isUnterminated) };
    const id = this.sql.transcriptId.pluck().get(rootId, file.path) as number | undefined;
    if (id !== undefined) {
      this.sql.updateTranscript.run({ ...row, id });
      return id;
    }
    const { path, kind, nativeId } = file;
    const { lastInsertRowid } = this.sql.insertTranscript.run({
      ...row,
      ...{ rootId, path, kind, nativeId, isMachinery: Number(file.isMachinery) },
    });
    return Number(lastInsertRowid);
  }

  /** A file that could not be read: what is known of it stays, and the reason is kept. False when it is not known. */
  markFailed(rootId: number, path: string, reason: string): boolean {
    return this.sql.markFailed.run(reason, rootId, path).changes > 0;
  }

  /** The file is no longer there. What was read from it stays, marked. */
  markGone(transcriptId: number): void {
    this.sql.markTranscriptGone.run(transcriptId);
    for (const id of this.sql.sessionOfTranscript.pluck().all(transcriptId) as number[])
      this.sql.markSessionGone.run(id);
  }

  findSessionId(transcriptId: number): number | undefined {
    return this.sql.sessionOfTranscript.pluck().get(transcriptId) as number | undefined;
  }

  /** The session of a transcript that is seen for the first time, under the id that is kept for it. */
  insertSession(session: NewSession, facts: SessionFacts, added: AddedCounts): void {
    const { id, root, transcriptId, file } = session;
    const { nativeId, kind, slug } = file;
    const { agent, id: rootId } = root;
    // The transcript itself replaces what was recovered of it.
    for (const recovered of this.sql.recoveredOf.pluck().all(agent, nativeId) as number[])
      this.deleteSession(recovered);
    this.sql.insertSession.run({
      ...toFactValues(facts),
      ...added,
      ...{ id, rootId, transcriptId, agent, nativeId, kind, slug },
      isMachinery: Number(file.isMachinery),
    });
  }

  /** What its transcript now says that it is; the start of one may have been half written when it was first read. */
  saveIdentity(sessionId: number, transcriptId: number, { kind, nativeId }: TranscriptFile): void {
    this.sql.identifySession.run(kind, nativeId, sessionId);
    this.sql.identifyTranscript.run(kind, nativeId, transcriptId);
  }

  /** A session recovered without a transcript. */
  insertRecovered({ id, agent }: Root, nativeId: string, slug: string | null): number {
    return Number(this.sql.insertRecovered.run(id, agent, nativeId, slug).lastInsertRowid);
  }

  /** Removes a transcript's skipped lines and unknown types before it is read from the start. */
  clearFindings(transcriptId: number): void {
    this.sql.deleteSkipped.run(transcriptId);
    this.sql.deleteUnknown.run(transcriptId);
    this.sql.resetSkippedCount.run(transcriptId);
  }

  /** Removes all text of a session; the session itself stays. Its entries are removed by `entries.unlink`. */
  clearSession(sessionId: number): void {
    this.sql.deleteMessageFts.run({ sessionId });
    this.sql.deleteMessages.run({ sessionId });
    this.sql.deleteToolCallFts.run({ sessionId });
    this.sql.deleteToolCalls.run({ sessionId });
    this.sql.deleteWorkFts.run({ sessionId });
    this.sql.deleteWork.run({ sessionId });
    this.sql.deleteToolTexts.run({ sessionId });
    this.entries.unsettleSummarised(sessionId);
    this.sql.deleteSummaries.run(sessionId);
    this.sql.resetCounts.run(sessionId);
  }

  deleteSession(sessionId: number): void {
    this.clearSession(sessionId);
    this.entries.unlink(sessionId);
    this.sql.deleteSessionFts.run(sessionId);
    this.sql.deleteSession.run(sessionId);
  }

  addMessages(sessionId: number, messages: readonly IndexedMessage[]): void {
    for (const message of messages) {
      const { seq, uuid, role, kind, timestamp, isSidechain, text } = message;
      const place = [sessionId, seq, sessionId, seq] as const;
      this.sql.insertMessage.run(...place, uuid, role, kind, timestamp, Number(isSidechain), text);
      this.sql.insertMessageFts.run(sessionId, seq, toSearchable(text), message.part);
    }
  }

  addForms(words: readonly string[]): void {
    this.forms.add(words);
  }

  /** Only of words that occur somewhere: others would reveal what was withheld. */
  addUsedForms(words: readonly string[]): void {
    this.forms.add(findUsedWords(this.db, words));
  }

  /** A queued prompt that also came through as an ordinary one was typed once. `added` are the latest messages. */
  dropQueuedCopies(sessionId: number, added: readonly IndexedMessage[]): void {
    const queued = this.sql.queued.all({ sessionId }) as { id: number; text: string }[];
    if (queued.length === 0) return;
    // Of what was there before, only a prompt that is queued now can have its copy.
    const typed = new Set(
      added.some(({ kind }) => kind === 'queued')
        ? (this.sql.typed.pluck().all({ sessionId }) as string[])
        : added.filter(({ role }) => role === 'user').map(({ text }) => text),
    );
    for (const { id, text } of queued) {
      if (!typed.has(text)) continue;
      this.sql.deleteOneMessageFts.run(id);
      this.sql.deleteOneMessage.run(id);
      this.sql.uncountMessage.run(text.length, sessionId);
    }
  }

  readFacts(sessionId: number): SessionFacts {
    const row = this.sql.readFacts.get(sessionId) as Record<keyof SessionFacts, never> & {
      versions: string;
      models: string;
    };
    return { ...row, versions: JSON.parse(row.versions), models: JSON.parse(row.models) };
  }

  /** With what was added to the session: its row is written once for both. */
  saveFacts(sessionId: number, facts: SessionFacts, added: AddedCounts): void {
    this.sql.saveFacts.run({ ...toFactValues(facts), ...added, sessionId });
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

function toFactValues(facts: SessionFacts) {
  return { ...facts, versions: JSON.stringify(facts.versions), models: JSON.stringify(facts.models) };
}
