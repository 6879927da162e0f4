// Recognises what was read of a file: by a fingerprint in a later run, by a witness while it is being read. A transcript that
// merely grew still has the same bytes at the same places; one that was edited or replaced almost surely has not.
// Whole-file hashes would cost a full read for every appended line.

import { fstatSync, readSync } from 'node:fs';
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

/** Of each chunk that is read, both ends are kept. */
const endBytes = 512;

interface Sample {
  readonly position: number;
  readonly bytes: Buffer;
}

/**
 * A file written anew in its place while it is being read gives the beginning of one version and the end of another. A
 * fingerprint taken afterwards would be that of the new one alone and vouch for lines that are no longer there.
 */
export class Witness {
  private readonly fd: number;
  private readonly isKnown: () => boolean;
  private readonly before: string;
  private readonly samples: Sample[] = [];

  /** To be made before anything is read; `isKnown` looks again at what was read by an earlier run. */
  constructor(fd: number, isKnown: () => boolean) {
    this.fd = fd;
    this.isKnown = isKnown;
    this.before = this.readStamp();
  }

  /** Keeps both ends of a chunk as they were read. */
  add(chunk: Buffer, position: number): void {
    const last = Math.max(0, chunk.length - endBytes);
    for (const start of last === 0 ? [0] : [0, last]) {
      const bytes = Buffer.from(chunk.subarray(start, start + endBytes));
      this.samples.push({ position: position + start, bytes });
    }
  }

  /** A file that was only appended to still has the same bytes where they were read. */
  isSame(): boolean {
    if (this.readStamp() === this.before) return true;
    if (!this.isKnown()) return false;
    const buffer = Buffer.allocUnsafe(endBytes);
    return this.samples.every(({ position, bytes }) => {
      const length = readSync(this.fd, buffer, 0, bytes.length, position);
      return buffer.subarray(0, length).equals(bytes);
    });
  }

  private readStamp(): string {
    const { size, mtimeMs, ctimeMs } = fstatSync(this.fd);
    return `${size} ${mtimeMs} ${ctimeMs}`;
  }
}
