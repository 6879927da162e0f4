// The archive beside an update of the index. Before it, sessions of which only the archive has a copy are indexed, once for each
// version of the reader; after it, the archive is brought up to date. A search never waits for either.

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import {
  type KeepReport,
  keepRoots,
  nothingKept,
  type RootToKeep,
  readSpace,
} from '../../archive/keep-roots.ts';
import {
  type ArchiveRoot,
  type Copy,
  eachCopy,
  Listings,
  readArchiveRoots,
  toPlace,
  type Version,
} from '../../archive/layout.ts';
import { findUnredacted, redactCopies } from '../../archive/redact-copies.ts';
import { eachRestoredChunk, writeFile } from '../../archive/restore-file.ts';
import { type Clean, deleteSegments, readStretches } from '../../archive/segments.ts';
import { type IsMarked, readMarks } from '../../archive/session-copies.ts';
import { NotWritable } from '../../errors.ts';
import { type ReceivedFile, readMachine } from '../../hub/pull.ts';
import { loadTools } from '../../indexing/reader.ts';
import type { LookedRoot } from '../../indexing/report.ts';
import {
  areCopiesIndexed,
  type CopiedRoot,
  indexCopiesOf,
  markCopiesIndexed,
} from '../../indexing/update-index.ts';
import { isFile } from '../../open-file.ts';
import { type AgentName, agents, type SidecarFile, type TranscriptFile } from '../../records.ts';
import { getSource } from '../../sources/index.ts';
import { isLocked, type Store } from '../../store/open/open-store.ts';
import { isRedacting } from '../../store/read/index-facts.ts';
import { getMachineId } from '../../store/write/machines.ts';
import type { Host } from '../host.ts';
import { acquireLock, toObstacle, withIndex } from '../upkeep/locks.ts';
import { deleteUnpacked, toUnpackedPrefix } from './delete.ts';
import { countOwned, readCounted, readForgottenOwners } from './status.ts';

export interface ArchiveReport extends Omit<KeepReport, 'owners'> {
  /** How many sessions have something new in the archive. */
  readonly sessions: number;
  /** Copies that were deleted because secrets could not be taken out of them. */
  readonly deletedCopies: number;
}

/** Another archiver does the same work, so it is not waited for. */
export async function keepLooked(
  host: Host,
  looked: readonly LookedRoot[],
  isChecking: boolean,
): Promise<ArchiveReport> {
  const stopped = (stoppedBy: KeepReport['stoppedBy']) => {
    const { owners: _, ...nothing } = nothingKept;
    return { ...nothing, sessions: 0, stoppedBy, deletedCopies: 0 };
  };
  const { archivePath } = host;
  let lock: ReturnType<typeof acquireLock> | null = null;
  try {
    const inItsPlace = statSync(archivePath, { throwIfNoEntry: false });
    if (inItsPlace?.isDirectory() === false) throw new NotWritable(archivePath, new Error('not a directory'));
    lock = acquireLock(host, 'archive');
    if (!isLocked(lock)) return stopped({ type: 'busy' });
    // Under the lock: what is forgotten from now on is deleted here when the lock is free again.
    const { isCleaning, forgotten } = await withIndex(host, ({ db }) => ({
      isCleaning: isRedacting(db),
      forgotten: new Map(looked.map(({ root }) => [root.agent, readForgottenOwners(db, root.agent)])),
    }));
    const deletedCopies = isCleaning ? await redactArchive(host) : 0;
    const roots: RootToKeep[] = [];
    for (const { root, folders } of looked) {
      const { files, loadUnpack } = getSource(root.agent);
      if (files === null) continue;
      const hasPacked = loadUnpack !== undefined;
      const clean = isCleaning ? await loadClean(root.agent) : null;
      const ofAgent = forgotten.get(root.agent) ?? new Set();
      roots.push({ root, files, folders, clean, hasPacked, forgotten: ofAgent });
    }
    const { owners, ...report } = await keepRoots(roots, {
      archive: host.archivePath,
      machine: host.machine,
      nowMs: host.now().getTime(),
      signal: host.signal,
      isChecking,
      readSpace: host.readSpace ?? readSpace,
      onProgress: (progress) => host.onEvent({ type: 'archiving', progress }),
    });
    const sessions =
      owners.size === 0 ? 0 : await withIndex(host, ({ db }) => countOwned(owners, readCounted(db)));
    return { ...report, sessions, deletedCopies };
  } catch (error) {
    const reason = host.signal.aborted ? null : toObstacle(error);
    if (reason === null) throw error;
    return stopped({
      type: 'failed',
      reason: error instanceof NotWritable ? reason : `${archivePath}: ${reason}`,
    });
  } finally {
    if (lock !== null && isLocked(lock)) lock.release();
    host.onEvent({ type: 'progress-end' });
  }
}

/** Copies whose names do not say that secrets were taken out by the rules of today, of this machine and others. How many could not be read, and are deleted. */
export async function redactArchive({ archivePath, machine, signal }: Host): Promise<number> {
  let deleted = 0;
  for (const root of readArchiveRoots(archivePath)) {
    const { files, loadUnpack } = getSource(root.agent);
    if (files === null) continue;
    const hasPacked = loadUnpack !== undefined;
    const copies = findUnredacted(root, (path) => hasPacked && files.findForm(path) === 'packed');
    if (copies.length === 0) continue;
    const clean = await loadClean(root.agent);
    const unpack = (await loadUnpack?.()) ?? ((file) => file);
    deleted += await redactCopies(root, files, copies, { clean, unpack, machine, signal });
  }
  return deleted;
}

export async function loadClean(agent: AgentName): Promise<Clean> {
  const { redactLine } = await getSource(agent).loadReader([], loadTools);
  if (redactLine === undefined) throw new Error(`nobody can take secrets out of the files of ${agent}`);
  return redactLine;
}

export async function indexCopies(host: Host, store: Store): Promise<number> {
  const { archivePath: path, signal, threads } = host;
  const due = agents
    .map(getSource)
    .filter((source) => source.files !== null && !areCopiesIndexed(store, source, path));
  if (due.length === 0) return 0;
  deleteUnpacked(host.indexPath);
  const folder = mkdtempSync(toUnpackedPrefix(host.indexPath));
  const { isMarked } = readMarks(path);
  let count = 0;
  try {
    for (const root of readArchiveRoots(path)) {
      const source = due.find(({ agent }) => agent === root.agent);
      if (source === undefined) continue;
      const machine = readMachine(path, root.machine);
      const machineId = machine === null ? 0 : getMachineId(store.db, { key: root.machine, ...machine });
      // What is still on disk is read from there.
      const copies = [...eachCopy(root)].filter(
        (copy) => machineId > 0 || !isFile(join(root.path, copy.path)),
      );
      count += await indexCopiesOf(
        store,
        source,
        toCopiedRoot(root, copies, { folder, isMarked, machineId }),
        {
          signal,
          threads,
          isTimeUp: () => false,
          onProgress: (progress) => host.onEvent({ type: 'progress', progress }),
        },
      );
    }
    for (const source of due) markCopiesIndexed(store, source, path);
  } finally {
    host.onEvent({ type: 'progress-end' });
    rmSync(folder, { recursive: true, force: true });
  }
  return count;
}

/** Files that a hub has just brought. The caller holds the index lock. */
export async function indexReceived(
  { archivePath, indexPath, signal, threads }: Host,
  store: Store,
  received: readonly ReceivedFile[],
): Promise<void> {
  deleteUnpacked(indexPath);
  const folder = mkdtempSync(toUnpackedPrefix(indexPath));
  const { isMarked } = readMarks(archivePath);
  try {
    for (const { machine, root, paths } of received) {
      const machineId = getMachineId(store.db, machine);
      const listings = new Listings();
      const copies = paths.map((path) => listings.find(toPlace(root, path)));
      // Those that came before are merged into one that came now.
      for (const copy of copies) deleteSegments(copy, copy.leftovers);
      const copied = toCopiedRoot(root, copies, { folder, isMarked, machineId, areChanged: true });
      const options = { signal, threads, isTimeUp: () => false, onProgress: () => {} };
      await indexCopiesOf(store, getSource(root.agent), copied, options);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface CopiedOptions {
  /** Files are unpacked to it. */
  readonly folder: string;
  readonly isMarked: IsMarked;
  readonly machineId: number;
  readonly areChanged?: boolean;
}

/** The newest version of each copy as a file to index, except copies that are to be deleted. */
function toCopiedRoot(
  root: ArchiveRoot,
  copies: readonly Copy[],
  { folder, isMarked, machineId, areChanged = false }: CopiedOptions,
): CopiedRoot {
  const { files } = getSource(root.agent);
  const byPath = new Map<string, Copy>();
  const transcripts: TranscriptFile[] = [];
  const sidecars: SidecarFile[] = [];
  for (const copy of copies) {
    const [version] = copy.versions;
    if (version === undefined) continue;
    const owner = files?.findOwner(copy.path) ?? null;
    if (owner !== null && isMarked(root.agent, owner)) continue;
    const { transcript = null, sidecar = null } = files?.findMeaning(copy.path) ?? {};
    const found = transcript ?? sidecar;
    if (found !== null) byPath.set(found.path, copy);
    const last = `${copy.folder}/${version.segments.at(-1)?.name}`;
    const mtimeMs = statSync(last, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    // No file on disk has the same.
    const stamp = { sizeBytes: version.sizeBytes, mtimeMs, ctimeMs: 0, inode: 0 };
    if (transcript !== null && !transcript.isMachinery) transcripts.push({ ...transcript, ...stamp });
    if (sidecar !== null) sidecars.push({ ...sidecar, ...stamp });
  }
  let unpacked = 0;
  return {
    root: { agent: root.agent, path: root.path },
    machineId,
    areChanged,
    transcripts,
    sidecars,
    unpack: (path) => {
      // How a file is read may depend on how its name ends.
      const target = `${folder}/${unpacked++}${extname(path)}`;
      const copy = byPath.get(path) as Copy;
      const stretches = readStretches(copy, copy.versions[0] as Version);
      writeFile(target, eachRestoredChunk(stretches, files?.findForm(path) === 'lines'));
      return target;
    },
    discard: (path) => rmSync(path, { force: true }),
  };
}
