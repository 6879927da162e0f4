// Recognises the part of a file that was read before. A transcript that merely grew still has the same bytes at
// the same places; one that was edited or replaced almost surely has not. Whole-file hashes would cost a full
// read for every appended line.

import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';

const sampleBytes = 512;

/** A hash over the length, the ends and two places between of the first `lengthBytes` bytes of an open file. */
export function readFingerprint(fd: number, lengthBytes: number): string {
  const hash = createHash('sha1').update(String(lengthBytes));
  const buffer = Buffer.allocUnsafe(sampleBytes);
  for (const position of samplePositions(lengthBytes)) {
    const length = Math.min(sampleBytes, lengthBytes - position);
    hash.update(buffer.subarray(0, readSync(fd, buffer, 0, length, position)));
  }
  return hash.digest('hex').slice(0, 16);
}

function samplePositions(lengthBytes: number): number[] {
  const last = lengthBytes - sampleBytes;
  if (last <= 0) return lengthBytes === 0 ? [] : [0];
  return [...new Set([0, Math.floor(last / 3), Math.floor((last * 2) / 3), last])];
}
