// Makes the index equal to roots that were looked at and found changed: plans what to read, reads and writes it, settles
// what was touched. The order of things is described in update-index.ts.

import type { Root, TranscriptFile } from '../records.ts';
import { encodeSnapshot, withoutStamps } from '../sources/files/snapshot.ts';
import { getSource } from '../sources/index.ts';
import type { Discovery } from '../sources/source.ts';
import type { Store } from '../store/open/open-store.ts';
import { isRedacting, keepsWork } from '../store/read/index-facts.ts';
import { KnownFiles, type KnownTranscript, readFreeIds } from '../store/read/known-files.ts';
import { dropCoveredOrphans } from '../store/upkeep/orphans.ts';
import { dropMovedSessions } from '../store/write/moved-sessions.ts';
import { saveSnapshot } from '../store/write/saved-snapshot.ts';
import { TranscriptWriter } from '../store/write/transcript-writer.ts';
import { loadTools } from './load-tools.ts';
import { isForgotten, type Look } from './look.ts';
import { type PlannedRead, planReads } from './plan.ts';
import { readAll } from './read-all.ts';
import { continueRebuilt } from './rebuilt.ts';
import { Recovery } from './recover.ts';
import type { IndexReport } from './report.ts';
import { settleSessions } from './settle.ts';
import { TranscriptSink } from './transcript-sink.ts';
import type { UpdateOptions } from './update-index.ts';
import { updateSidecars } from './update-sidecars.ts';

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
    writer.rollback();
    throw error;
  }
}

interface UpdatedRoot {
  readonly root: Root;
  readonly rootId: number;
  readonly found: Discovery;
  /** Paths that must be looked at again next time. */
  readonly unfinished: ReadonlySet<string>;
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
  const forgotten = found.files.filter((file) => isForgotten(file, tombstones)).map((file) => file.path);
  const known = new KnownFiles(db, rootId);
  const plan = planReads(
    files,
    (path) => known.findTranscript(path),
    findMissing(known, found, files, hasSnapshot),
    {
      parserVersion,
      rebuild: options.rebuild,
      newestFirst: options.isBounded,
      wanted: options.wanted,
      freeIds: readFreeIds(db, rootId),
      unreadable: found.obstacles.map((obstacle) => obstacle.path),
    },
  );
  report.files.unchanged += plan.unchanged;

  const sink = new TranscriptSink(writer, {
    ...{ db, rootRow, root: root.path, tombstones, parserVersion, report },
  });
  const manner = { ...options, root, isRedacting: isRedacting(db), keepsWork: keepsWork(db) };
  const isHistory = (read: PlannedRead) => read.file.kind === 'history';
  const sidecars = { ...manner, rootId, reader, known, tombstones, report };
  const unfinished = [...forgotten, ...(await updateSidecars(store, found.sidecars, sidecars))];
  const transcripts = plan.reads
    .filter((read) => !isHistory(read))
    .map((read) => continueRebuilt(read, root.path, reader));
  unfinished.push(...(await readAll(transcripts, sink, manner, report)));
  sink.markGone(plan.gone);
  if (movesTranscripts) dropMovedSessions(db, writer, rootId);
  const recovery = new Recovery(store, writer, {
    root: rootRow,
    tombstones,
    onDisk: () => found.nativeIds(),
  });
  sink.onPrompts = (prompts) => recovery.addPrompts(prompts);
  unfinished.push(...(await readAll(plan.reads.filter(isHistory), sink, manner, report)));
  recovery.recoverFromHints();
  return { root, rootId, found, unfinished: new Set(unfinished) };
}

/** Transcripts that were there and are not: by the snapshot, or without one by the index. */
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
function leaveSnapshot(store: Store, { root, rootId, found, unfinished }: UpdatedRoot): void {
  if (found.obstacles.some((obstacle) => !obstacle.isLink)) return;
  const folders = unfinished.size === 0 ? found.folders : withoutStamps(found.folders, unfinished);
  saveSnapshot(store.db, rootId, getSource(root.agent).parserVersion, encodeSnapshot(folders));
}
