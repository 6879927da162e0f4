// Reads planned transcripts and hands what they hold to the sink. Files go to the readers in parcels, of which a bounded
// number is under way; what was read is inserted here meanwhile.

import { join } from 'node:path';
import pLimit from 'p-limit';
import type { ReadJob } from '../sources/transcript/read-transcript.ts';
import { collectGarbage } from './collect-garbage.ts';
import type { PlannedRead } from './plan.ts';
import { type Found, openReader, type Reader, type ReaderThreads, type ReadFailure } from './reader.ts';
import type { IndexReport, Progress } from './report.ts';
import type { TranscriptSink } from './transcript-sink.ts';

export interface ReadAllOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** True once no further file should be started; what is left is counted as pending. */
  readonly isTimeUp: () => boolean;
  readonly threads: ReaderThreads;
}

interface Manner extends ReadAllOptions {
  readonly isRedacting: boolean;
}

/** Many files are small; sending each on its own would cost more than reading it. */
const parcelBytes = 4 * 1024 * 1024;
const parcelFiles = 64;

/** Reading less leaves nothing behind that is worth the time. */
const collectedBytes = 256 * 1024 * 1024;

/** The paths of files that were not read to their end. */
export async function readAll(
  reads: readonly PlannedRead[],
  root: string,
  sink: TranscriptSink,
  options: Manner,
  report: IndexReport,
): Promise<string[]> {
  if (reads.length === 0) return [];
  const { isRedacting } = options;
  const shouldStop = () => options.signal.aborted || options.isTimeUp();
  const progress = new ProgressCount(reads, options.onProgress);
  const reader = openReader(progress.bytesTotal, options.threads, shouldStop);
  const limit = pLimit(reader.width);
  const unfinished: string[] = [];
  const finish = (read: PlannedRead, how: 'done' | 'failed' | 'later') => {
    if (how !== 'done') unfinished.push(read.file.path);
    if (how === 'later') report.pendingFiles++;
    else progress.finish(read);
    if (shouldStop()) reader.stop();
  };
  const stop = () => reader.stop();
  options.signal.addEventListener('abort', stop);
  try {
    let failure: unknown;
    const readParcel = async (parcel: readonly PlannedRead[]) => {
      try {
        await readSome(parcel, { root, sink, reader, report, isRedacting, shouldStop, finish });
      } catch (error) {
        failure ??= error;
        reader.stop();
      }
    };
    // What is under way is handed over before the transaction is closed.
    await Promise.all(toParcels(reads).map((parcel) => limit(() => readParcel(parcel))));
    if (failure !== undefined) throw failure;
  } finally {
    options.signal.removeEventListener('abort', stop);
    await reader.close();
  }
  sink.flush();
  // Before the next files, which may bring another thread.
  if (progress.bytesTotal >= collectedBytes) collectGarbage();
  options.signal.throwIfAborted();
  return unfinished;
}

interface Reading {
  readonly root: string;
  readonly sink: TranscriptSink;
  readonly reader: Reader;
  readonly report: IndexReport;
  readonly isRedacting: boolean;
  readonly shouldStop: () => boolean;
  readonly finish: (read: PlannedRead, how: 'done' | 'failed' | 'later') => void;
}

async function readSome(parcel: readonly PlannedRead[], reading: Reading): Promise<void> {
  const { root, sink, reader, report, isRedacting, shouldStop, finish } = reading;
  if (shouldStop()) {
    for (const read of parcel) finish(read, 'later');
    return;
  }
  for (const read of parcel) {
    if (!read.file.isMachinery) continue;
    sink.recordMachinery(read);
    finish(read, 'done');
  }
  const reads = parcel.filter((read) => !read.file.isMachinery);
  const receivers = reads.map((read) => sink.startFile(read));
  const again: PlannedRead[] = [];
  const take = (found: Found) => {
    const read = reads[found.nth];
    if (read === undefined) return;
    if ('batch' in found) receivers[found.nth]?.(found.batch);
    else if ('failure' in found) takeFailure(read, found.failure, reading);
    else if (found.end === 'changed') again.push({ ...read, change: 'rewritten' });
    else {
      if (found.end === 'whole') report.files[read.change]++;
      finish(read, found.end === 'whole' ? 'done' : 'later');
    }
  };
  if (reads.length > 0) {
    const jobs = reads.map((read) => toJob(read, root, isRedacting));
    await reader.read(jobs, take);
  }
  if (again.length > 0) await readSome(again, reading);
}

function takeFailure(
  read: PlannedRead,
  { code, reason }: ReadFailure,
  { root, sink, report, finish }: Reading,
): void {
  // Deleted since it was found: the next run will see that it is gone.
  if (code !== 'ENOENT') {
    sink.recordFailure(read, reason);
    report.fail(join(root, read.file.path), reason);
  }
  finish(read, 'failed');
}

function toJob({ file, known, change }: PlannedRead, root: string, isRedacting: boolean): ReadJob {
  const { kind, sizeBytes } = file;
  const isContinued = change === 'grown' && known !== null;
  return {
    path: join(root, file.path),
    kind,
    sizeBytes,
    isRedacting,
    from: isContinued
      ? { bytes: known.bytesRead, lines: known.linesRead, version: known.lastVersion }
      : { bytes: 0, lines: 0, version: null },
    fingerprint: isContinued && known.bytesRead > 0 ? known.fingerprint : null,
  };
}

function toParcels(reads: readonly PlannedRead[]): PlannedRead[][] {
  const parcels: PlannedRead[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const read of reads) {
    const last = parcels.at(-1);
    if (last === undefined || bytes >= parcelBytes || last.length >= parcelFiles) {
      parcels.push([read]);
      bytes = 0;
    } else last.push(read);
    bytes += toBytes(read);
  }
  return parcels;
}

class ProgressCount {
  readonly bytesTotal: number;
  private readonly onProgress: (progress: Progress) => void;
  private readonly filesTotal: number;
  private filesDone = 0;
  private bytesDone = 0;

  constructor(reads: readonly PlannedRead[], onProgress: (progress: Progress) => void) {
    this.onProgress = onProgress;
    this.filesTotal = reads.length;
    this.bytesTotal = reads.reduce((sum, read) => sum + toBytes(read), 0);
  }

  finish(read: PlannedRead): void {
    this.filesDone++;
    this.bytesDone += toBytes(read);
    const { filesDone, filesTotal, bytesDone, bytesTotal } = this;
    this.onProgress({ filesDone, filesTotal, bytesDone, bytesTotal });
  }
}

function toBytes(read: PlannedRead): number {
  const before = read.change === 'grown' ? (read.known?.bytesRead ?? 0) : 0;
  return read.file.isMachinery ? 0 : Math.max(0, read.file.sizeBytes - before);
}
