// Makes the index equal to roots that were looked at and found changed: plans what to read, reads and writes it, settles
// what was touched. The order of things is described in update-index.ts.

import { closeSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { toReason } from '../errors.ts';
import type { Root, SidecarFile, TranscriptFile } from '../records.ts';
import { isAsRead, readFingerprint } from '../sources/files/fingerprint.ts';
import { openFile } from '../sources/files/open-file.ts';
import { encodeSnapshot, withoutPaths, withoutStamps } from '../sources/files/snapshot.ts';
import { getSource } from '../sources/index.ts';
import type { Discovery, SourceReader } from '../sources/source.ts';
import type { Store } from '../store/open/open-store.ts';
import { isRedacting, keepsWork } from '../store/read/index-facts.ts';
import { KnownFiles, readFreeIds, readTombstones } from '../store/read/known-files.ts';
import { SidecarWriter } from '../store/write/recovery-writer.ts';
import { dropSnapshot, findRootId, readSnapshot, saveSnapshot } from '../store/write/saved-snapshot.ts';
import { dropCoveredOrphans, dropMovedSessions } from '../store/write/settlement.ts';
import { TranscriptWriter } from '../store/write/transcript-writer.ts';
import { redact } from '../text/redact.ts';
import { findUnseen, isForgotten, type Look } from './look.ts';
import { hasSameStamp, type PlannedRead, planReads } from './plan.ts';
import { type ReadAllOptions, type ReadingOptions, readAll, TranscriptSink } from './read-all.ts';
import { loadTools } from './reader.ts';
import { Recovery } from './recover.ts';
import { IndexReport } from './report.ts';
import { settleSessions } from './settle.ts';
import type { UpdateOptions } from './update-index.ts';

export async function carryOut(
  store: Store,
  looks: readonly Look[],
  options: UpdateOptions,
  report: IndexReport,
): Promise<void> {
  const writer = new TranscriptWriter(store.db);
  const updated: UpdatedRoot[] = [];
  try {
    for (const [i, look] of looks.entries()) {
      // One large root must not take the time of all: each has its part, and what the ones before left of theirs.
      const isTimeUp = (share = 1) => options.isTimeUp((i + share) / looks.length);
      updated.push(await updateRoot(store, writer, look, { ...options, isTimeUp }, report));
    }
    dropCoveredOrphans(store);
    settleSessions(store);
    for (const root of updated) leaveSnapshot(store, root);
  } catch (error) {
    if (store.db.inTransaction) store.db.exec('rollback');
    throw error;
  }
}

interface UpdatedRoot {
  readonly root: Root;
  readonly rootId: number;
  readonly found: Discovery;
  /** Paths that must be looked at again next time. */
  readonly unfinished: ReadonlySet<string>;
  readonly tombstones: ReadonlySet<string>;
}

async function updateRoot(
  store: Store,
  writer: TranscriptWriter,
  { root, found, files, tombstones, hasSnapshot }: Look,
  options: UpdateOptions,
  report: IndexReport,
): Promise<UpdatedRoot> {
  const { db } = store;
  const { parserVersion, loadReader, movesTranscripts } = getSource(root.agent);
  const reader = await loadReader([], loadTools);
  const rootRow = writer.getRoot(root.agent, root.path);
  const rootId = rootRow.id;
  const known = new KnownFiles(db, rootId);
  const missing = hasSnapshot
    ? found.missing.flatMap((path) => known.findTranscript(path) ?? [])
    : findUnseen(known, files);
  const isChecking = !options.isBounded;
  const toCheck = isChecking ? findUnchecked(root, known, files) : [];
  const plan = planReads([...files, ...toCheck], (path) => known.findTranscript(path), missing, {
    isChecking,
    parserVersion,
    rebuild: options.rebuild,
    newestFirst: options.isBounded,
    wanted: options.wanted,
    freeIds: readFreeIds(db, rootId),
    unreadable: found.obstacles.map((obstacle) => obstacle.path),
  });
  // Those that are checked were counted among the unchanged when they were looked at.
  report.files.unchanged += plan.unchanged - toCheck.length;

  const context = { db, rootRow, root: root.path, tombstones, parserVersion, report };
  const sink = new TranscriptSink(writer, context);
  const reading = { ...options, root, isRedacting: isRedacting(db), keepsWork: keepsWork(db), isChecking };
  const isHistory = (read: PlannedRead) => read.file.kind === 'history';
  const sidecars = { ...reading, rootId, reader, known, tombstones, report };
  const unfinished = await updateSidecars(store, found.sidecars, sidecars);
  const transcripts = plan.reads
    .filter((read) => !isHistory(read))
    .map((read) => continueRebuilt(read, root.path, reader));
  unfinished.push(...(await readAll(transcripts, sink, reading, report)));
  sink.markGone(plan.gone);
  if (movesTranscripts) dropMovedSessions(db, writer, rootId);
  const onDisk = () => found.nativeIds();
  const recovery = new Recovery(store, writer, { root: rootRow, tombstones, onDisk });
  sink.onPrompts = (prompts) => recovery.addPrompts(prompts);
  unfinished.push(...(await readAll(plan.reads.filter(isHistory), sink, reading, report)));
  recovery.recoverFromHints();
  return { root, rootId, found, unfinished: new Set(unfinished), tombstones };
}

/** Transcripts that are as they were, but of which only samples were compared when something was added. */
function findUnchecked(
  { agent }: Root,
  known: KnownFiles,
  files: readonly TranscriptFile[],
): TranscriptFile[] {
  const changed = new Set(files.map(({ path }) => path));
  const source = getSource(agent);
  return known.readUnchecked().flatMap(({ path, sizeBytes, mtimeMs, ctimeMs, inode }) => {
    const found = changed.has(path) ? null : (source.files?.findMeaning(path)?.transcript ?? null);
    return found === null ? [] : [{ ...found, sizeBytes, mtimeMs, ctimeMs, inode }];
  });
}

/** Not while something could not be looked at: then the next run has to ask about every file. */
function leaveSnapshot(store: Store, { root, rootId, found, unfinished, tombstones }: UpdatedRoot): void {
  if (found.obstacles.some((obstacle) => !obstacle.isLink)) return;
  const forgotten = new Set(
    [...found.files, ...found.sidecars].flatMap((file) => (isForgotten(file, tombstones) ? file.path : [])),
  );
  const isDropped = (path: string) =>
    forgotten.has(path) || path.split('/').some((name) => tombstones.has(name));
  const known = tombstones.size === 0 ? found.folders : withoutPaths(found.folders, isDropped);
  const folders = unfinished.size === 0 ? known : withoutStamps(known, unfinished);
  saveSnapshot(store.db, rootId, getSource(root.agent).parserVersion, encodeSnapshot(folders));
}

export interface ArchivedRoot {
  readonly root: Root;
  readonly transcripts: readonly TranscriptFile[];
  readonly sidecars: readonly SidecarFile[];
  /** Makes a file of it, which is deleted after it was read. */
  readonly unpack: (path: string) => string;
  readonly discard: (unpackedPath: string) => void;
}

const unpackedBytes = 256 * 1024 * 1024;

/** Whether everything that was in an archive, by its folder, was taken in by a reader of this version. */
export function isTakenIn({ db }: Store, { agent, path }: Root): boolean {
  const rootId = findRootId(db, agent, path);
  return rootId !== undefined && readSnapshot(db, rootId, getSource(agent).parserVersion) !== undefined;
}

/** The archive itself counts as a folder of the agent, with nothing more to read in it. */
export function setTakenIn({ db }: Store, { agent, path }: Root): void {
  const { id } = new TranscriptWriter(db).getRoot(agent, path);
  saveSnapshot(db, id, getSource(agent).parserVersion, encodeSnapshot([]));
}

/**
 * Transcripts that exist only in the archive, where the index was lost or reads them differently now. They are read like any
 * others, from files that were unpacked for it, and then marked as gone. How many were read. The caller holds the index lock.
 */
export async function takeInArchived(
  store: Store,
  archived: ArchivedRoot,
  options: ReadAllOptions,
): Promise<number> {
  const { db } = store;
  const { root } = archived;
  const { parserVersion, loadReader } = getSource(root.agent);
  const writer = new TranscriptWriter(db);
  const rootRow = writer.getRoot(root.agent, root.path);
  const tombstones = readTombstones(db, root.agent);
  const known = new KnownFiles(db, rootRow.id);
  const { above } = readFreeIds(db, rootRow.id);
  const files = archived.transcripts.filter((file) => !isForgotten(file, tombstones));
  const reads = planArchived(files, known, parserVersion, above + 1);
  const report = new IndexReport();
  const context = { db, rootRow, root: root.path, tombstones, parserVersion, report };
  const sink = new TranscriptSink(writer, context);
  const stored = { isRedacting: isRedacting(db), keepsWork: keepsWork(db) };
  const reading = { ...options, root, ...stored, isChecking: false };
  try {
    for (const group of groupBySize(reads)) {
      const unpacked = group.map((read) => ({ ...read, readPath: archived.unpack(read.file.path) }));
      try {
        await readAll(unpacked, sink, reading, report);
      } finally {
        for (const { readPath } of unpacked) archived.discard(readPath);
      }
      sink.markGone(group.flatMap(({ file }) => known.findTranscript(file.path) ?? []));
    }
    const sidecars = archived.sidecars.filter((file) => known.findSidecar(file.path) === null);
    await updateSidecars(store, sidecars, {
      ...reading,
      rootId: rootRow.id,
      reader: await loadReader([], loadTools),
      known,
      tombstones,
      report,
      unpack: archived.unpack,
    });
    settleSessions(store);
  } catch (error) {
    if (db.inTransaction) db.exec('rollback');
    throw error;
  }
  return reads.length;
}

/** Those that are not known, or were read in another way; not where the index knows more than the copy holds. */
function planArchived(
  files: readonly TranscriptFile[],
  known: KnownFiles,
  parserVersion: number,
  firstId: number,
): PlannedRead[] {
  const reads: PlannedRead[] = [];
  for (const file of files.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) {
    const before = known.findTranscript(file.path);
    const isOutdated =
      before?.state === 'gone' &&
      before.parserVersion !== parserVersion &&
      // What was read of a compressed file is more than the file.
      file.sizeBytes >= Math.min(before.bytesRead, before.sizeBytes);
    const newId = firstId + reads.length;
    if (before === null || isOutdated)
      reads.push({ file, known: before, change: before === null ? 'new' : 'rewritten', newId });
  }
  return reads;
}

function groupBySize(reads: readonly PlannedRead[]): PlannedRead[][] {
  const groups: PlannedRead[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const read of reads) {
    if (bytes >= unpackedBytes) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)?.push(read);
    bytes += read.file.sizeBytes;
  }
  return groups;
}

const maxSidecarBytes = 64 * 1024 * 1024;

/** Of the time for a root: the transcripts come after them, and matter more. */
const shareOfTime = 0.25;

interface SidecarContext extends Pick<ReadingOptions, 'root' | 'isRedacting'> {
  readonly rootId: number;
  readonly reader: SourceReader;
  readonly known: KnownFiles;
  readonly tombstones: ReadonlySet<string>;
  readonly isTimeUp: (share: number) => boolean;
  readonly report: IndexReport;
  /** Where the bytes of a file are, absolute, if not at its own path. */
  readonly unpack?: (path: string) => string;
}

/** The newest first. The paths of those that there was no time for. */
async function updateSidecars(
  store: Store,
  sidecars: readonly SidecarFile[],
  context: SidecarContext,
): Promise<string[]> {
  const changed = sidecars.filter((file) => {
    const before = context.known.findSidecar(file.path);
    return !isForgotten(file, context.tombstones) && (before === null || !hasSameStamp(before, file));
  });
  if (changed.length === 0) return [];
  changed.sort((a, b) => b.mtimeMs - a.mtimeMs);
  const left: string[] = [];
  const writer = new SidecarWriter(store.db);
  const save = store.db.transaction(() => {
    dropSnapshot(store.db, context.rootId);
    for (const file of changed) {
      if (context.isTimeUp(shareOfTime)) left.push(file.path);
      else saveSidecar(writer, file, context);
    }
  });
  save.immediate();
  context.report.pendingFiles += left.length;
  return left;
}

function saveSidecar(
  writer: SidecarWriter,
  file: SidecarFile,
  { root, rootId, reader, tombstones, isRedacting, report, unpack }: SidecarContext,
): void {
  const path = join(root.path, file.path);
  let text: string;
  try {
    text = file.sizeBytes > maxSidecarBytes ? '' : readText(unpack?.(file.path) ?? path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') report.fail(path, toReason(error));
    return;
  }
  const parsed = reader.parseSidecar(file, text);
  // Half-written or broken: what was known stays, and it is looked at again when it changes.
  if (parsed === null) report.skipped.push({ path, line: 1, reason: 'not a JSON object' });
  // Escapes could hide a secret from a look at the file's text, so what was read is looked at.
  const said = isRedacting ? redactStrings(parsed) : parsed;
  for (const hint of said?.hints ?? [])
    if (!tombstones.has(hint.nativeId)) writer.saveHint(rootId, file.slug, hint);
  report.sidecars++;
  writer.saveSidecar(rootId, file, { customTitle: said?.customTitle ?? null, meta: said?.meta ?? null });
}

function redactStrings<T>(value: T): T {
  if (typeof value === 'string') return redact(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(redactStrings) as T;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redactStrings(inner)])) as T;
}

function readText(path: string): string {
  const fd = openFile(path);
  try {
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

const headBytes = 512;
const chunkBytes = 1024 * 1024;
const newline = 10;

/**
 * A transcript that recall has rebuilt from the index holds less than the index does. Where its session is known, it is taken
 * as if it had been read up to there: only what the program has added to it is read, and no row is replaced by a poorer one.
 * The same read where the transcript is the program's own, or not known yet.
 */
function continueRebuilt(read: PlannedRead, root: string, reader: SourceReader): PlannedRead {
  const { known, file } = read;
  const { findRebuiltLines } = reader;
  if (findRebuiltLines === undefined || known === null || known.bytesRead === 0 || file.isMachinery)
    return read;
  let fd: number;
  try {
    fd = openFile(`${root}/${file.path}`);
  } catch {
    return read;
  }
  try {
    const head = Buffer.alloc(headBytes);
    const lines = findRebuiltLines(head.subarray(0, readSync(fd, head, 0, headBytes, 0)));
    if (lines === null) return read;
    // It was read before, and is still the same.
    if (isAsRead(fd, known.bytesRead, known.fingerprint, false)) return { ...read, change: 'grown' };
    const bytesRead = findEnd(fd, lines);
    const fingerprint = readFingerprint(fd, bytesRead);
    return { ...read, change: 'grown', known: { ...known, bytesRead, fingerprint } };
  } finally {
    closeSync(fd);
  }
}

function findEnd(fd: number, lines: number): number {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let left = lines;
  for (let position = 0; ; ) {
    const bytes = readSync(fd, chunk, 0, chunkBytes, position);
    if (bytes === 0) return position;
    for (let at = chunk.indexOf(newline); at >= 0 && at < bytes; at = chunk.indexOf(newline, at + 1)) {
      left--;
      if (left === 0) return position + at + 1;
    }
    position += bytes;
  }
}
