// Reads every copy back and compares it with its checksums.

import { statSync } from 'node:fs';
import type { ArchiveProgress } from './keep-roots.ts';
import { type ArchiveRoot, type Copy, eachCopy, readArchiveRoots } from './layout.ts';
import { type Damage, readSegment, toHoleDamage } from './segments.ts';
import { ArchiveSnapshot } from './snapshot-file.ts';

export interface VerifyReport {
  readonly files: number;
  readonly segments: number;
  /** Of the files, as they were. */
  readonly bytes: number;
  readonly damages: readonly (Damage & { readonly file: string })[];
}

export async function verifyArchive(
  archive: string,
  signal: AbortSignal,
  onProgress: (progress: ArchiveProgress) => void,
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

function readPackedBytes({ folder, segments }: Copy): number {
  return segments.reduce(
    (sum, { name }) => sum + (statSync(`${folder}/${name}`, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
