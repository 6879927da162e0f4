// Reads planned transcripts and writes what they hold: a loop over what the reader finds, in the order of the plan. While
// something is inserted here, the reader's threads read on.

import { join } from 'node:path';
import type { Batch } from '../batch.ts';
import type { Root } from '../records.ts';
import type { ReadEnd, ReadJob } from '../sources/source.ts';
import { collectGarbage } from './collect-garbage.ts';
import type { PlannedRead } from './plan.ts';
import { openReader, type ReaderThreads, type ReadFailure } from './reader.ts';
import type { IndexReport, Progress } from './report.ts';
import type { TranscriptSink } from './transcript-sink.ts';

export interface ReadAllOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /**
   * True once no further file should be started; what is left is counted as pending. With a share, once that much of the
   * time is gone.
   */
  readonly isTimeUp: (share?: number) => boolean;
  readonly threads: ReaderThreads;
}

interface Manner extends ReadAllOptions {
  readonly root: Root;
  readonly isRedacting: boolean;
  readonly keepsWork: boolean;
}

/** Reading less leaves nothing behind that is worth the time. */
const collectedBytes = 256 * 1024 * 1024;

/** The paths of files that were not read to their end. */
export async function readAll(
  reads: readonly PlannedRead[],
  sink: TranscriptSink,
  options: Manner,
  report: IndexReport,
): Promise<string[]> {
  if (reads.length === 0) return [];
  const { signal } = options;
  const run = new Run(reads, sink, options, report);
  const jobs = run.toRead.map((read) => toJob(read, options));
  const reader = openReader(run.bytesTotal, options.threads, run.shouldStop);
  const stop = () => reader.stop();
  signal.addEventListener('abort', stop);
  try {
    for await (const found of reader.read(jobs)) {
      if ('batch' in found) run.add(found.nth, found.batch);
      else if ('failure' in found) run.fail(found.nth, found.failure);
      else run.finish(found.nth, found.end);
      if (run.shouldStop()) reader.stop();
    }
    run.recordMachinery(reads.length);
  } finally {
    signal.removeEventListener('abort', stop);
    await reader.close();
  }
  sink.flush();
  // Before the next files, which may bring another thread.
  if (run.bytesTotal >= collectedBytes) collectGarbage();
  signal.throwIfAborted();
  return run.unfinished;
}

/** One pass over the plan: what becomes of each file, and how far the pass has come. */
class Run {
  /** The reads whose text is of interest; `nth` counts these. */
  readonly toRead: readonly PlannedRead[];
  readonly bytesTotal: number;
  readonly unfinished: string[] = [];
  readonly shouldStop: () => boolean;
  private readonly reads: readonly PlannedRead[];
  private readonly sink: TranscriptSink;
  private readonly options: Manner;
  private readonly report: IndexReport;
  private recorded = 0;
  /** Of the file at hand: whether it turned out to be written anew, and how far it was read. */
  private isReadAnew = false;
  private bytesRead: number | null = null;
  private filesDone = 0;
  private bytesDone = 0;

  constructor(reads: readonly PlannedRead[], sink: TranscriptSink, options: Manner, report: IndexReport) {
    this.reads = reads;
    this.sink = sink;
    this.options = options;
    this.report = report;
    this.toRead = reads.filter((read) => !read.file.isMachinery);
    this.bytesTotal = reads.reduce((sum, read) => sum + toBytes(read), 0);
    this.shouldStop = () => options.signal.aborted || options.isTimeUp();
  }

  add(nth: number, batch: Batch): void {
    const read = this.start(nth);
    // What was read before is no longer the same: the file did not merely grow.
    if (batch.isRestart && read.change === 'grown' && toBytesBefore(read) > 0) this.isReadAnew = true;
    this.bytesRead = batch.bytesRead;
    this.sink.add(read, batch);
  }

  finish(nth: number, end: ReadEnd): void {
    const read = this.start(nth);
    if (end === 'whole') {
      this.report.files[this.isReadAnew ? 'rewritten' : read.change]++;
      this.advance(read);
    } else this.leave(read, this.bytesRead ?? undefined);
    this.forgetLast();
  }

  fail(nth: number, { code, reason }: ReadFailure): void {
    const read = this.start(nth);
    // Deleted since it was found: the next run will see that it is gone.
    if (code !== 'ENOENT') {
      this.sink.recordFailure(read, reason);
      this.report.fail(join(this.options.root.path, read.file.path), reason);
    }
    this.unfinished.push(read.file.path);
    this.advance(read);
    this.forgetLast();
  }

  private forgetLast(): void {
    this.isReadAnew = false;
    this.bytesRead = null;
  }

  /** Of the files before a place in the plan, those that are not read but only recorded: in its order, so that rows are appended. */
  recordMachinery(before: number): void {
    for (; this.recorded < before; this.recorded++) {
      const read = this.reads[this.recorded];
      if (read === undefined || !read.file.isMachinery) continue;
      if (this.shouldStop()) {
        this.leave(read);
        continue;
      }
      this.sink.recordMachinery(read);
      this.advance(read);
    }
  }

  private start(nth: number): PlannedRead {
    const read = this.toRead[nth];
    if (read === undefined) throw new Error(`nobody asked for a job ${nth}`);
    while (this.reads[this.recorded] !== read) this.recordMachinery(this.recorded + 1);
    return read;
  }

  private leave(read: PlannedRead, bytesRead = toBytesBefore(read)): void {
    this.unfinished.push(read.file.path);
    this.report.pendingFiles++;
    if (read.change === 'rewritten') this.report.pendingAgain++;
    if (!read.file.isMachinery) this.report.pendingBytes += Math.max(0, read.file.sizeBytes - bytesRead);
  }

  private advance(read: PlannedRead): void {
    this.filesDone++;
    this.bytesDone += toBytes(read);
    this.options.onProgress({
      filesDone: this.filesDone,
      filesTotal: this.reads.length,
      bytesDone: this.bytesDone,
      bytesTotal: this.bytesTotal,
    });
  }
}

function toJob(
  { file, known, change, readPath }: PlannedRead,
  { root, isRedacting, keepsWork }: Manner,
): ReadJob {
  const { sizeBytes } = file;
  const isContinued = change === 'grown' && known !== null && known.bytesRead > 0;
  return {
    agent: root.agent,
    path: readPath ?? join(root.path, file.path),
    kind: isContinued ? known.kind : file.kind,
    sizeBytes,
    isRedacting,
    keepsWork,
    from: isContinued
      ? { bytes: known.bytesRead, lines: known.linesRead, version: known.lastVersion }
      : { bytes: 0, lines: 0, version: null },
    fingerprint: isContinued ? known.fingerprint : null,
  };
}

function toBytes(read: PlannedRead): number {
  return read.file.isMachinery ? 0 : Math.max(0, read.file.sizeBytes - toBytesBefore(read));
}

function toBytesBefore({ change, known }: PlannedRead): number {
  return change === 'grown' ? (known?.bytesRead ?? 0) : 0;
}
