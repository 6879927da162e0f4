// Deletes copies for good, on request: those of old sessions or of a project, or the whole archive. Transcripts stay where they are.

import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { markPrefix, readArchiveRoots } from '../../archive/layout.ts';
import {
  pruneCopies,
  readSessionCopies,
  type SessionCopies,
  toOwnerKey,
  toSessionKey,
} from '../../archive/session-copies.ts';
import type { Store } from '../../store/open/open-store.ts';
import { readProjects } from '../../store/read/index-facts.ts';
import { readArchivedFacts } from '../../store/read/known-files.ts';
import type { Host } from '../host.ts';
import { findProjects } from '../read-filters.ts';
import type { PruneRequest } from '../requests.ts';
import { holdLock } from '../upkeep/locks.ts';
import { countOwned, readCounted } from './status.ts';

export interface Prunable {
  readonly sessions: readonly (SessionCopies & { readonly nativeId: string })[];
  /** How many that is as `list` counts them: subagents and copies are part of their session. */
  readonly count: number;
  readonly bytes: number;
}

const dayMs = 86_400_000;

export function findPrunable(host: Host, { db }: Store, request: PruneRequest): Prunable {
  const { project } = request;
  const facts = new Map(readArchivedFacts(db).map((each) => [toSessionKey(each.agent, each.nativeId), each]));
  const found =
    project === undefined ? null : findProjects(readProjects(db), project, host.at.cwd, host.at.homeDir);
  const projects = found === null ? null : new Set(found.map(({ id }) => id));
  const before = host.now().getTime() - (request.olderThanDays ?? 0) * dayMs;
  const sessions = [...readSessionCopies(host.archivePath)].flatMap(([key, session]) => {
    const known = facts.get(key);
    const lastUsedMs = known?.modifiedAt == null ? session.modifiedAtMs : Date.parse(known.modifiedAt);
    const isOfProject = projects === null || (known?.projectId != null && projects.has(known.projectId));
    const isPrunable = session.bytes > 0 && isOfProject && lastUsedMs <= before;
    return isPrunable ? [{ ...session, nativeId: known?.nativeId ?? session.owner }] : [];
  });
  const keys = sessions.map(({ agent, owner }) => toOwnerKey(agent, owner));
  const bytes = sessions.reduce((sum, session) => sum + session.bytes, 0);
  return { sessions, count: countOwned(keys, readCounted(db)), bytes };
}

/** The sessions stay in the index. */
export function prune(host: Host, { sessions }: Prunable): Promise<void> {
  return holdLock(host, 'archive', () => pruneCopies(sessions, host.machine));
}

/** Only what is the archive's: a folder named by mistake keeps everything else. */
export async function deleteArchive(host: Host): Promise<void> {
  await holdLock(host, 'archive', () => {
    for (const { folder } of readArchiveRoots(host.archivePath))
      rmSync(folder, { recursive: true, force: true });
  });
  deleteIfEmpty(host.archivePath, 2);
}

const ownFiles = ['.lock', '.hub.lock', '.hub.json', '.machine.json'];

function deleteIfEmpty(folder: string, depth: number): void {
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory() && depth > 0) deleteIfEmpty(`${folder}/${entry.name}`, depth - 1);
      else if (ownFiles.includes(entry.name) || entry.name.startsWith(markPrefix))
        rmSync(`${folder}/${entry.name}`);
    }
    if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
  } catch {
    // Nothing is lost with an empty folder that stays.
  }
}

/** Folders of unpacked files, beside the index: the archive may only be readable. */
export const toUnpackedPrefix = (indexPath: string) => `${indexPath}.unpacked-`;

/** Deletes unpacked files that a killed run has left. The caller holds the index lock. */
export function deleteUnpacked(indexPath: string): void {
  const prefix = basename(toUnpackedPrefix(indexPath));
  const folder = dirname(indexPath);
  for (const name of readdirSync(folder))
    if (name.startsWith(prefix)) rmSync(join(folder, name), { recursive: true });
}
