// Recognises the part of a file that was read before. A transcript that merely grew still has the same bytes at
// the same places; one that was edited or replaced almost surely has not. Whole-file hashes would cost a full
// read for every appended line.

import { readSync } from 'node:fs';
import { constant, hashSamples, memory } from '../json/scanner.ts';

const sampleBytes = 4096;
const samplesAt = constant('samplesAt');
const samples = constant('maxSampleBytes') / sampleBytes;

/** A hash of the first `lengthBytes` bytes of an open file: of all of them if they are few, else of places all over them. */
export function readFingerprint(fd: number, lengthBytes: number): string {
  let read = 0;
  const take = (bytes: number, position: number) => {
    read += readSync(fd, memory.bytes, samplesAt + read, bytes, position);
  };
  if (lengthBytes <= samples * sampleBytes) take(lengthBytes, 0);
  else
    for (let i = 0; i < samples; i++)
      take(sampleBytes, Math.floor(((lengthBytes - sampleBytes) * i) / (samples - 1)));
  return BigInt.asUintN(64, hashSamples(read, BigInt(lengthBytes)))
    .toString(16)
    .padStart(16, '0');
}
