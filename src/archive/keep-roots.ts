// Brings the archive up to date with roots that were just looked at: cost follows what changed. The caller holds the archive
// lock. A file that cannot be read costs that file; an archive that cannot be written ends the run, and what was kept until
// then stays.

import { statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { toReason } from '../errors.ts';
import type { AgentName, Root } from '../records.ts';
import { type FolderSnapshot, withoutStamps } from '../sources/files/snapshot.ts';
import type { SessionFiles } from '../sources/kept-files.ts';
import { FileChanged, type Kept, keepFile } from './keep-file.ts';
import type { Clean } from './pieces.ts';
import { type KeptRoot, Listings, toKeptRoot, toPlace } from './places.ts';
import { type FileToKeep, findFilesToKeep, inOrder } from './plan-keep.ts';
import { KeptSnapshot } from './snapshot-file.ts';
import { makeFolder, NotWritable, syncFolder } from './write-segment.ts';

export interface RootToKeep {
  readonly root: Root;
  readonly files: SessionFiles;
  readonly folders: readonly FolderSnapshot[];
  /** Whether a session was not forgotten. */
  readonly isWanted: (owner: string) => boolean;
  readonly clean: Clean | null;
}

export interface KeepRootsOptions {
  readonly archive: string;
  readonly machine: string;
  readonly nowMs: number;
  readonly signal: AbortSignal;
  readonly readSpace: ReadSpace;
  readonly onProgress: (progress: KeepProgress) => void;
}

export interface KeepProgress {
  readonly filesDone: number;
  readonly filesTotal: number;
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

export interface KeepReport {
  /** Sessions of which something was added. */
  readonly sessions: number;
  /** Bytes of their files, and what they take in the archive. */
  readonly bytes: number;
  readonly addedBytes: number;
  readonly failures: readonly { readonly path: string; readonly reason: string }[];
  /** Why the run has ended before its end; null where it has not. */
  readonly stoppedBy: KeepObstacle | null;
  /** Files that are left for the next run. */
  readonly pendingFiles: number;
  /** Files that are not kept because secrets cannot be taken out of them. */
  readonly unredactableFiles: number;
}

export type KeepObstacle =
  | { readonly type: 'busy' }
  | { readonly type: 'space'; readonly freeBytes: number }
  | { readonly type: 'failed'; readonly reason: string };

export interface Space {
  readonly freeBytes: number;
  readonly totalBytes: number;
}
export type ReadSpace = (folder: string) => Space;

/** Less than this is left to others. */
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
  const run = new Run(options);
  const plans = roots.flatMap((root) => run.plan(root) ?? []);
  await run.keep(plans);
  for (const plan of plans) await run.leaveSnapshot(plan);
  options.signal.throwIfAborted();
  return run.toReport();
}

interface RootPlan extends RootToKeep {
  readonly kept: KeptRoot;
  readonly snapshot: KeptSnapshot;
  readonly toKeep: readonly FileToKeep[];
  /** Paths that are to be looked at again. */
  readonly unfinished: Set<string>;
}

class Run {
  private readonly options: KeepRootsOptions;
  private readonly listings = new Listings({ isCleaning: true });
  private readonly touched = new Set<string>();
  private readonly sessions = new Set<string>();
  private readonly failures: { path: string; reason: string }[] = [];
  private stoppedBy: KeepObstacle | null = null;
  private pendingFiles = 0;
  private unredactableFiles = 0;
  private bytes = 0;
  private addedBytes = 0;

  constructor(options: KeepRootsOptions) {
    this.options = options;
  }

  /** Null where everything is kept. */
  plan(each: RootToKeep): RootPlan | null {
    const { archive, machine } = this.options;
    const { root, files, folders, isWanted, clean } = each;
    const kept = toKeptRoot(archive, machine, root.agent as AgentName, root.path);
    const snapshot = new KeptSnapshot(kept);
    if (snapshot.isSame(folders, clean !== null)) return null;
    const known = snapshot.decode(clean !== null);
    const found = findFilesToKeep(root, files, folders, known, isWanted);
    const toKeep = found.filter(({ path }) => clean === null || files.findForm(path) !== 'packed');
    this.unredactableFiles += found.length - toKeep.length;
    // What is left out stays unfinished, so that it is kept as soon as secrets may stay.
    return { ...each, kept, snapshot, toKeep, unfinished: new Set(found.map(({ path }) => path)) };
  }

  async keep(plans: readonly RootPlan[]): Promise<void> {
    const planOf = new Map(plans.flatMap((plan) => plan.toKeep.map((file) => [file, plan] as const)));
    const all = inOrder([...planOf.keys()], this.options.nowMs);
    const bytesTotal = all.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    let [filesDone, bytesDone] = [0, 0];
    const limit = pLimit(filesAtOnce);
    await Promise.all(
      all.map((file) =>
        limit(async () => {
          if (this.shouldStop()) this.pendingFiles++;
          else await this.keepOne(planOf.get(file) as RootPlan, file);
          filesDone++;
          bytesDone += file.sizeBytes;
          this.options.onProgress({ filesDone, filesTotal: all.length, bytesDone, bytesTotal });
        }),
      ),
    );
  }

  /** Only when every name that it vouches for is on disk. */
  async leaveSnapshot({ snapshot, folders, unfinished, clean }: RootPlan): Promise<void> {
    if (this.stoppedBy?.type === 'failed') return;
    for (const folder of this.touched) await syncFolder(folder);
    this.touched.clear();
    const left = unfinished.size === 0 ? folders : withoutStamps(folders, unfinished);
    try {
      await snapshot.save(left, clean !== null);
    } catch (error) {
      this.stop(error);
    }
  }

  toReport(): KeepReport {
    const { failures, stoppedBy, pendingFiles, unredactableFiles, bytes, addedBytes } = this;
    const left = { failures, stoppedBy, pendingFiles, unredactableFiles };
    return { sessions: this.sessions.size, bytes, addedBytes, ...left };
  }

  private async keepOne(plan: RootPlan, { path, owner }: FileToKeep): Promise<void> {
    const { root, kept, files, clean, unfinished } = plan;
    const place = toPlace(kept, path);
    const form = files.findForm(path);
    const { signal } = this.options;
    try {
      const done = await keepFile(join(root.path, path), place, {
        ...{ listings: this.listings, clean, signal },
        // One that is a single value is written anew with every message.
        isTranscript: (files.findMeaning(path)?.transcript ?? null) !== null && form !== 'text',
        hasLines: form === 'lines',
      });
      this.count(done, `${root.agent} ${owner}`, place.folder);
      unfinished.delete(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (error instanceof NotWritable) this.stop(error);
      else if (error instanceof FileChanged || this.options.signal.aborted) this.pendingFiles++;
      else if (code === undefined) throw error;
      // Deleted since it was found.
      else if (code !== 'ENOENT')
        this.failures.push({ path: join(root.path, path), reason: toReason(error) });
    }
  }

  private count({ bytes, addedBytes }: Kept, session: string, folder: string): void {
    if (addedBytes === 0) return;
    this.bytes += bytes;
    this.addedBytes += addedBytes;
    this.sessions.add(session);
    this.touched.add(folder);
  }

  private stop(error: unknown): void {
    if (!(error instanceof NotWritable)) throw error;
    this.pendingFiles++;
    this.stoppedBy = { type: 'failed', reason: error.message };
  }

  private shouldStop(): boolean {
    if (this.options.signal.aborted || this.stoppedBy !== null) return true;
    this.stoppedBy = this.findObstacle();
    return this.stoppedBy !== null;
  }

  private findObstacle(): KeepObstacle | null {
    const { archive } = this.options;
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
