// Copies by session: how much they take and how old they are, from names and sizes alone; deleting them, also those of sessions
// that were forgotten; and verifying all of them against their checksums.

import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AgentName, Progress } from '../records.ts';
import { type FolderSnapshot, withoutPaths } from '../sources/files/snapshot.ts';
import { getSource } from '../sources/index.ts';
import { ArchiveSnapshot, namesForgotten } from './keep-roots.ts';
import {
  type ArchiveRoot,
  type Copy,
  eachCopy,
  findImplausible,
  formatPrunedName,
  markPrefix,
  readArchiveRoots,
  temporaryPrefix,
} from './layout.ts';
import {
  type Damage,
  deleteSegments,
  prepareFile,
  putInPlace,
  readSegment,
  toHoleDamage,
} from './segments.ts';

export interface SessionCopies {
  readonly agent: AgentName;
  readonly owner: string;
  readonly files: Copy[];
  /** What they take in the archive. */
  bytes: number;
  transcriptBytes: number;
  modifiedAtMs: number;
  /** The files, as they were named, of which something is missing or cannot be what its name says. */
  readonly incomplete: string[];
}

export function readSessionCopies(
  archive: string,
  isWanted: (root: ArchiveRoot) => boolean = () => true,
): Map<string, SessionCopies> {
  const sessions = new Map<string, SessionCopies>();
  for (const root of readArchiveRoots(archive).filter(isWanted)) {
    const { agent } = root;
    const { files } = getSource(agent);
    if (files === null) continue;
    for (const copy of eachCopy(root)) {
      const owner = files.findOwner(copy.path);
      if (owner === null) continue;
      const key = toOwnerKey(agent, owner);
      const none = { agent, owner, files: [], bytes: 0, transcriptBytes: 0, modifiedAtMs: 0, incomplete: [] };
      const session = sessions.get(key) ?? none;
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
  let isIncomplete = copy.versions.some(({ holes }) => holes.length > 0);
  for (const { segment, size, mtimeMs } of statSegments(copy)) {
    session.bytes += size;
    session.modifiedAtMs = Math.max(session.modifiedAtMs, mtimeMs);
    isIncomplete ||= findImplausible(segment, size) !== null;
  }
  if (isIncomplete) session.incomplete.push(`${copy.root.path}/${copy.path}`);
}

function statSegments({ folder, segments }: Copy) {
  return segments.flatMap((segment) => {
    const found = statSync(`${folder}/${segment.name}`, { throwIfNoEntry: false });
    return found === undefined ? [] : [{ segment, size: found.size, mtimeMs: found.mtimeMs }];
  });
}

/** What is pruned while its file still exists leaves an empty file whose name says so, or the next run would keep it again. */
export async function pruneCopies(sessions: readonly SessionCopies[], machine: string): Promise<void> {
  const copies = sessions.flatMap(({ files }) => files);
  for (const copy of copies) {
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
  for (const folder of new Set(copies.map(({ root }) => root.folder))) deleteLeftovers(folder);
}

/** For good, with the traces of pruning. */
export function deleteCopy(copy: Copy): void {
  const { folder, stem, prunedBytes } = copy;
  deleteSegments(copy, copy.segments);
  for (const bytes of prunedBytes) rmSync(`${folder}/${formatPrunedName(stem, bytes)}`, { force: true });
}

/** What killed runs left half-written, and folders in which nothing is left: their names are those of sessions. */
export function deleteLeftovers(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.name.startsWith(temporaryPrefix)) rmSync(path, { force: true });
    else if (entry.isDirectory()) {
      deleteLeftovers(path);
      if (readdirSync(path).length === 0) rmdirSync(path);
    }
  }
}

/** A file of this name in an archive says that the copies of a session are to be deleted, without naming it. */
function toMark(agent: AgentName, owner: string): string {
  const digest = createHash('sha256')
    .update(`recall forgets ${toOwnerKey(agent, owner)}`)
    .digest('hex');
  return `${markPrefix}${digest.slice(0, 32)}`;
}

/**
 * Written before the index forgets a session: should the index be lost before the copies are deleted, nobody may take them for a
 * session that it does not know yet.
 */
export function markForgotten(archive: string, agent: AgentName, owners: Iterable<string>): void {
  for (const owner of owners) writeFileSync(`${archive}/${toMark(agent, owner)}`, '', { mode: 0o600 });
}

export type IsMarked = (agent: AgentName, owner: string) => boolean;

export function readMarks(archive: string): {
  readonly names: readonly string[];
  readonly isMarked: IsMarked;
} {
  const names = listNames(archive).filter((name) => name.startsWith(markPrefix));
  const all = new Set(names);
  return { names, isMarked: (agent, owner) => all.size > 0 && all.has(toMark(agent, owner)) };
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // There is no archive, or a file is in its place.
    return [];
  }
}

/** What an archive still has of sessions that were forgotten. */
interface ForgottenCopies {
  readonly sessions: number;
  readonly copies: readonly Copy[];
  readonly snapshots: readonly {
    readonly snapshot: ArchiveSnapshot;
    readonly folders: readonly FolderSnapshot[];
  }[];
  readonly roots: readonly ArchiveRoot[];
}

export function findForgottenCopies(archive: string, isForgotten: IsMarked): ForgottenCopies {
  const roots = readArchiveRoots(archive);
  const copies: Copy[] = [];
  const keys = new Set<string>();
  const snapshots = roots.flatMap((root) => {
    const { agent } = root;
    const { files } = getSource(agent);
    if (files === null) return [];
    for (const copy of eachCopy(root)) {
      const owner = files.findOwner(copy.path);
      if (owner === null || !isForgotten(agent, owner)) continue;
      copies.push(copy);
      keys.add(toOwnerKey(agent, owner));
    }
    const snapshot = new ArchiveSnapshot(root);
    const named = [...snapshot.decode().values()];
    const folders = withoutPaths(
      named,
      namesForgotten(files, (owner) => isForgotten(agent, owner)),
    );
    return folders.some((folder, i) => folder !== named[i]) ? [{ snapshot, folders }] : [];
  });
  return { sessions: keys.size, copies, snapshots, roots };
}

/** The caller holds the archive lock. */
export async function deleteForgottenCopies({ copies, snapshots, roots }: ForgottenCopies): Promise<void> {
  copies.forEach(deleteCopy);
  for (const { folder } of roots) deleteLeftovers(folder);
  for (const { snapshot, folders } of snapshots) await snapshot.save(folders);
}

export interface VerifyReport {
  readonly files: number;
  readonly segments: number;
  readonly bytes: number;
  readonly damages: readonly (Damage & { readonly file: string })[];
}

export async function verifyArchive(
  archive: string,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<VerifyReport> {
  const all = readArchiveRoots(archive).flatMap((root) => [...eachCopy(root)]);
  const bytesTotal = all.reduce((sum, copy) => sum + readPackedBytes(copy), 0);
  const damages: (Damage & { file: string })[] = [];
  const damagedRoots = new Set<ArchiveRoot>();
  let [segments, bytes, bytesDone] = [0, 0, 0];
  for (const [filesDone, copy] of all.entries()) {
    const found = findDamages(copy);
    if (found.length > 0) damagedRoots.add(copy.root);
    damages.push(...found.map((damage) => ({ ...damage, file: `${copy.root.path}/${copy.path}` })));
    segments += copy.segments.length;
    bytes += copy.segments.reduce((sum, { from, to }) => sum + to - from, 0);
    bytesDone += readPackedBytes(copy);
    onProgress({ bytesDone, bytesTotal, filesDone: filesDone + 1, filesTotal: all.length });
    // Lets the progress be drawn, and a signal be seen.
    await new Promise(setImmediate);
    signal.throwIfAborted();
  }
  // What it vouched for is not there: the next run compares every file.
  for (const root of damagedRoots) new ArchiveSnapshot(root).delete();
  return { files: all.length, segments, bytes, damages };
}

/** Also in segments that no version needs. */
function findDamages(copy: Copy): Damage[] {
  const damaged = copy.segments.flatMap((segment) => {
    const stretch = readSegment(copy, segment);
    return 'damage' in stretch ? [stretch.damage] : [];
  });
  const holes = copy.versions.flatMap((version) => version.holes);
  return [...damaged, ...holes.map((hole) => toHoleDamage(copy, hole))];
}

function readPackedBytes(copy: Copy): number {
  return statSegments(copy).reduce((sum, { size }) => sum + size, 0);
}
