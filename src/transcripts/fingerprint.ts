// Recognises the part of a file that was read before. A transcript that merely grew still has the same bytes at
// the same places; one that was edited or replaced almost surely has not. Whole-file hashes would cost a full
// read for every appended line.

import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';

const sampleBytes = 4096;
const samples = 8;

/** A hash of the first `lengthBytes` bytes of an open file: of all of them if they are few, else of places all over them. */
export function readFingerprint(fd: number, lengthBytes: number): string {
  const hash = createHash('sha1').update(String(lengthBytes));
  const buffer = Buffer.allocUnsafe(Math.min(lengthBytes, samples * sampleBytes));
  if (lengthBytes === buffer.length) hash.update(buffer.subarray(0, readSync(fd, buffer, 0, lengthBytes, 0)));
  else {
    for (let i = 0; i < samples; i++) {
      const position = Math.floor(((lengthBytes - sampleBytes) * i) / (samples - 1));
      hash.update(buffer.subarray(0, readSync(fd, buffer, 0, sampleBytes, position)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
