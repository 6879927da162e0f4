// Takes in a session that somebody has handed on. Everything in the bundle is checked before anything is written; then it goes the
// way of what a hub brings: into the archive, as if another machine had sent it, and from there into the index. One that is here
// already is left as it is, unless it was imported before and the bundle is newer.

import { realpathSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { toArchiveRoot } from '../../archive/layout.ts';
import { toReason, UserError } from '../../errors.ts';
import { recall } from '../../hints.ts';
import { Bundle } from '../../hub/bundle.ts';
import type { Machine } from '../../hub/carrier.ts';
import { BadParcel } from '../../hub/parcel.ts';
import { Received, saveMachine } from '../../hub/pull.ts';
import { openFile } from '../../open-file.ts';
import { type AgentName, importedMachine, importedPrefix, type LabelEntry } from '../../records.ts';
import { getSource } from '../../sources/index.ts';
import type { Store } from '../../store/open/open-store.ts';
import { isRedacting } from '../../store/read/index-facts.ts';
import { findMachineKeys, readTombstones } from '../../store/read/known-files.ts';
import { toPrintableLine } from '../../text/printable.ts';
import { indexReceived, redactArchive } from '../archive/keep.ts';
import { refreshFor } from '../find-session.ts';
import type { Host } from '../host.ts';
import { checkSpace, dropCopies } from '../hub/sync.ts';
import { checkLabels, importLabels } from '../import-labels.ts';
import { holdLock, withIndex, withLockedIndex } from '../upkeep/locks.ts';
import { applyLabels } from '../upkeep/update.ts';

export interface ImportedSession {
  /** updated: it takes the place of an older import · present: it was here, and nothing was changed. */
  readonly state: 'imported' | 'updated' | 'present';
  readonly agent: AgentName;
  readonly id: string;
  readonly title: string | null;
  readonly by: string;
  readonly exportedAt: string;
  readonly isRedacted: boolean;
  readonly files: number;
  readonly labels: number;
}

export async function importSession(host: Host, path: string): Promise<ImportedSession> {
  let bundle: Bundle | null = null;
  try {
    bundle = openBundle(resolve(host.at.cwd, path));
    return await importBundle(host, bundle);
  } catch (error) {
    if (!(error instanceof BadParcel)) throw error;
    throw new UserError(`${toPrintableLine(path)} cannot be imported: ${error.message}`, {
      code: 'bad-bundle',
      hint: 'nothing was written; have it sent again',
      cause: error,
    });
  } finally {
    bundle?.close();
  }
}

function openBundle(path: string): Bundle {
  let fd: number;
  try {
    fd = openFile(realpathSync(path));
  } catch (error) {
    throw new BadParcel(toReason(error));
  }
  return new Bundle(fd);
}

async function importBundle(host: Host, bundle: Bundle): Promise<ImportedSession> {
  const { archivePath: archive, signal } = host;
  const { agent, id, title, by, exportedAt, isRedacted, files, cwd, remote, branch, commit } =
    bundle.manifest;
  // Its name has the time, so that of two imports of one session the newer is known.
  const time = exportedAt.slice(0, 19).replaceAll(':', '.');
  const machine: Machine = {
    key: `${importedPrefix}${time}Z-${bundle.digest.slice(0, 16)}`,
    name: importedMachine,
    owner: by,
  };
  const parts = () => bundle.parts((of, root) => toArchiveRoot(archive, machine.key, of, root));
  const owners = new Set<string>();
  for (const { session } of parts()) {
    signal.throwIfAborted();
    owners.add(session);
  }
  const labels = readLabels(bundle).filter((each) => each.agent === agent && each.id === id);
  const { known, older, isCleaning } = await withIndex(host, async (store) => {
    await refreshFor(host, store, id);
    return {
      ...findKnown(store, agent, id, owners, machine.key),
      isCleaning: isRedacting(store.db),
    };
  });
  const about = { agent, id, title, by, exportedAt, isRedacted, files: files.length };
  const owner = getSource(agent).files?.toOwner(id) ?? id;
  if (known.has(owner)) return { ...about, state: 'present', labels: 0 };
  checkSpace(host, recall('import', '<file>'));
  const hold = <T>(run: () => Promise<T>) => holdLock(host, 'archive', run);
  const facts = { cwd, remote, branch, commit };
  const received = new Received({ archive, nowMs: host.now().getTime() });
  const taken = await hold(async () => {
    // First: what is here without it would be taken for this machine's own.
    await saveMachine(archive, machine, { [`${agent} ${owner}`]: facts });
    // Read and checked once more: meanwhile somebody may have written to the file.
    for (const part of parts()) if (!known.has(part.session)) await received.add(machine, part);
    return received.finish([machine]);
  });
  if (isCleaning) await hold(() => redactArchive(host));
  for (const key of older) {
    await dropCopies(host, () => true, [{ ...machine, key }]);
    rmSync(`${archive}/${key}`, { recursive: true, force: true });
  }
  const imported = await withLockedIndex(host, async (store) => {
    await indexReceived(host, store, taken);
    const { changed } = importLabels(store, labels);
    await applyLabels(store);
    return changed;
  });
  return { ...about, state: older.length > 0 ? 'updated' : 'imported', labels: imported };
}

function readLabels({ manifest }: Bundle): LabelEntry[] {
  try {
    return checkLabels(manifest.labels);
  } catch {
    throw new BadParcel('its labels are none');
  }
}

/** The owners of files whose sessions are here, or were forgotten; and the older imports of the session, by their machines' keys. */
function findKnown(
  { db }: Store,
  agent: AgentName,
  id: string,
  owners: ReadonlySet<string>,
  newKey: string,
): { readonly known: ReadonlySet<string>; readonly older: readonly string[] } {
  const toOwner = (nativeId: string) => getSource(agent).files?.toOwner(nativeId) ?? nativeId;
  const known = new Set([...readTombstones(db, agent)].map(toOwner));
  if (known.has(toOwner(id)))
    throw new UserError(`${toPrintableLine(id)} was forgotten here, and does not come back`, {
      code: 'forgotten',
      exitCode: 1,
    });
  const isOlder = (key: string | null) => key?.startsWith(importedPrefix) === true && key < newKey;
  let older: readonly string[] = [];
  for (const nativeId of [id, ...owners]) {
    const keys = findMachineKeys(db, agent, nativeId);
    if (!keys.every(isOlder)) known.add(toOwner(nativeId));
    else if (nativeId === id) older = keys.filter((key) => key !== null);
  }
  return { known, older };
}
