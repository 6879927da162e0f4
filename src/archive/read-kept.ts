// Reads a version of a file back from the archive, a segment at a time, and checks each against its name. A damaged segment
// is reported and passed over: what is left of a session is worth having.

import { createHash } from 'node:crypto';
import { closeSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { toReason } from '../errors.ts';
import { openFile } from '../sources/files/open-file.ts';
import type { Segment } from './names.ts';
import type { Place } from './places.ts';
import type { Version } from './versions.ts';

export interface Damage {
  /** The segment's file. */
  readonly path: string;
  readonly reason: string;
}

/** The bytes from `from` on, or what is wrong with them. */
export type Stretch =
  | { readonly from: number; readonly bytes: Buffer }
  | { readonly from: number; readonly to: number; readonly damage: Damage };

export function* readStretches(place: Place, { segments, holes }: Version): Generator<Stretch> {
  const missing = [...holes];
  let end = 0;
  for (const segment of segments) {
    const hole = missing[0];
    if (hole !== undefined && hole.to <= segment.from) {
      missing.shift();
      const path = `${place.folder}/${place.stem}`;
      const damage = { path, reason: `bytes ${hole.from} to ${hole.to} are missing` };
      yield { ...hole, damage };
    }
    const stretch = readSegment(place, segment);
    const isOverlap = 'bytes' in stretch && stretch.from < end;
    yield isOverlap ? { from: end, bytes: stretch.bytes.subarray(end - stretch.from) } : stretch;
    if ('bytes' in stretch) end = segment.to;
  }
}

export function readSegment({ folder }: Place, segment: Segment): Stretch {
  const { name, from, to, checksum } = segment;
  const path = `${folder}/${name}`;
  const toDamage = (reason: string) => ({ from, to, damage: { path, reason } });
  let packed: Buffer;
  try {
    packed = readWhole(path);
  } catch (error) {
    return toDamage(toReason(error));
  }
  try {
    // A file that unpacks to more than its name says is not what was written.
    const bytes = brotliDecompressSync(packed, { maxOutputLength: Math.max(1, to - from) });
    return bytes.length === to - from && toChecksum(bytes) === checksum
      ? { from, bytes }
      : toDamage('the content does not match its checksum');
  } catch {
    return toDamage('it cannot be unpacked');
  }
}

export function toChecksum(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

/** Null where a part of it is damaged or missing. Unpacks only the segments that hold it. */
export function readRange(place: Place, version: Version, from: number, to: number): Buffer | null {
  const parts: Buffer[] = [];
  let at = from;
  for (const segment of version.segments) {
    if (segment.to <= at || segment.from >= to) continue;
    const stretch = readSegment(place, segment);
    if ('damage' in stretch || stretch.from > at) return null;
    parts.push(stretch.bytes.subarray(at - stretch.from, to - stretch.from));
    at = Math.min(to, segment.to);
  }
  return at === to ? Buffer.concat(parts) : null;
}

function readWhole(path: string): Buffer {
  const fd = openFile(path);
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}
