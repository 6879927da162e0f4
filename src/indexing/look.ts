// Looks at the files of a root and compares them with the snapshot that the last complete run left. A search asks here
// whether there is anything to do, so nothing is loaded that only reading needs.

import type Database from 'better-sqlite3';
import type { TranscriptFile } from '../records.ts';
import { type Discovery, discover } from '../sources/files/discover.ts';
import { decodeSnapshot } from '../sources/files/snapshot.ts';
import { readTombstones } from '../store/read/read-known.ts';
import { findRootId, readSnapshot } from '../store/write/saved-snapshot.ts';

/** Raise it when parsing finds something else in the same bytes: every transcript on disk is then read again. */
export const parserVersion = 1;

export interface LookOptions {
  /** Take folders that were not touched since the last run to hold the same files. */
  readonly trustFolders: boolean;
  /** How many files and folders of sessions that seem to be at rest are looked at all the same. */
  readonly quietLooks: number;
  readonly nowMs: number;
  /** As if there were no snapshot. */
  readonly rebuild: boolean;
}

/** How closely a refresh looks before a search: five milliseconds of what can hardly have changed. */
export const quickLook = { trustFolders: true, quietLooks: 1000 } as const;

/** Whether an update would find anything to do. Takes no lock and writes nothing. */
export function hasChanges(db: Database.Database, roots: readonly string[], nowMs: number): boolean {
  const tombstones = readTombstones(db, 'claude');
  const options = { ...quickLook, nowMs, rebuild: false };
  return roots.some((root) => !lookAtRoot(db, root, tombstones, options).isAsBefore);
}

/** A root as it is now, beside what the last complete run left. */
export interface Look {
  readonly root: string;
  readonly found: Discovery;
  /** The transcripts that may have changed, but for those that were forgotten. */
  readonly files: readonly TranscriptFile[];
  readonly hasSnapshot: boolean;
  /** Nothing differs, so that there is nothing to do. */
  readonly isAsBefore: boolean;
}

export function lookAtRoot(
  db: Database.Database,
  root: string,
  tombstones: ReadonlySet<string>,
  { rebuild, ...options }: LookOptions,
): Look {
  const rootId = findRootId(db, 'claude', root);
  const saved = rebuild || rootId === undefined ? undefined : readSnapshot(db, rootId, parserVersion);
  const known = saved === undefined ? new Map() : decodeSnapshot(saved);
  const found = discover(root, { ...options, known });
  const files = found.files.filter((file) => !isForgotten(file, tombstones));
  const isAsBefore =
    known.size > 0 &&
    files.length === 0 &&
    found.sidecars.length === 0 &&
    found.missing.length === 0 &&
    found.obstacles.every((obstacle) => obstacle.isLink);
  return { root, found, files, isAsBefore, hasSnapshot: known.size > 0 };
}

export function isForgotten(file: TranscriptFile, tombstones: ReadonlySet<string>): boolean {
  return (
    tombstones.has(file.nativeId) || (file.parentNativeId !== null && tombstones.has(file.parentNativeId))
  );
}
