// Looks at the files of the roots and compares them with the snapshots that the last complete run left. A search asks here
// whether there is anything to do, so nothing is loaded that only reading needs; an update goes on from the same look, so
// that the disk is walked over once.

import { join } from 'node:path';
import type { Root, TranscriptFile } from '../records.ts';
import { decodeSnapshot } from '../sources/files/snapshot.ts';
import { getSource } from '../sources/index.ts';
import type { DiscoverOptions, Discovery, Source } from '../sources/source.ts';
import { type Database, openForeign } from '../store/open/database.ts';
import type { Store } from '../store/open/open-store.ts';
import { KnownFiles, type KnownTranscript, readTombstones } from '../store/read/known-files.ts';
import { findRootId, readSnapshot } from '../store/write/saved-snapshot.ts';
import { planReads } from './plan.ts';

export interface LookOptions extends Omit<DiscoverOptions, 'known' | 'openDatabase'> {
  readonly rebuild: boolean;
}

export interface Look {
  readonly root: Root;
  readonly source: Source;
  readonly found: Discovery;
  /** The transcripts that may have changed, but for those that were forgotten. */
  readonly files: readonly TranscriptFile[];
  readonly tombstones: ReadonlySet<string>;
  readonly hasSnapshot: boolean;
  readonly isAsBefore: boolean;
}

export interface LookedAt {
  readonly looks: readonly Look[];
  readonly indexState: string;
}

/** Takes no lock and writes nothing. */
export function lookAtRoots(db: Database, roots: readonly Root[], options: LookOptions): LookedAt {
  // Asked first: what somebody writes during the look counts as written after it.
  const indexState = readIndexState(db);
  return { looks: roots.map((root) => lookAtRoot(db, root, options)), indexState };
}

export function hasChanges({ looks }: LookedAt): boolean {
  return looks.some((look) => !look.isAsBefore);
}

/** Otherwise another process's snapshots and notes of how far files were read are newer than what was compared. */
export function isStillTrue(db: Database, { indexState }: LookedAt): boolean {
  return readIndexState(db) === indexState;
}

/** The one number changes when another connection has committed something, the other with every row that this one writes. */
function readIndexState(db: Database): string {
  const ownChanges = db.prepare('select total_changes()').pluck().get();
  return `${db.pragma('data_version', { simple: true })} ${ownChanges}`;
}

function lookAtRoot(db: Database, root: Root, { rebuild, ...options }: LookOptions): Look {
  const source = getSource(root.agent);
  const tombstones = readTombstones(db, root.agent);
  const rootId = findRootId(db, root.agent, root.path);
  const saved = rebuild || rootId === undefined ? undefined : readSnapshot(db, rootId, source.parserVersion);
  const known = saved === undefined ? new Map() : decodeSnapshot(saved);
  const found = source.discover(root.path, { ...options, known, openDatabase: openForeign });
  const files = found.files.filter((file) => !isForgotten(file, tombstones));
  // A folder without a session leaves a snapshot of nothing.
  const hasSnapshot = known.size > 0 || saved?.names.length === 0;
  const isAsBefore =
    hasSnapshot &&
    files.length === 0 &&
    found.sidecars.every((file) => isForgotten(file, tombstones)) &&
    found.missing.length === 0 &&
    found.obstacles.every((obstacle) => obstacle.isLink);
  return { root, source, found, files, tombstones, isAsBefore, hasSnapshot };
}

/** What was forgotten is never taken back: neither a session nor what belongs to it. */
export function isForgotten(
  { nativeId, parentNativeId }: { readonly nativeId: string | null; readonly parentNativeId: string | null },
  tombstones: ReadonlySet<string>,
): boolean {
  return [nativeId, parentNativeId].some((id) => id !== null && tombstones.has(id));
}

export function findUnseen(known: KnownFiles, files: readonly TranscriptFile[]): KnownTranscript[] {
  const paths = new Set(files.map((file) => file.path));
  return known.readPresent().filter(({ path }) => !paths.has(path));
}

export interface Survey {
  readonly pendingFiles: number;
  /** Absolute paths of files that `restore` has not finished. */
  readonly unfinished: readonly string[];
  readonly obstacles: readonly { readonly path: string; readonly reason: string }[];
  readonly cleanupDays: number | null;
  /** The prompt histories of the root. */
  readonly histories: readonly TranscriptFile[];
  /** The sessions of transcripts that changed since they were read. */
  readonly pendingIds: ReadonlySet<string>;
  /** Nothing of a conversation was found in it, though it could be looked into. */
  readonly isEmpty: boolean;
}

export function surveyRoot(store: Store, { agent, path: folder }: Root): Survey {
  const source = getSource(agent);
  const found = source.discover(folder, { openDatabase: openForeign });
  const tombstones = readTombstones(store.db, agent);
  const known = new KnownFiles(store.db, findRootId(store.db, agent, folder) ?? 0);
  const files = found.files.filter((file) => !isForgotten(file, tombstones));
  const plan = planReads(files, (path) => known.findTranscript(path), findUnseen(known, files), {
    parserVersion: source.parserVersion,
    rebuild: false,
    newestFirst: false,
    freeIds: { above: 0, left: null },
    unreadable: found.obstacles.map((obstacle) => obstacle.path),
  });
  return {
    pendingFiles: plan.reads.length + plan.gone.length,
    unfinished: (found.unfinished ?? []).map((path) => join(folder, path)),
    obstacles: found.obstacles.map(({ path, reason }) => ({ path: join(folder, path), reason })),
    cleanupDays: source.readCleanupDays(folder),
    histories: files.filter(({ kind }) => kind === 'history'),
    pendingIds: new Set(plan.reads.map(({ file }) => file.nativeId)),
    isEmpty: found.files.length === 0 && found.obstacles.length === 0,
  };
}
