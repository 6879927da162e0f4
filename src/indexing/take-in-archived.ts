// Takes in transcripts that exist only in the archive, where the index was lost or reads them differently now. They are read
// like any others, from files that were unpacked for it, and then marked as gone. The caller holds the index lock.

import type { Root, SidecarFile, TranscriptFile } from '../records.ts';
import { encodeSnapshot } from '../sources/files/snapshot.ts';
import { getSource } from '../sources/index.ts';
import type { Store } from '../store/open/open-store.ts';
import { isRedacting, keepsWork } from '../store/read/index-facts.ts';
import { KnownFiles, readFreeIds, readTombstones } from '../store/read/known-files.ts';
import { findRootId, readSnapshot, saveSnapshot } from '../store/write/saved-snapshot.ts';
import { TranscriptWriter } from '../store/write/transcript-writer.ts';
import { loadTools } from './load-tools.ts';
import { isForgotten } from './look.ts';
import type { PlannedRead } from './plan.ts';
import { type ReadAllOptions, readAll } from './read-all.ts';
import { IndexReport } from './report.ts';
import { settleSessions } from './settle.ts';
import { TranscriptSink } from './transcript-sink.ts';
import { updateSidecars } from './update-sidecars.ts';

/** What the archive has of one root. */
export interface ArchivedRoot {
  readonly root: Root;
  readonly transcripts: readonly TranscriptFile[];
  readonly sidecars: readonly SidecarFile[];
  /** Makes a file of it, which is deleted after it was read. */
  readonly unpack: (path: string) => string;
  readonly discard: (unpackedPath: string) => void;
}

/** The most that is unpacked at a time; a single transcript may be longer. */
const unpackedBytes = 256 * 1024 * 1024;

/** Whether everything that was in an archive, by its folder, was taken in by a reader of this version. */
export function isTakenIn({ db }: Store, { agent, path }: Root): boolean {
  const rootId = findRootId(db, agent, path);
  return rootId !== undefined && readSnapshot(db, rootId, getSource(agent).parserVersion) !== undefined;
}

/** The archive itself counts as a folder of the agent of which there is nothing more to read. */
export function setTakenIn({ db }: Store, { agent, path }: Root): void {
  const { id } = new TranscriptWriter(db).getRoot(agent, path);
  saveSnapshot(db, id, getSource(agent).parserVersion, encodeSnapshot([]));
}

/** How many transcripts were read. */
export async function takeInArchived(
  store: Store,
  archived: ArchivedRoot,
  options: ReadAllOptions,
): Promise<number> {
  const { db } = store;
  const { root } = archived;
  const { parserVersion, loadReader } = getSource(root.agent);
  const writer = new TranscriptWriter(db);
  const rootRow = writer.getRoot(root.agent, root.path);
  const tombstones = readTombstones(db, root.agent);
  const known = new KnownFiles(db, rootRow.id);
  const { above } = readFreeIds(db, rootRow.id);
  const reads = planArchived(archived.transcripts, known, tombstones, parserVersion).map((read, i) => ({
    ...read,
    newId: above + 1 + i,
  }));
  const report = new IndexReport();
  const sink = new TranscriptSink(writer, {
    ...{ db, rootRow, root: root.path, tombstones, parserVersion, report },
  });
  const manner = { ...options, root, isRedacting: isRedacting(db), keepsWork: keepsWork(db) };
  try {
    for (const group of toGroups(reads)) {
      const unpacked = group.map((read) => ({ ...read, readPath: archived.unpack(read.file.path) }));
      try {
        await readAll(unpacked, sink, manner, report);
      } finally {
        for (const { readPath } of unpacked) archived.discard(readPath);
      }
      sink.markGone(group.flatMap(({ file }) => known.findTranscript(file.path) ?? []));
    }
    const sidecars = archived.sidecars.filter((file) => known.findSidecar(file.path) === null);
    await updateSidecars(store, sidecars, {
      ...manner,
      ...{ rootId: rootRow.id, reader: await loadReader([], loadTools), known, tombstones, report },
      unpack: archived.unpack,
    });
    settleSessions(store);
  } catch (error) {
    writer.rollback();
    throw error;
  }
  return reads.length;
}

/** Those that are not known, or were read in another way; not where the index knows more than was kept. */
function planArchived(
  transcripts: readonly TranscriptFile[],
  known: KnownFiles,
  tombstones: ReadonlySet<string>,
  parserVersion: number,
): Omit<PlannedRead, 'newId'>[] {
  return transcripts
    .filter((file) => !isForgotten(file, tombstones))
    .toSorted((a, b) => a.mtimeMs - b.mtimeMs)
    .flatMap((file) => {
      const before = known.findTranscript(file.path);
      const isNew = before === null;
      const isOutdated =
        before?.state === 'gone' &&
        before.parserVersion !== parserVersion &&
        // What was read of a compressed file is more than the file.
        file.sizeBytes >= Math.min(before.bytesRead, before.sizeBytes);
      return isNew || isOutdated
        ? [{ file, known: before, change: isNew ? ('new' as const) : ('rewritten' as const) }]
        : [];
    });
}

function toGroups(reads: readonly PlannedRead[]): PlannedRead[][] {
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
