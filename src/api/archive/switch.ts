// Turns the archive on and off, and deletes it. Before it is turned on, says how large it will be.

import { readdirSync, rmSync } from 'node:fs';
import { readKeptRoots } from '../../archive/places.ts';
import { saveSetting } from '../../config.ts';
import { getSource } from '../../sources/index.ts';
import type { Host } from '../host.ts';
import { tryRoots } from '../roots.ts';
import { holdArchiveLock } from './hold-archive-lock.ts';

export interface ArchiveOffer {
  readonly path: string;
  /** About how large it will be. */
  readonly aboutBytes: number;
}

/** Real transcripts are packed seven to one. */
const usualRatio = 7;

/** Null where the person has already decided, and while there is nothing to keep. */
export function readArchiveOffer(host: Host): ArchiveOffer | null {
  if (host.config().archive !== null) return null;
  const bytes = tryRoots(host.roots)
    .roots.filter(({ agent }) => getSource(agent).files !== null)
    .flatMap(({ agent, path }) => getSource(agent).discover(path).files)
    .reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (bytes === 0) return null;
  return { path: host.archivePath, aboutBytes: Math.round(bytes / usualRatio) };
}

export function setArchive(host: Host, isOn: boolean): void {
  saveSetting(host.at, 'archive', isOn);
}

/** Only what is the archive's: a folder named by mistake keeps everything else. */
export async function deleteArchive(host: Host): Promise<void> {
  await holdArchiveLock(host, async () => {
    for (const { folder } of readKeptRoots(host.archivePath))
      rmSync(folder, { recursive: true, force: true });
  });
  removeIfEmpty(host.archivePath, 2);
}

function removeIfEmpty(folder: string, depth: number): void {
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory() && depth > 0) removeIfEmpty(`${folder}/${entry.name}`, depth - 1);
      else if (entry.name === '.lock') rmSync(`${folder}/${entry.name}`);
    }
    if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
  } catch {
    // Nothing is lost with an empty folder that stays.
  }
}
