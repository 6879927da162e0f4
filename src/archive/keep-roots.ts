// Brings the archive up to date with roots that were just looked at: finds the files that changed, and keeps them in the order
// in which they are in danger. The caller holds the archive lock. A file that cannot be read costs that file; an archive that
// cannot be written ends the run, and what was kept until then stays.

import { type Dirent, lstatSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { NotWritable, toReason } from '../errors.ts';
import { readForeignFile } from '../open-file.ts';
import type { Progress, Root } from '../records.ts';
import {
  decodeSnapshot,
  encodeSnapshot,
  type FolderSnapshot,
  toPathIn,
  toStampsByName,
  unknownStamp,
  withoutPaths,
  withoutStamps,
} from '../sources/files/snapshot.ts';
import type { SessionFiles } from '../sources/source.ts';
import { FileChanged, keepFile } from './keep-file.ts';
import { type ArchiveRoot, Listings, toArchiveRoot, toPlace } from './layout.ts';
import { type Clean, makeFolder, prepareFile, putInPlace, syncFolder } from './segments.ts';

export interface RootToKeep {
  readonly root: Root;
  readonly files: SessionFiles;
  readonly folders: readonly FolderSnapshot[];
  /** The sessions that are not kept, as paths name them. */
  readonly forgotten: ReadonlySet<string>;
  readonly clean: Clean | null;
  /** Some of its files may be packed. */
  readonly hasPacked: boolean;
}

interface KeepRootsOptions {
  readonly archive: string;
  readonly machine: string;
  readonly nowMs: number;
  readonly signal: AbortSignal;
  /** Whether there is time to compare files to which something was added with their copies. */
  readonly isChecking: boolean;
  readonly readSpace: ReadSpace;
  readonly onProgress: (progress: Progress) => void;
}

export interface KeepReport {
  /** The keys of the sessions of which something was kept. */
  readonly owners: ReadonlySet<string>;
  /** Bytes of their files, and what they take in the archive. */
  readonly bytes: number;
  readonly addedBytes: number;
  readonly failures: readonly { readonly path: string; readonly reason: string }[];
  /** Why the run ended early; null where it did not. */
  readonly stoppedBy: KeepObstacle | null;
  readonly pendingFiles: number;
  /** Files that are not kept because secrets cannot be taken out of them. */
  readonly unredactableFiles: number;
}

export const nothingKept: KeepReport = {
  owners: new Set(),
  bytes: 0,
  addedBytes: 0,
  failures: [],
  stoppedBy: null,
  pendingFiles: 0,
  unredactableFiles: 0,
};

type KeepObstacle =
  | { readonly type: 'busy' }
  | { readonly type: 'space'; readonly freeBytes: number }
  | { readonly type: 'failed'; readonly reason: string };

export type ReadSpace = (folder: string) => { readonly freeBytes: number; readonly totalBytes: number };

/** The archive leaves at least this much of the disk free. */
const minFreeBytes = 1e9;
const minFreeShare = 0.05;

export const readSpace: ReadSpace = (folder) => {
  const { bavail, blocks, bsize } = statfsSync(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
};

/** Packing and flushing take turns on these. */
const filesAtOnce = 4;

export async function keepRoots(
  roots: readonly RootToKeep[],
  options: KeepRootsOptions,
): Promise<KeepReport> {
  const run = new KeepRun(options);
  const plans = roots.flatMap((root) => run.plan(root) ?? []);
  await run.keep(plans);
  for (const plan of plans) await run.saveSnapshot(plan);
  options.signal.throwIfAborted();
  return run.report;
}

interface RootPlan extends RootToKeep {
  readonly archived: ArchiveRoot;
  readonly snapshot: ArchiveSnapshot;
  readonly toKeep: readonly FileToKeep[];
  /** Paths that are to be looked at again. */
  readonly unfinished: Set<string>;
}

class KeepRun {
  private readonly options: KeepRootsOptions;
  private listings = new Listings({ isCleaning: true });
  private readonly unsynced = new Set<string>();
  private readonly unchecked: FileToKeep[] = [];
  readonly report = {
    ...nothingKept,
    owners: new Set<string>(),
    failures: [] as { path: string; reason: string }[],
  };

  constructor(options: KeepRootsOptions) {
    this.options = options;
  }

  plan(given: RootToKeep): RootPlan | null {
    const { root, files, clean, forgotten, hasPacked } = given;
    const isDropped = namesForgotten(files, (owner) => forgotten.has(owner));
    const folders = forgotten.size === 0 ? given.folders : withoutPaths(given.folders, isDropped);
    const wanted = { ...given, folders };
    const archived = toArchiveRoot(this.options.archive, this.options.machine, root.agent, root.path);
    const snapshot = new ArchiveSnapshot(archived);
    // Copies of packed files are deleted while secrets are taken out, so that nothing vouches for them.
    const isUntrue = clean !== null && hasPacked;
    if (!isUntrue && snapshot.isSame(folders)) return null;
    const known = snapshot.decode();
    const isKnown = (path: string) => !isUntrue || files.findForm(path) !== 'packed';
    const found = findFilesToKeep(wanted, known, isKnown);
    const toKeep = found.filter(({ path }) => clean === null || files.findForm(path) !== 'packed');
    this.report.unredactableFiles += found.length - toKeep.length;
    // What is left out stays unfinished, so that it is kept as soon as secrets may stay.
    return { ...wanted, archived, snapshot, toKeep, unfinished: new Set(found.map(({ path }) => path)) };
  }

  async keep(plans: readonly RootPlan[]): Promise<void> {
    const planOf = new Map(plans.flatMap((plan) => plan.toKeep.map((file) => [file, plan] as const)));
    const all = sortByUrgency([...planOf.keys()], this.options.nowMs);
    const bytesTotal = all.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    let [filesDone, bytesDone] = [0, 0];
    const limit = pLimit(filesAtOnce);
    await Promise.all(
      all.map((file) =>
        limit(async () => {
          if (this.shouldStop()) this.report.pendingFiles++;
          else await this.keepOne(planOf.get(file) as RootPlan, file);
          filesDone++;
          bytesDone += file.sizeBytes;
          this.options.onProgress({ filesDone, filesTotal: all.length, bytesDone, bytesTotal });
        }),
      ),
    );
    // When all that is new is kept. Until then, the snapshot does not vouch for them.
    this.listings = new Listings({ isCleaning: true });
    for (const file of this.options.isChecking ? this.unchecked.splice(0) : []) {
      if (this.shouldStop()) return;
      await this.keepOne(planOf.get(file) as RootPlan, file);
    }
  }

  /** Only when every name that it vouches for is on disk. */
  async saveSnapshot({ snapshot, folders, unfinished }: RootPlan): Promise<void> {
    if (this.report.stoppedBy?.type === 'failed') return;
    for (const folder of this.unsynced) await syncFolder(folder);
    this.unsynced.clear();
    const finished = unfinished.size === 0 ? folders : withoutStamps(folders, unfinished);
    try {
      await snapshot.save(finished);
    } catch (error) {
      if (!(error instanceof NotWritable)) throw error;
      this.stop(error);
    }
  }

  private async keepOne(plan: RootPlan, file: FileToKeep): Promise<void> {
    const { path, owner } = file;
    const { root, archived, files, clean, unfinished } = plan;
    const { report } = this;
    const place = toPlace(archived, path);
    const form = files.findForm(path);
    const { signal } = this.options;
    try {
      const { bytes, addedBytes, isChecked } = await keepFile(join(root.path, path), place, {
        listings: this.listings,
        // One that is a single value is written anew with every message.
        isTranscript: (files.findMeaning(path)?.transcript ?? null) !== null && form !== 'text',
        hasLines: form === 'lines',
        clean,
        signal,
      });
      if (isChecked) unfinished.delete(path);
      else this.unchecked.push(file);
      if (addedBytes === 0) return;
      report.bytes += bytes;
      report.addedBytes += addedBytes;
      report.owners.add(`${root.agent} ${owner}`);
      this.unsynced.add(place.folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (error instanceof NotWritable) this.stop(error);
      else if (error instanceof FileChanged || signal.aborted) report.pendingFiles++;
      else if (code === undefined) throw error;
      else if (code !== 'ENOENT')
        report.failures.push({ path: join(root.path, path), reason: toReason(error) });
    }
  }

  private stop({ message: reason }: NotWritable): void {
    this.report.pendingFiles++;
    this.report.stoppedBy = { type: 'failed', reason };
  }

  private shouldStop(): boolean {
    this.report.stoppedBy ??= this.findObstacle();
    return this.options.signal.aborted || this.report.stoppedBy !== null;
  }

  private findObstacle(): KeepObstacle | null {
    const { archive, signal } = this.options;
    if (signal.aborted) return null;
    try {
      makeFolder(archive);
      const { freeBytes, totalBytes } = this.options.readSpace(archive);
      const isFull = freeBytes < minFreeBytes || freeBytes < totalBytes * minFreeShare;
      return isFull ? { type: 'space', freeBytes } : null;
    } catch (error) {
      return { type: 'failed', reason: `${dirname(archive)}: ${toReason(error)}` };
    }
  }
}

interface FileToKeep {
  readonly path: string;
  readonly owner: string;
  readonly sizeBytes: number;
  readonly modifiedAtMs: number;
}

/** A session that was written to this recently has just ended, or is running. */
const recentMs = 3_600_000;

/** Folders in folders of a session; no agent has more levels. */
export const maxDepth = 6;

/** The files whose stamps are not those of the snapshot, and with each all others of its session. */
function findFilesToKeep(
  { root: { path: root }, files, folders, forgotten }: RootToKeep,
  known: ReadonlyMap<string, FolderSnapshot>,
  isKnown: (path: string) => boolean,
): FileToKeep[] {
  const paths = new Set<string>();
  for (const path of eachChangedFile(folders, known, isKnown)) {
    const owner = files.findOwner(path);
    if (owner === null) continue;
    paths.add(path);
    const folder = files.toFolder(path, owner);
    // What the index has no use for is written while the session is running, so its transcript has changed too.
    if (folder !== null) for (const beside of eachFile(root, folder, maxDepth)) paths.add(beside);
  }
  return [...paths].flatMap((path) => {
    const owner = files.findOwner(path);
    if (owner === null || forgotten.has(owner)) return [];
    const found = lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
    if (!found?.isFile()) return [];
    return [{ path, owner, sizeBytes: found.size, modifiedAtMs: found.mtimeMs }];
  });
}

export function* eachChangedFile(
  folders: readonly FolderSnapshot[],
  known: ReadonlyMap<string, FolderSnapshot>,
  isKnown: (path: string) => boolean = () => true,
): Generator<string> {
  for (const folder of folders) {
    const before = known.get(folder.path);
    const stamps = before === undefined ? null : toStampsByName(before);
    for (const [i, name] of folder.files.entries()) {
      const stamp = folder.stamps[i] ?? unknownStamp;
      const path = toPathIn(folder, name);
      if (stamp === unknownStamp || stamps?.get(name) !== stamp || !isKnown(path)) yield path;
    }
  }
}

export function* eachFile(root: string, folder: string, depth: number): Generator<string> {
  let entries: Dirent[];
  try {
    entries = readdirSync(`${root}/${folder}`, { withFileTypes: true });
  } catch {
    // Most sessions have no folder; one that cannot be read is reported by the index.
    return;
  }
  for (const entry of entries) {
    const path = `${folder}/${entry.name}`;
    if (entry.isFile()) yield path;
    else if (entry.isDirectory() && depth > 0) yield* eachFile(root, path, depth - 1);
  }
}

/** What was just written first, since a hook may have little time; then the oldest, which is nearest to deletion. */
function sortByUrgency(files: readonly FileToKeep[], nowMs: number): FileToKeep[] {
  const isRecent = ({ modifiedAtMs }: FileToKeep) => modifiedAtMs > nowMs - recentMs;
  return files.toSorted(
    (a, b) => Number(isRecent(b)) - Number(isRecent(a)) || a.modifiedAtMs - b.modifiedAtMs,
  );
}

/** Whether a path names a session that was forgotten: as its owner, or as a folder. */
export function namesForgotten(files: SessionFiles, isForgotten: (owner: string) => boolean) {
  return (path: string): boolean => {
    const owner = files.findOwner(path);
    if (owner !== null && isForgotten(owner)) return true;
    return path.split('/').some((name) => isForgotten(files.toOwner(name)));
  };
}

/** How many bytes of names there are (8 bytes); the next byte said something once, and is not read. */
const headBytes = 9;

/**
 * What a root looked like when all of it was last kept, in the encoding of the index's own snapshots. Only a cache: without it,
 * every file is compared with its copy.
 */
export class ArchiveSnapshot {
  private readonly path: string;
  private readonly saved: Buffer | null;

  constructor({ folder }: ArchiveRoot) {
    this.path = `${folder}/.snapshot`;
    let saved: Buffer | null = null;
    try {
      saved = readForeignFile(this.path);
    } catch {
      // There is none yet.
    }
    this.saved = saved !== null && saved.length >= headBytes ? saved : null;
  }

  isSame(folders: readonly FolderSnapshot[]): boolean {
    return this.saved?.equals(encode(folders)) ?? false;
  }

  /** By path. */
  decode(): Map<string, FolderSnapshot> {
    const { saved } = this;
    if (saved === null) return new Map();
    const end = headBytes + Number(saved.readBigUInt64BE(0));
    return decodeSnapshot({ names: saved.subarray(headBytes, end), stamps: saved.subarray(end) });
  }

  async save(folders: readonly FolderSnapshot[]): Promise<void> {
    await putInPlace(await prepareFile(this.path, encode(folders), 0));
  }

  /** Where that is refused, nothing can be kept either that it could wrongly vouch for. */
  delete(): void {
    try {
      rmSync(this.path, { force: true });
    } catch {}
  }
}

function encode(folders: readonly FolderSnapshot[]): Buffer {
  const { names, stamps } = encodeSnapshot(folders);
  const head = Buffer.alloc(headBytes);
  head.writeBigUInt64BE(BigInt(names.length), 0);
  return Buffer.concat([head, names, stamps]);
}
