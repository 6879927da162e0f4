// Brings the archive up to date after the index: on request, or when a hook runs `recall index`. A search never waits for it.

import { type KeepReport, keepRoots, type RootToKeep, readSpace } from '../../archive/keep-roots.ts';
import { readKeptRoots } from '../../archive/places.ts';
import { redactKept } from '../../archive/redact-kept.ts';
import { KeptSnapshot } from '../../archive/snapshot-file.ts';
import type { LookedRoot } from '../../indexing/update-index.ts';
import type { AgentName } from '../../records.ts';
import { getSource } from '../../sources/index.ts';
import { type Store, withStore } from '../../store/open/open-store.ts';
import { isRedacting } from '../../store/read/index-facts.ts';
import { readTombstones } from '../../store/read/read-known.ts';
import type { Host } from '../host.ts';
import { upgradeOptions } from '../upkeep/upgrade-options.ts';
import { makeClean, makeUnpack } from './clean.ts';
import { acquireArchiveLock } from './hold-archive-lock.ts';
import { toOwners } from './owners.ts';

/** What the archive has to know of the index. */
interface KeepFacts {
  readonly isRedacting: boolean;
  readonly tombstones: ReadonlyMap<AgentName, ReadonlySet<string>>;
}

/** What was kept before secrets were to be taken out, on this machine or another. How many copies could not be read, and are deleted. */
async function redactArchive({ archivePath, machine, signal }: Host): Promise<number> {
  let deleted = 0;
  for (const root of readKeptRoots(archivePath)) {
    const snapshot = new KeptSnapshot(root);
    const { files } = getSource(root.agent);
    if (files === null || snapshot.isRedacted) continue;
    const ways = { clean: await makeClean(root.agent), unpack: await makeUnpack(root.agent) };
    deleted += await redactKept(root, files, { ...ways, machine, signal });
    await snapshot.setRedacted((path) => files.findForm(path) === 'packed');
  }
  return deleted;
}

function readFacts({ db }: Store, looked: readonly LookedRoot[]): KeepFacts {
  const named = new Set(looked.map(({ root }) => root.agent));
  const tombstones = new Map([...named].map((agent) => [agent, readTombstones(db, agent)]));
  return { isRedacting: isRedacting(db), tombstones };
}

/** With what was deleted because secrets could not be taken out of it. */
export interface ArchiveReport extends KeepReport {
  readonly deletedCopies: number;
}

const nothing: ArchiveReport = {
  ...{ sessions: 0, bytes: 0, addedBytes: 0, failures: [], pendingFiles: 0, unredactableFiles: 0 },
  ...{ deletedCopies: 0, stoppedBy: null },
};

/** Another archiver does the same work, so it is not waited for. */
export async function keepLooked(host: Host, looked: readonly LookedRoot[]): Promise<ArchiveReport> {
  const lock = acquireArchiveLock(host);
  if (lock === null) return { ...nothing, stoppedBy: { type: 'busy' } };
  try {
    // Under the lock: what is forgotten from now on is deleted here when the lock is free again.
    const facts = await withStore(host.indexPath, (store) => readFacts(store, looked), upgradeOptions(host));
    const deletedCopies = facts.isRedacting ? await redactArchive(host) : 0;
    const roots: RootToKeep[] = [];
    for (const { root, folders } of looked) {
      const { files } = getSource(root.agent);
      if (files === null) continue;
      const forgotten = toOwners(root.agent, facts.tombstones.get(root.agent) ?? []);
      const clean = facts.isRedacting ? await makeClean(root.agent) : null;
      const isWanted = (owner: string) => !forgotten.has(owner);
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
