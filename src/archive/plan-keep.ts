// Decides which files of a root may have something that is not kept yet, and in which order they are kept.

import { lstatSync, readdirSync } from 'node:fs';
import type { Root } from '../records.ts';
import { type FolderSnapshot, toPathIn, toStampsByName, unknownStamp } from '../sources/files/snapshot.ts';
import type { SessionFiles } from '../sources/kept-files.ts';

export interface FileToKeep {
  /** Relative to the root. */
  readonly path: string;
  /** The session that it belongs to. */
  readonly owner: string;
  readonly sizeBytes: number;
  readonly modifiedAtMs: number;
}

/** A session that was written to this recently has just ended, or is running. */
const recentMs = 3_600_000;

/** Folders in folders of a session; deeper than this is nobody's layout. */
const maxDepth = 6;

/** The files whose stamps are not those of the snapshot, and with each all others of its session. */
export function findFilesToKeep(
  { path: root }: Root,
  files: SessionFiles,
  folders: readonly FolderSnapshot[],
  kept: ReadonlyMap<string, FolderSnapshot>,
  isWanted: (owner: string) => boolean,
): FileToKeep[] {
  const paths = new Set<string>();
  for (const path of eachChanged(folders, kept)) {
    const owner = files.findOwner(path);
    if (owner === null) continue;
    paths.add(path);
    const folder = files.toFolder(path, owner);
    // What the index has no use for is written while the session is running, so its transcript has changed too.
    if (folder !== null) for (const beside of eachFile(root, folder, maxDepth)) paths.add(beside);
  }
  return [...paths].flatMap((path) => {
    const owner = files.findOwner(path);
    if (owner === null || !isWanted(owner)) return [];
    const found = lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
    if (!found?.isFile()) return [];
    return [{ path, owner, sizeBytes: found.size, modifiedAtMs: found.mtimeMs }];
  });
}

export function* eachChanged(
  folders: readonly FolderSnapshot[],
  kept: ReadonlyMap<string, FolderSnapshot>,
): Generator<string> {
  for (const folder of folders) {
    const known = kept.get(folder.path);
    const stamps = known === undefined ? null : toStampsByName(known);
    for (const [i, name] of folder.files.entries()) {
      const stamp = folder.stamps[i] ?? unknownStamp;
      if (stamp === unknownStamp || stamps?.get(name) !== stamp) yield toPathIn(folder, name);
    }
  }
}

function* eachFile(root: string, folder: string, depth: number): Generator<string> {
  let entries: ReturnType<typeof readFolder>;
  try {
    entries = readFolder(`${root}/${folder}`);
  } catch {
    // Most sessions have no folder; one that cannot be read is reported by the index.
    return;
  }
  for (const entry of entries) {
    const path = `${folder}/${entry.name}`;
    if (entry.isFile()) yield path;
    else if (entry.isDirectory() && depth > 0) yield* eachFile(root, path, depth - 1);
  }
}

const readFolder = (path: string) => readdirSync(path, { withFileTypes: true });

/** What was just written first, since a hook may have little time; then the oldest, which is nearest to deletion. */
export function inOrder(files: readonly FileToKeep[], nowMs: number): FileToKeep[] {
  const isRecent = ({ modifiedAtMs }: FileToKeep) => modifiedAtMs > nowMs - recentMs;
  return files.toSorted(
    (a, b) => Number(isRecent(b)) - Number(isRecent(a)) || a.modifiedAtMs - b.modifiedAtMs,
  );
}
