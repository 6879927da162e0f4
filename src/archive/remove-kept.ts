// Deletes what is kept of sessions. What is pruned while its file still exists leaves an empty file whose name says so, or
// the next run would keep it again.

import { lstatSync, rmdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { KeptSession } from './kept-sessions.ts';
import { toPrunedName } from './names.ts';
import type { KeptFile, KeptRoot } from './places.ts';
import { prepareFile, putInPlace } from './write-segment.ts';

export function removeKept({ files }: KeptSession): void {
  for (const file of files) removeFile(file, file.root);
}

export async function pruneKept({ files }: KeptSession, machine: string): Promise<void> {
  for (const { place, path, root, ...file } of files) {
    const found =
      root.machine === machine ? lstatSync(`${root.path}/${path}`, { throwIfNoEntry: false }) : undefined;
    // In this order: killed between both, it is still there and not kept again.
    if (found?.isFile()) {
      const marker = `${place.folder}/${toPrunedName(place.stem, found.size)}`;
      await putInPlace(await prepareFile(marker, Buffer.alloc(0), found.mtimeMs));
      removeSegments({ place, path, ...file });
    } else removeFile({ place, path, ...file }, root);
  }
}

function removeSegments({ place, segments }: KeptFile): void {
  for (const { name } of segments) rmSync(`${place.folder}/${name}`, { force: true });
}

function removeFile(file: KeptFile, root: KeptRoot): void {
  const { place, prunedBytes } = file;
  removeSegments(file);
  for (const bytes of prunedBytes)
    rmSync(`${place.folder}/${toPrunedName(place.stem, bytes)}`, { force: true });
  removeEmpty(place.folder, root.folder);
}

/** Folders in which nothing is left, up to the root's own. */
function removeEmpty(folder: string, end: string): void {
  for (let each = folder; each.length > end.length; each = dirname(each)) {
    try {
      rmdirSync(each);
    } catch {
      return;
    }
  }
}
