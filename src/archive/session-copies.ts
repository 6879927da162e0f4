// Copies by session: how much they take and how old they are, from names and sizes alone; and deleting them.

import { lstatSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AgentName } from '../records.ts';
import { getSource } from '../sources/index.ts';
import { type Copy, eachCopy, formatPrunedName, readArchiveRoots } from './layout.ts';
import { deleteSegments, prepareFile, putInPlace } from './segments.ts';

export interface SessionCopies {
  readonly agent: AgentName;
  /** Its id as paths name it. */
  readonly owner: string;
  readonly files: Copy[];
  /** What they take in the archive. */
  bytes: number;
  /** How large the files are, as they were last. */
  transcriptBytes: number;
  /** When the newest of them was last written. */
  modifiedAtMs: number;
}

/** By agent and owner. */
export function readSessionCopies(archive: string): Map<string, SessionCopies> {
  const sessions = new Map<string, SessionCopies>();
  for (const root of readArchiveRoots(archive)) {
    const { agent } = root;
    const { files } = getSource(agent);
    if (files === null) continue;
    for (const copy of eachCopy(root)) {
      const owner = files.findOwner(copy.path);
      if (owner === null) continue;
      const key = toOwnerKey(agent, owner);
      const session = sessions.get(key) ?? {
        agent,
        owner,
        files: [],
        bytes: 0,
        transcriptBytes: 0,
        modifiedAtMs: 0,
      };
      sessions.set(key, session);
      addCopy(session, copy);
    }
  }
  return sessions;
}

export function toOwnerKey(agent: AgentName, owner: string): string {
  return `${agent} ${owner}`;
}

/** The key of a session that the index knows by its id. */
export function toSessionKey(agent: AgentName, nativeId: string): string {
  return toOwnerKey(agent, getSource(agent).files?.toOwner(nativeId) ?? nativeId);
}

function addCopy(session: SessionCopies, copy: Copy): void {
  session.files.push(copy);
  session.transcriptBytes += copy.versions[0]?.sizeBytes ?? 0;
  for (const { name } of copy.segments) {
    const found = statSync(`${copy.folder}/${name}`, { throwIfNoEntry: false });
    session.bytes += found?.size ?? 0;
    session.modifiedAtMs = Math.max(session.modifiedAtMs, found?.mtimeMs ?? 0);
  }
}

/** For good, with the traces of pruning. */
export function deleteCopies({ files }: SessionCopies): void {
  for (const copy of files) deleteCopy(copy);
}

/** What is pruned while its file still exists leaves an empty file whose name says so, or the next run would keep it again. */
export async function pruneCopies({ files }: SessionCopies, machine: string): Promise<void> {
  for (const copy of files) {
    const { root, path, folder, stem } = copy;
    const found =
      root.machine === machine ? lstatSync(`${root.path}/${path}`, { throwIfNoEntry: false }) : undefined;
    if (!found?.isFile()) deleteCopy(copy);
    else {
      // In this order: killed between both, the copy is still there and not kept again.
      const marker = `${folder}/${formatPrunedName(stem, found.size)}`;
      await putInPlace(await prepareFile(marker, Buffer.alloc(0), found.mtimeMs));
      deleteSegments(copy, copy.segments);
    }
  }
}

function deleteCopy(copy: Copy): void {
  const { root, folder, stem, prunedBytes } = copy;
  deleteSegments(copy, copy.segments);
  for (const bytes of prunedBytes) rmSync(`${folder}/${formatPrunedName(stem, bytes)}`, { force: true });
  // Folders in which nothing is left, up to the root's own.
  for (let each = folder; each.length > root.folder.length; each = dirname(each)) {
    try {
      rmdirSync(each);
    } catch {
      return;
    }
  }
}
