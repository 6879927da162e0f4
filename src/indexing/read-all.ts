// Reads planned transcripts and writes what they hold: a loop over what the reader finds, in the order of the plan. While
// something is inserted here, the reader's threads read on. A batch of text and the note of how far its file was read are
// written in one transaction.

import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Batch, hashUuid, type IndexedMessage } from '../batch.ts';
import {
  type HistoryPrompt,
  maxSeq,
  mergeFacts,
  noFacts,
  type Progress,
  type Root,
  type SessionFacts,
  type TranscriptFile,
} from '../records.ts';
import type { ReadJob, Source } from '../sources/source.ts';
import type { Database } from '../store/open/database.ts';
import type { Store } from '../store/open/open-store.ts';
import type { KnownFiles, KnownTranscript, TranscriptProgress } from '../store/read/known-files.ts';
import { dropSnapshot } from '../store/write/saved-snapshot.ts';
import type { AddedCounts, RootRow, TranscriptWriter } from '../store/write/transcript-writer.ts';
import { identify, isCheck, type PlannedRead } from './plan.ts';
import { type Found, openReader, type ReaderThreads } from './reader.ts';
import type { IndexReport } from './report.ts';

export interface ReadAllOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** No further file should be started; what is left counts as pending. With a share, once that much of the time is gone. */
  readonly isTimeUp: (share?: number) => boolean;
  readonly threads: ReaderThreads;
}

/** A root while what has changed in it is brought into the index. */
export interface RootUpdate extends ReadAllOptions {
  readonly store: Store;
  readonly writer: TranscriptWriter;
  readonly report: IndexReport;
  readonly root: Root;
  readonly rootRow: RootRow;
  readonly source: Source;
  readonly known: KnownFiles;
  /** The ids of sessions that were forgotten. */
  readonly tombstones: ReadonlySet<string>;
  readonly isRedacting: boolean;
  readonly keepsToolTexts: boolean;
  /** What was read before is compared as a whole. */
  readonly isChecking: boolean;
}

/** From so many bytes on, collecting the garbage they leave is worth its time. */
const collectedBytes = 256 * 1024 * 1024;

/** The paths of files that were not read to their end. */
export async function readAll(
  reads: readonly PlannedRead[],
  sink: TranscriptSink,
  update: RootUpdate,
): Promise<string[]> {
  if (reads.length === 0) return [];
  const { signal, report } = update;
  /** The reads whose text is of interest; `nth` of what is found counts these. */
  const toRead = reads.filter((read) => !read.file.isMachinery);
  const bytesTotal = reads.reduce((sum, read) => sum + countBytes(read), 0);
  const unfinished: string[] = [];
  const shouldStop = () => signal.aborted || update.isTimeUp();

  let filesDone = 0;
  let bytesDone = 0;
  const advance = (read: PlannedRead) => {
    filesDone++;
    bytesDone += countBytes(read);
    update.onProgress({ filesDone, filesTotal: reads.length, bytesDone, bytesTotal });
  };
  const leave = (read: PlannedRead, bytesRead = countBytesBefore(read)) => {
    unfinished.push(read.file.path);
    report.pendingFiles++;
    if (read.change === 'rewritten') report.pendingAgain++;
    if (!read.file.isMachinery) report.pendingBytes += Math.max(0, read.file.sizeBytes - bytesRead);
  };

  let recorded = 0;
  /** Records the files up to this one that are not read, in the order of the plan, so that rows are appended. */
  const recordMachinery = (until?: PlannedRead) => {
    for (; recorded < reads.length && reads[recorded] !== until; recorded++) {
      const read = reads[recorded] as PlannedRead;
      if (!read.file.isMachinery) continue;
      if (shouldStop()) leave(read);
      else {
        sink.recordMachinery(read);
        advance(read);
      }
    }
  };

  // Of the file at hand: whether it turned out to be written anew, and how far it was read.
  let isReadAnew = false;
  let bytesRead: number | undefined;
  const take = (found: Found) => {
    const read = toRead[found.nth];
    if (read === undefined) throw new Error(`nobody asked for a job ${found.nth}`);
    recordMachinery(read);
    if ('batch' in found) {
      // What was read before is no longer the same: the file did not merely grow.
      if (found.batch.isRestart && read.change === 'grown' && countBytesBefore(read) > 0) isReadAnew = true;
      bytesRead = found.batch.bytesRead;
      if (isCheck(read) && !isReadAnew) sink.recordChecked(read, found.batch);
      else sink.add(read, found.batch);
      return;
    }
    if ('failure' in found) {
      const { code, reason } = found.failure;
      // Deleted since it was found: the next run will see that it is gone.
      if (code !== 'ENOENT') {
        sink.recordFailure(read, reason);
        report.fail(join(update.root.path, read.file.path), reason);
      }
      unfinished.push(read.file.path);
      advance(read);
    } else if (found.end === 'whole') {
      report.files[isReadAnew ? 'rewritten' : isCheck(read) ? 'unchanged' : read.change]++;
      advance(read);
    } else leave(read, bytesRead);
    isReadAnew = false;
    bytesRead = undefined;
  };

  const reader = openReader(update.source, bytesTotal, update.threads, shouldStop);
  const stop = () => reader.stop();
  signal.addEventListener('abort', stop);
  try {
    for await (const found of reader.read(toRead.map((read) => toJob(read, sink, update)))) {
      take(found);
      if (shouldStop()) reader.stop();
    }
    recordMachinery();
  } finally {
    signal.removeEventListener('abort', stop);
    await reader.close();
  }
  sink.flush();
  // Before the next files, which may bring another thread.
  if (bytesTotal >= collectedBytes) collectGarbage();
  signal.throwIfAborted();
  return unfinished;
}

function toJob(
  { file, known, change, readPath }: PlannedRead,
  sink: TranscriptSink,
  { root, isRedacting, keepsToolTexts, isChecking }: RootUpdate,
): ReadJob {
  const { sizeBytes } = file;
  const isContinued = change === 'grown' && known !== null && known.bytesRead > 0;
  return {
    path: readPath ?? join(root.path, file.path),
    kind: isContinued ? known.kind : file.kind,
    sizeBytes,
    isRedacting,
    keepsToolTexts,
    isChecking,
    from: isContinued
      ? { bytes: known.bytesRead, lines: known.linesRead, version: known.lastVersion }
      : { bytes: 0, lines: 0, version: null },
    fingerprint: isContinued ? known.fingerprint : null,
    knownUuids: isContinued ? sink.readUuids(known) : null,
  };
}

function countBytes(read: PlannedRead): number {
  return read.file.isMachinery ? 0 : Math.max(0, read.file.sizeBytes - countBytesBefore(read));
}

function countBytesBefore({ change, known }: PlannedRead): number {
  return change === 'grown' ? (known?.bytesRead ?? 0) : 0;
}

/** A transaction is committed when it holds this much text, or rows of this many files. */
const transactionChars = 8 * 1024 * 1024;
const transactionFiles = 2000;

export class TranscriptSink {
  onPrompts: (prompts: readonly HistoryPrompt[]) => void = () => {};
  private readonly writer: TranscriptWriter;
  private readonly db: Database;
  private readonly update: RootUpdate;
  private isOpen = false;
  private chars = 0;
  private files = 0;
  private hasWritten = false;
  /** Words that a reader reports only once, and did with what is to be forgotten: others may hold them too. */
  private readonly withheld: string[] = [];
  private hasFailed = false;

  constructor(update: RootUpdate) {
    this.writer = update.writer;
    this.db = update.store.db;
    this.update = update;
  }

  add(read: PlannedRead, batch: Batch): void {
    this.update.report.bytesRead += batch.bytesRead - batch.bytesFrom;
    this.write(() => this.writeBatch(read, batch));
  }

  /** Of what was read of a transcript. */
  readUuids({ id }: KnownTranscript): Uint8Array | null {
    const sessionId = this.writer.findSessionId(id);
    return sessionId === undefined ? null : this.writer.entries.readWholeHashes(sessionId);
  }

  recordChecked(read: PlannedRead, batch: Batch): void {
    this.write(() => this.saveTranscript(read, { ...batch, state: 'current' }));
  }

  recordMachinery(read: PlannedRead): void {
    this.write(() => {
      const transcriptId = this.saveTranscript(read, { bytesRead: 0, linesRead: 0, state: 'current' });
      const added = { messages: 0, chars: 0, toolCalls: 0 };
      const sessionId = this.saveSession(read, transcriptId, { facts: noFacts, added, isRestart: false });
      this.update.report.files[read.change]++;
      this.update.report.touchedSessions.add(sessionId);
    });
  }

  recordFailure(read: PlannedRead, reason: string): void {
    this.write(() => {
      // What an earlier batch has stored stays, with the note of how far it reaches.
      const isStored = this.writer.markFailed(this.update.rootRow.id, read.file.path, reason);
      if (!isStored)
        this.saveTranscript(read, { bytesRead: 0, linesRead: 0, state: 'failed', error: reason });
    });
  }

  markGone(transcripts: readonly KnownTranscript[]): void {
    if (transcripts.length === 0) return;
    this.write(() => {
      for (const { id } of transcripts) this.writer.markGone(id);
    });
    this.update.report.files.gone += transcripts.length;
    this.flush();
  }

  flush(): void {
    if (!this.isOpen) return;
    this.refuseAfterFailure();
    if (this.withheld.length > 0) this.writer.addUsedForms(this.withheld);
    this.db.exec('commit');
    this.isOpen = false;
    this.chars = 0;
    this.files = 0;
  }

  private writeBatch(planned: PlannedRead, batch: Batch): void {
    const { writer, update } = this;
    const read = identify(planned, batch.identity);
    const { file } = read;
    const { isRestart } = batch;
    const transcriptId = this.saveTranscript(read, { ...batch, state: 'current' }, batch.isLast);
    this.writeFindings(read, transcriptId, batch);
    if (file.kind === 'history') {
      this.onPrompts(batch.prompts);
      return;
    }
    if (this.isWithheld(file, transcriptId, batch)) {
      for (const word of batch.forms) this.withheld.push(word);
      return;
    }

    const messages = withoutQueuedCopies(batch.messages);
    const chars = messages.reduce((sum, { text }) => sum + text.length, 0);
    const added = { messages: messages.length, chars, toolCalls: batch.toolCalls.length };
    const sessionId = this.saveSession(read, transcriptId, { facts: batch.facts, added, isRestart });
    writer.addMessages(sessionId, messages);
    writer.forms.add(batch.forms);
    const earlier = writer.toolCalls.close(sessionId, batch);
    writer.toolCalls.add(sessionId, batch.toolCalls);
    writer.toolCalls.addToolTexts(sessionId, batch.toolTexts, earlier);
    writer.entries.addSummaries(sessionId, batch.summaries, hashUuid);
    writer.entries.add(sessionId, Math.min(batch.linesRead, maxSeq), batch);
    // What was typed or queued in an earlier batch may have its copy here.
    if (!isRestart && messages.some(({ role }) => role === 'user'))
      writer.dropQueuedCopies(sessionId, messages);

    this.chars += batch.chars;
    update.report.messages += batch.messages.length;
    update.report.touchedSessions.add(sessionId);
  }

  /** Forgotten, or belongs to a forgotten session. The rest of a transcript whose start was withheld names neither. */
  private isWithheld(file: TranscriptFile, transcriptId: number, batch: Batch): boolean {
    if (!batch.isRestart && this.writer.findSessionId(transcriptId) === undefined) return true;
    const owners = [file.nativeId, file.parentNativeId ?? batch.facts.parentNativeId];
    return owners.some((id) => id !== null && this.update.tombstones.has(id));
  }

  private writeFindings(read: PlannedRead, transcriptId: number, batch: Batch): void {
    const { writer, update } = this;
    if (batch.isRestart && read.known !== null) writer.clearFindings(transcriptId);
    writer.addSkipped(transcriptId, batch.skippedCount, batch.skipped);
    update.report.skippedLines += batch.skippedCount;
    update.report.unnamedLines += batch.skippedCount - batch.skipped.length;
    const path = join(update.root.path, read.file.path);
    update.report.skipped.push(...batch.skipped.map((skipped) => ({ path, ...skipped })));
    writer.addUnknownTypes(transcriptId, batch.unknownTypes);
    const { unknownTypes } = update.report;
    for (const [type, , count] of batch.unknownTypes) unknownTypes[type] = (unknownTypes[type] ?? 0) + count;
  }

  /** The id of the transcript's session, which now has these facts too; after a restart it has nothing else. */
  private saveSession(
    { file, newId }: PlannedRead,
    transcriptId: number,
    { facts: found, added, isRestart }: { facts: SessionFacts; added: AddedCounts; isRestart: boolean },
  ): number {
    const { writer } = this;
    const known = writer.findSessionId(transcriptId);
    if (known !== undefined && isRestart) {
      writer.entries.unlink(known);
      writer.clearSession(known);
    }
    const facts = known === undefined || isRestart ? found : mergeFacts(writer.readFacts(known), found);
    const named = { ...facts, parentNativeId: file.parentNativeId ?? facts.parentNativeId };
    if (known !== undefined) {
      if (isRestart) writer.saveIdentity(known, transcriptId, file);
      writer.saveFacts(known, named, added);
      return known;
    }
    writer.insertSession({ id: newId, root: this.update.rootRow, transcriptId, file }, named, added);
    return newId;
  }

  /** Until the last batch is in, the recorded size is what was read, so that the next run goes on from there. */
  private saveTranscript(
    { file }: PlannedRead,
    progress: Pick<TranscriptProgress, 'bytesRead' | 'linesRead' | 'state'> & Partial<TranscriptProgress>,
    isLast = true,
  ): number {
    return this.writer.saveTranscript(this.update.rootRow.id, file, {
      sizeBytes: isLast ? file.sizeBytes : progress.bytesRead,
      mtimeMs: isLast ? file.mtimeMs : 0,
      ctimeMs: isLast ? file.ctimeMs : 0,
      inode: file.inode,
      bytesRead: progress.bytesRead,
      linesRead: progress.linesRead,
      lastVersion: progress.lastVersion ?? null,
      isUnterminated: progress.isUnterminated ?? false,
      fingerprint: progress.fingerprint ?? '',
      parserVersion: this.update.source.parserVersion,
      state: progress.state,
      error: progress.error ?? null,
    });
  }

  /** Runs inside a transaction. One in which something failed half way is never committed. */
  private write(run: () => void): void {
    if (this.isOpen) this.refuseAfterFailure();
    else {
      this.db.exec('begin immediate');
      this.isOpen = true;
      if (!this.hasWritten) dropSnapshot(this.db, this.update.rootRow.id);
      this.hasWritten = true;
    }
    this.hasFailed = true;
    run();
    this.hasFailed = false;
    this.files++;
    if (this.chars < transactionChars && this.files < transactionFiles) return;
    this.flush();
    collectGarbage();
  }

  /** Nothing more may be written, least of all without a transaction where a full disk has rolled it back. */
  private refuseAfterFailure(): void {
    if (this.hasFailed || !this.db.inTransaction)
      throw new Error('something before this could not be written');
  }
}

/** Copies in different batches are removed when they are in the index already, which costs much more. */
function withoutQueuedCopies(messages: readonly IndexedMessage[]): readonly IndexedMessage[] {
  if (!messages.some(({ kind }) => kind === 'queued')) return messages;
  const typed = new Set<string>();
  for (const { role, kind, text } of messages) if (role === 'user' && kind !== 'queued') typed.add(text);
  return messages.filter(({ kind, text }) => kind !== 'queued' || !typed.has(text));
}

let collect: (() => void) | null = null;

/** Node would let hundreds of megabytes of text pile up first. Takes some 50 ms, so it is for after a large transaction. */
export function collectGarbage(): void {
  if (collect === null) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
