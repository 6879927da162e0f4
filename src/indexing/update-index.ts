// Brings the index up to date with the files of the given roots. Cost follows what changed, not what exists.
//
// For each root:
//  1. compare the files on disk with the snapshot that the last complete run left; when nothing differs, that is all;
//  2. ask the index about the files that differ, and plan what to read;
//  3. read the planned transcripts and write them in bounded transactions. A transcript's row says
//     how far it was read in the same transaction that holds its text, so a run that dies is continued. The first
//     transaction takes the snapshot away;
//  4. mark what is gone; take in changed sidecars; recover deleted sessions from history.jsonl and hints;
// then settle every touched session, which resolves titles, copies and counts across files, and leave new snapshots.
// Steps 2 to 4 and what follows stand in carry-out.ts, which is loaded when there is anything to carry out.
//
// The caller holds the index lock. A file that cannot be read costs that file; anything SQLite says ends the run.

import { join } from 'node:path';
import type { Discovery } from '../sources/files/discover.ts';
import type { Store } from '../store/open/open-store.ts';
import { readTombstones } from '../store/read/read-known.ts';
import { type LookOptions, lookAtRoot } from './look.ts';
import type { ReadAllOptions } from './read-all.ts';
import { IndexReport } from './report.ts';

export interface UpdateOptions extends ReadAllOptions, LookOptions {
  /** There may not be time for everything: begin with what is newest. */
  readonly isBounded: boolean;
}

export async function updateIndex(
  store: Store,
  roots: readonly string[],
  options: UpdateOptions,
): Promise<IndexReport> {
  const report = new IndexReport();
  const tombstones = readTombstones(store.db, 'claude');
  const looks = roots.map((root) => lookAtRoot(store.db, root, tombstones, options));
  for (const { root, found, files } of looks) {
    reportObstacles(found, root, report);
    report.files.seen += found.unchanged + files.length;
    report.files.unchanged += found.unchanged;
  }
  const changed = looks.filter((look) => !look.isAsBefore);
  if (changed.length === 0) return report;
  const { carryOut } = await import('./carry-out.ts');
  await carryOut(store, changed, tombstones, options, report);
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
