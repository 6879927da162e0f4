// Brings the archive up to date after the index: on request, or when a hook runs `recall index`. A search never waits for it.

import {
  type KeepReport,
  keepRoots,
  nothingKept,
  type RootToKeep,
  readSpace,
} from '../../archive/keep-roots.ts';
import { readArchiveRoots } from '../../archive/layout.ts';
import { redactCopies } from '../../archive/redact-copies.ts';
import type { Clean } from '../../archive/segments.ts';
import { ArchiveSnapshot } from '../../archive/snapshot-file.ts';
import { loadTools } from '../../indexing/reader.ts';
import type { LookedRoot } from '../../indexing/report.ts';
import type { AgentName } from '../../records.ts';
import { getSource } from '../../sources/index.ts';
import { isLocked, type Store } from '../../store/open/open-store.ts';
import { isRedacting } from '../../store/read/index-facts.ts';
import { readTombstones } from '../../store/read/known-files.ts';
import type { Host } from '../host.ts';
import { acquireLock, withIndex } from '../upkeep/locks.ts';

export interface ArchiveReport extends KeepReport {
  /** Copies that were deleted because secrets could not be taken out of them. */
  readonly deletedCopies: number;
}

/** Another archiver does the same work, so it is not waited for. */
export async function keepLooked(host: Host, looked: readonly LookedRoot[]): Promise<ArchiveReport> {
  const lock = acquireLock(host, 'archive');
  if (!isLocked(lock)) return { ...nothingKept, stoppedBy: { type: 'busy' }, deletedCopies: 0 };
  try {
    // Under the lock: what is forgotten from now on is deleted here when the lock is free again.
    const { isCleaning, forgotten } = await withIndex(host, ({ db }) => ({
      isCleaning: isRedacting(db),
      forgotten: new Map(looked.map(({ root }) => [root.agent, readForgottenOwners(db, root.agent)])),
    }));
    const deletedCopies = isCleaning ? await redactArchive(host) : 0;
    const roots: RootToKeep[] = [];
    for (const { root, folders } of looked) {
      const { files } = getSource(root.agent);
      if (files === null) continue;
      const clean = isCleaning ? await loadClean(root.agent) : null;
      const isWanted = (owner: string) => !forgotten.get(root.agent)?.has(owner);
      roots.push({ root, files, folders, isWanted, clean });
    }
    const report = await keepRoots(roots, {
      archive: host.archivePath,
      machine: host.machine,
      nowMs: host.now().getTime(),
      signal: host.signal,
      readSpace: host.readSpace ?? readSpace,
      onProgress: (progress) => host.onEvent({ type: 'archiving', progress }),
    });
    return { ...report, deletedCopies };
  } finally {
    lock.release();
    host.onEvent({ type: 'progress-end' });
  }
}

/** Sessions that are not to be kept, as paths name them. */
export function readForgottenOwners(db: Store['db'], agent: AgentName): Set<string> {
  const { files } = getSource(agent);
  return new Set([...readTombstones(db, agent)].map((nativeId) => files?.toOwner(nativeId) ?? nativeId));
}

/** Copies from before secrets were to be taken out, of this machine and others. How many could not be read, and are deleted. */
async function redactArchive({ archivePath, machine, signal }: Host): Promise<number> {
  let deleted = 0;
  for (const root of readArchiveRoots(archivePath)) {
    const snapshot = new ArchiveSnapshot(root);
    const { files, loadUnpack } = getSource(root.agent);
    if (files === null || snapshot.isRedacted) continue;
    const clean = await loadClean(root.agent);
    // Only files that are packed are unpacked.
    const unpack = (await loadUnpack?.()) ?? ((file) => file);
    deleted += await redactCopies(root, files, { clean, unpack, machine, signal });
    // Without stamps: every file is compared with its copy, which may be gone.
    await snapshot.save([], true);
  }
  return deleted;
}

async function loadClean(agent: AgentName): Promise<Clean> {
  const { redactLine } = await getSource(agent).loadReader([], loadTools);
  if (redactLine === undefined) throw new Error(`nobody can take secrets out of the files of ${agent}`);
  return redactLine;
}
