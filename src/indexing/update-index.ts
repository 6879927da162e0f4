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
import type { Root } from '../records.ts';
import type { Obstacle } from '../sources/files/discover.ts';
import type { Store } from '../store/open/open-store.ts';
import { hasUnchecked } from '../store/read/known-files.ts';
import { isStillTrue, type LookedAt, type LookOptions, lookAtRoots } from './look.ts';
import type { ReadAllOptions } from './read-all.ts';
import { IndexReport } from './report.ts';

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
    report.looked.push({ root, folders: found.folders });
    report.files.seen += found.unchanged + files.length;
    report.files.unchanged += found.unchanged;
  }
  const hasToCheck = !options.isBounded && hasUnchecked(store.db);
  const changed = looks.filter((look) => !look.isAsBefore || hasToCheck);
  if (changed.length === 0) return report;
  const { carryOut } = await import('./carry-out.ts');
  await carryOut(store, changed, options, report);
  return report;
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
