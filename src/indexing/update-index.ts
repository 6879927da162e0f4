// Brings the index up to date with the files of the given roots. Cost follows what changed, not what exists.
// For each root:
//  1. compare the files on disk with the snapshot that the last complete run left; when nothing differs, that is all. A
//     look that the caller took before it had the lock will do, unless somebody else has written to the index since;
//  2. ask the index about the files that differ, and plan what to read;
//  3. save changed sidecars; read the planned transcripts and write them in bounded transactions. A transcript's row says
//     how far it was read in the same transaction that holds its text, so a run that dies is continued. The first
//     transaction takes the snapshot away;
//  4. mark what is gone; recover deleted sessions from the prompt history and hints;
// then settle every touched session, which resolves titles, copies and counts across files, and leave new snapshots.
// The caller holds the index lock. A file that cannot be read costs that file; anything SQLite says ends the run.

import { closeSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { toReason } from '../errors.ts';
import { openFile, readFoundFile } from '../open-file.ts';
import type { Root, SidecarFile, TranscriptFile } from '../records.ts';
import { isAsRead, readFingerprint } from '../sources/files/fingerprint.ts';
import { encodeSnapshot, withoutPaths, withoutStamps } from '../sources/files/snapshot.ts';
import type { Obstacle, Source, SourceReader } from '../sources/source.ts';
import type { Store } from '../store/open/open-store.ts';
import { isRedacting, keepsToolTexts } from '../store/read/index-facts.ts';
import { hasUnchecked, KnownFiles, readFreeIds, readTombstones } from '../store/read/known-files.ts';
import { SidecarWriter } from '../store/write/recovery-writer.ts';
import { dropSnapshot, findRootId, readSnapshot, saveSnapshot } from '../store/write/saved-snapshot.ts';
import { dropCoveredOrphans, dropMovedSessions } from '../store/write/settlement.ts';
import { TranscriptWriter } from '../store/write/transcript-writer.ts';
import {
  findUnseen,
  isForgotten,
  isStillTrue,
  type Look,
  type LookedAt,
  type LookOptions,
  lookAtRoots,
} from './look.ts';
import { hasSameStamp, type PlannedRead, planReads } from './plan.ts';
import { type ReadAllOptions, type RootUpdate, readAll, TranscriptSink } from './read-all.ts';
import { loadTools } from './reader.ts';
import { Recovery } from './recover.ts';
import { IndexReport } from './report.ts';
import { settleSessions } from './settle.ts';

export interface UpdateOptions extends ReadAllOptions, LookOptions {
  /** There may not be time for everything: start with what is newest. */
  readonly isBounded: boolean;
  /** The id of a session that somebody is waiting for: in a bounded run it is read before all others. */
  readonly wanted?: string | undefined;
  /** A look at the same roots, taken with the same connection. */
  readonly lookedAt?: LookedAt | undefined;
}

export async function updateIndex(
  store: Store,
  roots: readonly Root[],
  options: UpdateOptions,
): Promise<IndexReport> {
  const report = new IndexReport();
  const { lookedAt } = options;
  const isUsable = lookedAt !== undefined && !options.rebuild && isStillTrue(store.db, lookedAt);
  const { looks } = isUsable ? lookedAt : lookAtRoots(store.db, roots, options);
  for (const { root, found, files } of looks) {
    for (const obstacle of found.obstacles) reportObstacle(obstacle, root.path, report);
    report.looked.push({ root, folders: found.folders, unfinished: found.unfinished ?? [] });
    report.files.seen += found.unchanged + files.length;
    report.files.unchanged += found.unchanged;
  }
  const hasToCheck = !options.isBounded && hasUnchecked(store.db);
  const changed = looks.filter((look) => !look.isAsBefore || hasToCheck);
  if (changed.length === 0) return report;
  await orRollBack(store, async () => {
    const writer = new TranscriptWriter(store.db);
    const updated: UpdatedRoot[] = [];
    for (const [i, look] of changed.entries()) {
      // One large root must not take the time of all: each has its part, and what the ones before left of theirs.
      const isTimeUp = (share = 1) => options.isTimeUp((i + share) / changed.length);
      updated.push(await updateRoot(store, look, { ...options, isTimeUp, writer, report }));
    }
    dropCoveredOrphans(store);
    settleSessions(store);
    for (const root of updated) leaveSnapshot(store, root);
  });
  return report;
}

async function orRollBack({ db }: Store, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (db.inTransaction) db.exec('rollback');
    throw error;
  }
}

function reportObstacle(obstacle: Obstacle, root: string, report: IndexReport): void {
  const path = join(root, obstacle.path);
  if (obstacle.isLink) {
    report.links.push({ ...obstacle, path });
    return;
  }
  report.fail(path, obstacle.reason);
  if (!obstacle.isOfName) report.unseen.push({ path, reason: obstacle.reason });
}

interface UpdatedRoot {
  readonly look: Look;
  readonly rootId: number;
  /** Paths that must be looked at again next time. */
  readonly unfinished: ReadonlySet<string>;
}

async function updateRoot(
  store: Store,
  look: Look,
  options: UpdateOptions & Pick<RootUpdate, 'writer' | 'report'>,
): Promise<UpdatedRoot> {
  const { found, files } = look;
  const update = openRoot(store, { ...options, ...look, isChecking: !options.isBounded });
  const { root, source, rootRow, known, isChecking, report } = update;
  const sink = new TranscriptSink(update);
  const reader = await source.loadReader([], loadTools);
  const missing = look.hasSnapshot
    ? found.missing.flatMap((path) => known.findTranscript(path) ?? [])
    : findUnseen(known, files);
  const toCheck = isChecking ? findUnchecked(source, known, files) : [];
  const plan = planReads([...files, ...toCheck], (path) => known.findTranscript(path), missing, {
    isChecking,
    parserVersion: source.parserVersion,
    rebuild: options.rebuild,
    newestFirst: options.isBounded,
    wanted: options.wanted,
    freeIds: readFreeIds(store.db, rootRow.id),
    unreadable: found.obstacles.map((obstacle) => obstacle.path),
  });
  // Those that are checked were counted among the unchanged when they were looked at.
  report.files.unchanged += plan.unchanged - toCheck.length;

  const isHistory = (read: PlannedRead) => read.file.kind === 'history';
  const unfinished = await updateSidecars(update, found.sidecars, { reader });
  const transcripts = plan.reads
    .filter((read) => !isHistory(read))
    .map((read) => continueRebuilt(read, root.path, reader));
  unfinished.push(...(await readAll(transcripts, sink, update)));
  sink.markGone(plan.gone);
  const gone = plan.gone.map(({ id }) => id);
  if (source.movesTranscripts)
    dropMovedSessions(store.db, update.writer, rootRow.id, { touched: report.touchedSessions, gone });
  const recovery = new Recovery(update, () => found.nativeIds());
  sink.onPrompts = (prompts) => recovery.addPrompts(prompts);
  unfinished.push(...(await readAll(plan.reads.filter(isHistory), sink, update)));
  recovery.recoverFromHints();
  return { look, rootId: rootRow.id, unfinished: new Set(unfinished) };
}

/** Transcripts that are as they were, but of which only samples were compared when something was added. */
function findUnchecked(
  source: Source,
  known: KnownFiles,
  files: readonly TranscriptFile[],
): TranscriptFile[] {
  const changed = new Set(files.map(({ path }) => path));
  return known.readUnchecked().flatMap(({ path, sizeBytes, mtimeMs, ctimeMs, inode }) => {
    const found = changed.has(path) ? null : (source.files?.findMeaning(path)?.transcript ?? null);
    return found === null ? [] : [{ ...found, sizeBytes, mtimeMs, ctimeMs, inode }];
  });
}

type RootOptions = ReadAllOptions &
  Pick<RootUpdate, 'root' | 'source' | 'tombstones' | 'writer' | 'report' | 'isChecking'> & {
    readonly machineId?: number;
  };

function openRoot(store: Store, options: RootOptions): RootUpdate {
  const { db } = store;
  const rootRow = options.writer.getRoot(options.root.agent, options.root.path, options.machineId);
  const settings = { isRedacting: isRedacting(db), keepsToolTexts: keepsToolTexts(db) };
  return { ...options, ...settings, store, rootRow, known: new KnownFiles(db, rootRow.id) };
}

/** Not while something could not be looked at: then the next run has to ask about every file. */
function leaveSnapshot({ db }: Store, { look, rootId, unfinished }: UpdatedRoot): void {
  const { found, tombstones } = look;
  if (found.obstacles.some((obstacle) => !obstacle.isLink)) return;
  const forgotten = new Set(
    [...found.files, ...found.sidecars].flatMap((file) => (isForgotten(file, tombstones) ? file.path : [])),
  );
  const isDropped = (path: string) =>
    forgotten.has(path) || path.split('/').some((name) => tombstones.has(name));
  const known = tombstones.size === 0 ? found.folders : withoutPaths(found.folders, isDropped);
  const left = unfinished.size === 0 ? known : withoutStamps(known, unfinished);
  saveSnapshot(db, rootId, look.source.parserVersion, encodeSnapshot(left));
}

/** The copies of an agent's files in the archive that are left nowhere else. */
export interface CopiedRoot {
  readonly root: Root;
  /** Where the files were; 0 for this machine. */
  readonly machineId: number;
  /** Something has come to each of these files since it was indexed. */
  readonly areChanged: boolean;
  readonly transcripts: readonly TranscriptFile[];
  readonly sidecars: readonly SidecarFile[];
  /** Makes a file of it, which is deleted after it was read. */
  readonly unpack: (path: string) => string;
  readonly discard: (unpackedPath: string) => void;
}

/** Whether every copy of this agent in an archive, by its folder, was indexed by a reader of this version. */
export function areCopiesIndexed({ db }: Store, { agent, parserVersion }: Source, archive: string): boolean {
  const rootId = findRootId(db, agent, archive);
  return rootId !== undefined && readSnapshot(db, rootId, parserVersion) !== undefined;
}

/** The archive itself counts as a folder of the agent, with nothing more to read in it. */
export function markCopiesIndexed({ db }: Store, { agent, parserVersion }: Source, archive: string): void {
  const { id } = new TranscriptWriter(db).getRoot(agent, archive);
  saveSnapshot(db, id, parserVersion, encodeSnapshot([]));
}

/** Where the index was lost or reads them differently now. Returns how many were read. The caller holds the index lock. */
export async function indexCopiesOf(
  store: Store,
  source: Source,
  { root, machineId, areChanged, transcripts, sidecars, unpack, discard }: CopiedRoot,
  options: ReadAllOptions,
): Promise<number> {
  const tombstones = readTombstones(store.db, root.agent);
  const update = openRoot(store, {
    ...options,
    root,
    source,
    tombstones,
    machineId,
    writer: new TranscriptWriter(store.db),
    report: new IndexReport(),
    isChecking: false,
  });
  const { rootRow, known } = update;
  const sink = new TranscriptSink(update);
  const files = transcripts.filter((file) => !isForgotten(file, tombstones));
  const firstId = readFreeIds(store.db, rootRow.id).above + 1;
  const reads = areChanged
    ? planChangedCopies(source, files, known, firstId)
    : planCopies(files, known, source.parserVersion, firstId);
  await orRollBack(store, async () => {
    for (const group of groupBySize(reads)) {
      const unpacked = group.map((read) => ({ ...read, readPath: unpack(read.file.path) }));
      try {
        await readAll(unpacked, sink, update);
      } finally {
        for (const { readPath } of unpacked) discard(readPath);
      }
      sink.markGone(group.flatMap(({ file }) => known.findTranscript(file.path) ?? []));
    }
    const reader = await source.loadReader([], loadTools);
    const unknown = sidecars.filter((file) => areChanged || known.findSidecar(file.path) === null);
    await updateSidecars(update, unknown, { reader, unpack });
    settleSessions(store);
  });
  return reads.length;
}

/** Those that are not known, or were read in another way; not where the index knows more than the copy holds. */
function planCopies(
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
      // Of a compressed file, more bytes were read than it has.
      file.sizeBytes >= Math.min(before.bytesRead, before.sizeBytes);
    const newId = firstId + reads.length;
    if (before === null || isOutdated)
      reads.push({ file, known: before, change: before === null ? 'new' : 'rewritten', newId });
  }
  return reads;
}

/** What has only grown is read from where it ended; that it has is checked when it is read. */
function planChangedCopies(
  { files: names, parserVersion }: Source,
  files: readonly TranscriptFile[],
  known: KnownFiles,
  firstId: number,
): PlannedRead[] {
  return files
    .toSorted((a, b) => a.mtimeMs - b.mtimeMs)
    .map((file, i) => {
      const before = known.findTranscript(file.path);
      const isGrown =
        before !== null &&
        before.parserVersion === parserVersion &&
        !before.isUnterminated &&
        file.sizeBytes > before.sizeBytes &&
        names?.findForm(file.path) === 'lines';
      const change = before === null ? 'new' : isGrown ? 'grown' : 'rewritten';
      return { file, known: before, change, newId: firstId + i };
    });
}

const unpackedBytes = 256 * 1024 * 1024;

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

/** How much of the time for a root the sidecars may take: the transcripts come after them, and matter more. */
const shareOfTime = 0.25;

interface SidecarReading {
  readonly reader: SourceReader;
  /** Where the bytes of a file are, absolute, if not at its own path. */
  readonly unpack?: (path: string) => string;
}

/** Reads the newest first, and returns the paths of those that there was no time for. */
async function updateSidecars(
  update: RootUpdate,
  sidecars: readonly SidecarFile[],
  reading: SidecarReading,
): Promise<string[]> {
  const { db } = update.store;
  const changed = sidecars.filter((file) => {
    const before = update.known.findSidecar(file.path);
    return !isForgotten(file, update.tombstones) && (before === null || !hasSameStamp(before, file));
  });
  if (changed.length === 0) return [];
  changed.sort((a, b) => b.mtimeMs - a.mtimeMs);
  const left: string[] = [];
  const clean = update.isRedacting ? (await import('../text/redact.ts')).redact : (text: string) => text;
  const save = db.transaction(() => {
    const writer = new SidecarWriter(db);
    dropSnapshot(db, update.rootRow.id);
    for (const file of changed) {
      if (update.isTimeUp(shareOfTime)) left.push(file.path);
      else saveSidecar(writer, file, update, { ...reading, clean });
    }
  });
  save.immediate();
  update.report.pendingFiles += left.length;
  return left;
}

function saveSidecar(
  writer: SidecarWriter,
  file: SidecarFile,
  { root, rootRow, tombstones, report }: RootUpdate,
  { reader, unpack, clean }: SidecarReading & { readonly clean: (text: string) => string },
): void {
  const path = join(root.path, file.path);
  let text: string;
  try {
    text = file.sizeBytes > maxSidecarBytes ? '' : readFoundFile(unpack?.(file.path) ?? path).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') report.fail(path, toReason(error));
    return;
  }
  const parsed = reader.parseSidecar(file, text);
  // Half-written or broken: what was known stays, and it is looked at again when it changes.
  if (parsed === null) report.skipped.push({ path, line: 1, reason: 'not a JSON object' });
  // Escapes could hide a secret from a look at the file's text, so what was read is looked at.
  const { hints = [], ...said } = cleanStrings(parsed ?? {}, clean);
  for (const hint of hints) if (!tombstones.has(hint.nativeId)) writer.saveHint(rootRow.id, file.slug, hint);
  report.sidecars++;
  writer.saveSidecar(rootRow.id, file, said);
}

function cleanStrings<T>(value: T, clean: (text: string) => string): T {
  if (typeof value === 'string') return clean(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => cleanStrings(inner, clean)) as T;
  const entries = Object.entries(value).map(([key, inner]) => [key, cleanStrings(inner, clean)]);
  return Object.fromEntries(entries) as T;
}

const headBytes = 512;
const chunkBytes = 1024 * 1024;
const newline = 10;

/** A rebuilt transcript holds less than the index does, so it counts as read up to there: only what was added is read. */
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
    // Read before, and unchanged since.
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
