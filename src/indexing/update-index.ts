// Brings the index up to date with the files of the given roots. Cost follows what changed, not what exists.
//
// For each root:
//  1. discover the files on disk and compare them with what the index knows (plan);
//  2. in one transaction, mark transcripts that must be read anew and unlink their sessions from their copies;
//  3. read the planned transcripts, newest first, and write them in bounded transactions. A transcript's row says
//     how far it was read in the same transaction that holds its text, so a run that dies is continued;
//  4. mark what is gone; take in changed sidecars; recover deleted sessions from history.jsonl and hints;
// then settle every touched session, which resolves titles, copies and counts across files.
//
// The caller holds the index lock. A file that cannot be read costs that file; anything SQLite says ends the run.

import { join } from 'node:path';
import pLimit from 'p-limit';
import { toReason } from '../errors.ts';
import type { TranscriptFile } from '../records.ts';
import type { Store } from '../store/open-store.ts';
import { readKnownTranscripts, readTombstones } from '../store/read-known.ts';
import { TranscriptWriter } from '../store/transcript-writer.ts';
import { type Discovery, discover } from '../transcripts/discover.ts';
import { type PlannedRead, planReads } from './plan.ts';
import { FingerprintMismatch, readTranscript } from './read-transcript.ts';
import { Recovery } from './recover.ts';
import { IndexReport, type Progress } from './report.ts';
import { settleSessions } from './settle.ts';
import { TranscriptSink } from './transcript-sink.ts';
import { updateSidecars } from './update-sidecars.ts';

/** Raise it when parsing finds something else in the same bytes: every transcript on disk is then read again. */
export const parserVersion = 1;

export interface UpdateOptions {
  readonly rebuild: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** True once no further file should be started; what is left is counted as pending. */
  readonly isTimeUp: () => boolean;
}

/** Transcripts being read at the same time; each holds a chunk and a batch in memory. */
const filesInFlight = 2;

export async function updateIndex(
  store: Store,
  roots: readonly string[],
  options: UpdateOptions,
): Promise<IndexReport> {
  const report = new IndexReport();
  const writer = new TranscriptWriter(store.db);
  try {
    for (const root of roots) await updateRoot(store, writer, root, options, report);
    settleSessions(store);
  } catch (error) {
    writer.rollback();
    throw error;
  }
  return report;
}

async function updateRoot(
  store: Store,
  writer: TranscriptWriter,
  root: string,
  options: UpdateOptions,
  report: IndexReport,
): Promise<void> {
  const rootId = writer.getRootId(root);
  const tombstones = await readTombstones(store);
  const found = discover(root);
  const files = found.files.filter((file) => !isForgotten(file, tombstones));
  reportObstacles(found, root, report);

  const plan = planReads(files, await readKnownTranscripts(store, rootId), {
    parserVersion,
    rebuild: options.rebuild,
    unreadable: found.obstacles.map((obstacle) => obstacle.path),
  });
  report.files.seen += files.length;
  report.files.unchanged += plan.unchanged;

  const sink = new TranscriptSink(writer, { rootId, root, tombstones, parserVersion, report });
  const isHistory = (read: PlannedRead) => read.file.kind === 'history';
  await readAll(
    plan.reads.filter((read) => !isHistory(read)),
    root,
    sink,
    options,
    report,
  );

  sink.markGone(plan.gone);
  const recovery = new Recovery(store, writer, {
    rootId,
    tombstones,
    onDisk: new Set(files.map((file) => file.claudeId)),
  });
  sink.onPrompts = (prompts) => recovery.addPrompts(prompts);
  await updateSidecars(store, rootId, root, found.sidecars, tombstones, report);
  await readAll(plan.reads.filter(isHistory), root, sink, options, report);
  recovery.recoverFromHints();
}

export function isForgotten(file: TranscriptFile, tombstones: ReadonlySet<string>): boolean {
  return (
    tombstones.has(file.claudeId) || (file.parentClaudeId !== null && tombstones.has(file.parentClaudeId))
  );
}

function reportObstacles(found: Discovery, root: string, report: IndexReport): void {
  for (const obstacle of found.obstacles) {
    const path = join(root, obstacle.path);
    if (obstacle.isLink) report.links.push({ ...obstacle, path });
    else report.fail(path, obstacle.reason);
  }
}

async function readAll(
  reads: readonly PlannedRead[],
  root: string,
  sink: TranscriptSink,
  options: UpdateOptions,
  report: IndexReport,
): Promise<void> {
  const limit = pLimit(filesInFlight);
  const progress = new ProgressCount(reads, options.onProgress);
  const shouldStop = () => options.signal.aborted || options.isTimeUp();
  const readOne = async (read: PlannedRead) => {
    const isDone = !shouldStop() && (await readPlanned(read, root, sink, shouldStop, report));
    if (isDone) progress.finish(read);
    else report.pendingFiles++;
  };
  // Every file in flight hands over what it has read before the transaction is closed.
  const outcomes = await Promise.allSettled(reads.map((read) => limit(() => readOne(read))));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  sink.flush();
  options.signal.throwIfAborted();
}

/** False when it was left unfinished because there was no more time. */
async function readPlanned(
  read: PlannedRead,
  root: string,
  sink: TranscriptSink,
  shouldStop: () => boolean,
  report: IndexReport,
): Promise<boolean> {
  const { file, known, change } = read;
  if (file.isMachinery) {
    sink.recordMachinery(read);
    return true;
  }
  const path = join(root, file.path);
  const isContinued = change === 'grown' && known !== null;
  const from = isContinued
    ? { bytes: known.bytesRead, lines: known.linesRead, version: known.lastVersion }
    : { bytes: 0, lines: 0, version: null };
  const expected = isContinued && known.bytesRead > 0 ? known.fingerprint : null;
  try {
    const isWhole = await readTranscript(path, file, from, expected, shouldStop, sink.startFile(read));
    report.files[change]++;
    return isWhole;
  } catch (error) {
    if (error instanceof FingerprintMismatch) {
      return readPlanned({ ...read, change: 'rewritten' }, root, sink, shouldStop, report);
    }
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined || code.startsWith('SQLITE_')) throw error;
    // Deleted since it was found: the next run will see that it is gone.
    if (code === 'ENOENT') return true;
    sink.recordFailure(read, toReason(error));
    report.fail(path, toReason(error));
    return true;
  }
}

class ProgressCount {
  private readonly onProgress: (progress: Progress) => void;
  private readonly filesTotal: number;
  private readonly bytesTotal: number;
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
