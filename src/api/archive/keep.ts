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
  readArchiveRoots,
  type Version,
} from '../../archive/layout.ts';
import { findUnredacted, redactCopies } from '../../archive/redact-copies.ts';
import { eachRestoredChunk, writeFile } from '../../archive/restore-file.ts';
import { type Clean, readStretches } from '../../archive/segments.ts';
import { type IsMarked, readMarks } from '../../archive/session-copies.ts';
import { NotWritable } from '../../errors.ts';
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
import type { Source } from '../../sources/source.ts';
import { isLocked, type Store } from '../../store/open/open-store.ts';
import { isRedacting } from '../../store/read/index-facts.ts';
import type { Host } from '../host.ts';
import { acquireLock, toObstacle, withIndex } from '../upkeep/locks.ts';
import { deleteUnpacked, toUnpackedPrefix } from './delete.ts';
import { readForgottenOwners } from './status.ts';

export interface ArchiveReport extends KeepReport {
  /** Copies that were deleted because secrets could not be taken out of them. */
  readonly deletedCopies: number;
}

/** Another archiver does the same work, so it is not waited for. */
export async function keepLooked(
  host: Host,
  looked: readonly LookedRoot[],
  isChecking: boolean,
): Promise<ArchiveReport> {
  const stopped = (stoppedBy: KeepReport['stoppedBy']) => ({ ...nothingKept, stoppedBy, deletedCopies: 0 });
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
    const report = await keepRoots(roots, {
      archive: host.archivePath,
      machine: host.machine,
      nowMs: host.now().getTime(),
      signal: host.signal,
      isChecking,
      readSpace: host.readSpace ?? readSpace,
      onProgress: (progress) => host.onEvent({ type: 'archiving', progress }),
    });
    return { ...report, deletedCopies };
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
async function redactArchive({ archivePath, machine, signal }: Host): Promise<number> {
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

async function loadClean(agent: AgentName): Promise<Clean> {
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
      count += await indexCopiesOf(store, source, findArchivedOnly(root, source, folder, isMarked), {
        signal,
        threads,
        isTimeUp: () => false,
        onProgress: (progress) => host.onEvent({ type: 'progress', progress }),
      });
    }
    for (const source of due) markCopiesIndexed(store, source, path);
  } finally {
    host.onEvent({ type: 'progress-end' });
    rmSync(folder, { recursive: true, force: true });
  }
  return count;
}

/** What is still on disk is read from there, and what is to be deleted is not read. Files are unpacked to `folder`. */
function findArchivedOnly(
  root: ArchiveRoot,
  { files }: Source,
  folder: string,
  isMarked: IsMarked,
): CopiedRoot {
  const byPath = new Map<string, Copy>();
  const transcripts: TranscriptFile[] = [];
  const sidecars: SidecarFile[] = [];
  for (const copy of eachCopy(root)) {
    const [version] = copy.versions;
    if (version === undefined || isFile(join(root.path, copy.path))) continue;
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
