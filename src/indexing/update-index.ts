// Brings the index up to date with the files of the given roots. Cost follows what changed, not what exists.
//
// For each root:
//  1. compare the files on disk with the snapshot that the last complete run left; when nothing differs, that is all. A
//     look that the caller took before it had the lock will do, unless somebody else has written to the index since;
//  2. ask the index about the files that differ, and plan what to read;
//  3. take in changed sidecars; read the planned transcripts and write them in bounded transactions. A transcript's row says
//     how far it was read in the same transaction that holds its text, so a run that dies is continued. The first
//     transaction takes the snapshot away;
//  4. mark what is gone; recover deleted sessions from the prompt history and hints;
// then settle every touched session, which resolves titles, copies and counts across files, and leave new snapshots.
// Steps 2 to 4 and what follows are in carry-out.ts, which is loaded when there is anything to carry out.
//
// The caller holds the index lock. A file that cannot be read costs that file; anything SQLite says ends the run.

import { join } from 'node:path';
import type { FailedFile, Root } from '../records.ts';
import type { Obstacle } from '../sources/files/discover.ts';
import type { FolderSnapshot } from '../sources/files/snapshot.ts';
import type { Discovery } from '../sources/source.ts';
import type { Store } from '../store/open/open-store.ts';
import { isStillTrue, type LookedAt, type LookOptions, lookAtRoots } from './look.ts';
import type { ReadAllOptions } from './read-all.ts';

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
    reportObstacles(found, root.path, report);
    report.looked.push({ root, folders: found.folders });
    report.files.seen += found.unchanged + files.length;
    report.files.unchanged += found.unchanged;
  }
  const changed = looks.filter((look) => !look.isAsBefore);
  if (changed.length === 0) return report;
  const { carryOut } = await import('./carry-out.ts');
  await carryOut(store, changed, options, report);
  return report;
}

function reportObstacles(found: Discovery, root: string, report: IndexReport): void {
  for (const obstacle of found.obstacles) {
    const path = join(root, obstacle.path);
    if (obstacle.isLink) {
      report.links.push({ ...obstacle, path });
      continue;
    }
    report.fail(path, obstacle.reason);
    if (!obstacle.isOfName) report.unseen.push({ path, reason: obstacle.reason });
  }
}

export interface FileCounts {
  seen: number;
  new: number;
  grown: number;
  rewritten: number;
  gone: number;
  unchanged: number;
  failed: number;
}

interface SkippedAt extends FailedFile {
  readonly line: number;
}

export interface LookedRoot {
  readonly root: Root;
  readonly folders: readonly FolderSnapshot[];
}

export class IndexReport {
  readonly files: FileCounts = { seen: 0, new: 0, grown: 0, rewritten: 0, gone: 0, unchanged: 0, failed: 0 };
  bytesRead = 0;
  messages = 0;
  /** Transcripts that were read from the archive, because they are left nowhere else. */
  fromArchive = 0;
  /** Titles, descriptions and hints that were taken in. */
  sidecars = 0;
  skippedLines = 0;
  /** Those of them that `skipped` does not name, where a file has many. */
  unnamedLines = 0;
  /** Files that were left for a later run because time was up. */
  pendingFiles = 0;
  /** What of these transcripts is unread. */
  pendingBytes = 0;
  /** Those of them that are indexed, and only have to be read again, as after an upgrade of recall. */
  pendingAgain = 0;
  readonly unknownTypes: Record<string, number> = Object.create(null);
  readonly touchedSessions = new Set<number>();
  readonly failures: FailedFile[] = [];
  /** Of the failures, what could not even be looked at: nobody knows what is new there. */
  readonly unseen: FailedFile[] = [];
  readonly skipped: SkippedAt[] = [];
  readonly links: Obstacle[] = [];
  /** The roots as they were found, whether or not anything had changed. */
  readonly looked: LookedRoot[] = [];

  get hasChanges(): boolean {
    const { seen: _, unchanged: __, ...changed } = this.files;
    return this.sidecars > 0 || Object.values(changed).some((count) => count > 0);
  }

  countUnknown(type: string, count: number): void {
    this.unknownTypes[type] = (this.unknownTypes[type] ?? 0) + count;
  }

  fail(path: string, reason: string): void {
    this.files.failed++;
    this.failures.push({ path, reason });
  }
}
