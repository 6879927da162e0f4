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
//
// The caller holds the index lock. A file that cannot be read costs that file; anything SQLite says ends the run.

import { join } from 'node:path';
import type { TranscriptFile } from '../records.ts';
import type { Store } from '../store/open-store.ts';
import { KnownFiles, type KnownTranscript, readTombstones } from '../store/read-known.ts';
import { saveSnapshot } from '../store/saved-snapshot.ts';
import { TranscriptWriter } from '../store/transcript-writer.ts';
import type { Discovery } from '../transcripts/discover.ts';
import { encodeSnapshot, unknownStamp } from '../transcripts/snapshot.ts';
import { isForgotten, lookAtRoot, parserVersion } from './look.ts';
import { type PlannedRead, planReads } from './plan.ts';
import { type ReadAllOptions, readAll } from './read-all.ts';
import { Recovery } from './recover.ts';
import { IndexReport } from './report.ts';
import { settleSessions } from './settle.ts';
import { TranscriptSink } from './transcript-sink.ts';
import { updateSidecars } from './update-sidecars.ts';

export interface UpdateOptions extends ReadAllOptions {
  readonly rebuild: boolean;
  /** There may not be time for everything: begin with what is newest. */
  readonly isBounded: boolean;
  /** Take folders that were not touched since the last run to hold the same files. */
  readonly trustFolders: boolean;
  readonly nowMs: number;
}

export async function updateIndex(
  store: Store,
  roots: readonly string[],
  options: UpdateOptions,
): Promise<IndexReport> {
  const report = new IndexReport();
  const writer = new TranscriptWriter(store.db);
  const seen: SeenRoot[] = [];
  try {
    for (const root of roots) seen.push(await updateRoot(store, writer, root, options, report));
    if (seen.every((root) => root.isAsBefore)) return report;
    settleSessions(store);
    for (const root of seen) leaveSnapshot(store, root);
  } catch (error) {
    writer.rollback();
    throw error;
  }
  return report;
}

interface SeenRoot {
  readonly rootId: number;
  readonly found: Discovery;
  /** Nothing differs from what the last complete run left. */
  readonly isAsBefore: boolean;
  /** Paths that must be looked at again next time. */
  readonly unfinished: ReadonlySet<string>;
}

async function updateRoot(
  store: Store,
  writer: TranscriptWriter,
  root: string,
  options: UpdateOptions,
  report: IndexReport,
): Promise<SeenRoot> {
  const { db } = store;
  const rootId = writer.getRootId(root);
  const tombstones = readTombstones(db);
  const { found, files, isAsBefore, hasSnapshot } = lookAtRoot(db, rootId, root, tombstones, options);
  const forgotten = found.files.filter((file) => isForgotten(file, tombstones)).map((file) => file.path);
  reportObstacles(found, root, report);
  report.files.seen += found.unchanged + files.length;
  report.files.unchanged += found.unchanged;
  if (isAsBefore) return { rootId, found, isAsBefore, unfinished: new Set() };

  const known = new KnownFiles(db, rootId);
  const plan = planReads(
    files,
    (path) => known.findTranscript(path),
    findMissing(known, found, files, hasSnapshot),
    {
      parserVersion,
      rebuild: options.rebuild,
      newestFirst: options.isBounded,
      unreadable: found.obstacles.map((obstacle) => obstacle.path),
    },
  );
  report.files.unchanged += plan.unchanged;

  const lastSessionId = writer.readLastSessionId();
  const sink = new TranscriptSink(writer, {
    ...{ db, rootId, lastSessionId, root, tombstones, parserVersion, report },
  });
  const isHistory = (read: PlannedRead) => read.file.kind === 'history';
  const unfinished = [...forgotten];
  unfinished.push(
    ...(await readAll(
      plan.reads.filter((read) => !isHistory(read)),
      root,
      sink,
      options,
      report,
    )),
  );
  sink.markGone(plan.gone);
  const recovery = new Recovery(store, writer, { rootId, tombstones, onDisk: found.claudeIds() });
  sink.onPrompts = (prompts) => recovery.addPrompts(prompts);
  updateSidecars(store, known, rootId, root, found.sidecars, tombstones, report);
  unfinished.push(...(await readAll(plan.reads.filter(isHistory), root, sink, options, report)));
  recovery.recoverFromHints();
  return { rootId, found, isAsBefore, unfinished: new Set(unfinished) };
}

/** Transcripts that were there and are not: the snapshot tells, or without one the index. */
function findMissing(
  known: KnownFiles,
  found: Discovery,
  files: readonly TranscriptFile[],
  hasSnapshot: boolean,
): KnownTranscript[] {
  if (hasSnapshot) {
    return found.missing
      .map((path) => known.findTranscript(path))
      .filter((transcript) => transcript !== null);
  }
  const paths = new Set(files.map((file) => file.path));
  return known.readPresent().filter(({ path }) => !paths.has(path));
}

/** Not while something could not be looked at: then the next run has to ask about every file. */
function leaveSnapshot(store: Store, { rootId, found, isAsBefore, unfinished }: SeenRoot): void {
  if (isAsBefore || found.obstacles.some((obstacle) => !obstacle.isLink)) return;
  const folders = found.folders.map((folder) => ({
    ...folder,
    stamps: Array.from(folder.stamps, (stamp, i) =>
      unfinished.has(folder.path === '' ? (folder.files[i] ?? '') : `${folder.path}/${folder.files[i]}`)
        ? unknownStamp
        : stamp,
    ),
  }));
  saveSnapshot(store.db, rootId, parserVersion, encodeSnapshot(folders));
}

function reportObstacles(found: Discovery, root: string, report: IndexReport): void {
  for (const obstacle of found.obstacles) {
    const path = join(root, obstacle.path);
    if (obstacle.isLink) report.links.push({ ...obstacle, path });
    else report.fail(path, obstacle.reason);
  }
}
