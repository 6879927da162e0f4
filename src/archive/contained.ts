// Whether one version of a transcript holds every line of another, so that nothing is lost with the other.

import { createHash } from 'node:crypto';
import type { Place } from './places.ts';
import { readStretches } from './read-kept.ts';
import type { Version } from './versions.ts';

const newline = 10;

/** More lines than anybody has are not compared: both versions stay. */
const maxLines = 4_000_000;

/** Also false where something is damaged, so that it is not known. */
export function isContained(place: Place, older: Version, newer: Version): boolean {
  const lines = new Set<number>();
  for (const hash of eachLineHash(place, newer, true)) {
    if (hash === null || lines.size >= maxLines) return false;
    lines.add(hash);
  }
  for (const hash of eachLineHash(place, older, false)) if (hash === null || !lines.has(hash)) return false;
  return true;
}

/**
 * Null where something is damaged. Empty lines do not count, and of the newer version neither does a last line without its
 * end, which may be half of one.
 */
function* eachLineHash(place: Place, version: Version, isEndedOnly: boolean): Generator<number | null> {
  let begun: ReturnType<typeof createHash> | null = null;
  for (const stretch of readStretches(place, version)) {
    if ('damage' in stretch) {
      yield null;
      return;
    }
    const { bytes } = stretch;
    for (let start = 0; start < bytes.length; ) {
      const end = bytes.indexOf(newline, start);
      const line = bytes.subarray(start, end < 0 ? bytes.length : end);
      if (line.length > 0) {
        begun ??= createHash('sha1');
        begun.update(line);
      }
      if (end < 0) break;
      if (begun !== null) yield toNumber(begun.digest());
      begun = null;
      start = end + 1;
    }
  }
  if (begun !== null && !isEndedOnly) yield toNumber(begun.digest());
}

/** 53 bits. */
function toNumber(digest: Buffer): number {
  return digest.readUIntBE(0, 6) * 32 + (digest.readUInt8(6) >> 3);
}
