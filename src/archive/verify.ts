// Reads everything back and compares it with its checksums.

import { statSync } from 'node:fs';
import { eachKeptFile, type KeptFile, type KeptRoot, readKeptRoots } from './places.ts';
import { type Damage, readSegment } from './read-kept.ts';
import { KeptSnapshot } from './snapshot-file.ts';
import { toVersions } from './versions.ts';

export interface VerifyReport {
  readonly files: number;
  readonly segments: number;
  /** Of the files, as they were. */
  readonly bytes: number;
  readonly damages: readonly (Damage & { readonly file: string })[];
}

export interface VerifyOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: {
    bytesDone: number;
    bytesTotal: number;
    filesDone: number;
    filesTotal: number;
  }) => void;
}

export async function verifyArchive(
  archive: string,
  { signal, onProgress }: VerifyOptions,
): Promise<VerifyReport> {
  const all = readKeptRoots(archive).flatMap((root) =>
    [...eachKeptFile(root)].map((file) => ({ root, file })),
  );
  const bytesTotal = all.reduce((sum, { file }) => sum + toPackedBytes(file), 0);
  const damages: (Damage & { file: string })[] = [];
  const damagedRoots = new Set<KeptRoot>();
  let [segments, bytes, bytesDone] = [0, 0, 0];
  for (const [filesDone, { root, file }] of all.entries()) {
    const found = [...eachDamage(file)];
    if (found.length > 0) damagedRoots.add(root);
    damages.push(...found.map((damage) => ({ ...damage, file: `${root.path}/${file.path}` })));
    segments += file.segments.length;
    bytes += file.segments.reduce((sum, { from, to }) => sum + to - from, 0);
    bytesDone += toPackedBytes(file);
    onProgress({ bytesDone, bytesTotal, filesDone: filesDone + 1, filesTotal: all.length });
    // Lets the progress be drawn, and a signal be seen.
    await new Promise(setImmediate);
    signal.throwIfAborted();
  }
  // What it vouched for is not there: the next run compares every file.
  for (const root of damagedRoots) new KeptSnapshot(root).drop();
  return { files: all.length, segments, bytes, damages };
}

function* eachDamage({ place, segments }: KeptFile): Generator<Damage> {
  for (const segment of segments) {
    const stretch = readSegment(place, segment);
    if ('damage' in stretch) yield stretch.damage;
  }
  for (const { holes } of toVersions(segments).versions)
    for (const { from, to } of holes)
      yield { path: `${place.folder}/${place.stem}`, reason: `bytes ${from} to ${to} are missing` };
}

function toPackedBytes({ place, segments }: KeptFile): number {
  return segments.reduce(
    (sum, { name }) => sum + (statSync(`${place.folder}/${name}`, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
