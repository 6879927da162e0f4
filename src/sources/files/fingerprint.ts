// Recognises what was read of a file: by a fingerprint in a later run, by a witness while it is being read. A transcript that
// merely grew still has the same bytes at the same places; one that was edited or replaced almost surely has not.
// Whole-file hashes would cost a full read for every appended line, so a checksum of all bytes is compared by runs that have
// the time.

import { fstatSync, readSync } from 'node:fs';
import * as zlib from 'node:zlib';

const sampleBytes = 4096;
const samples = 8;

/** Read here one after the other, and hashed eight bytes at a time. */
const sampled = Buffer.alloc(samples * sampleBytes);
const words = new Int32Array(sampled.buffer, sampled.byteOffset, sampled.length / 4);

/** A hash of the first `lengthBytes` bytes of an open file: of all of them if they are few, else of places all over them. */
export function readFingerprint(fd: number, lengthBytes: number): string {
  let read = 0;
  const take = (bytes: number, position: number) => {
    read += readSync(fd, sampled, read, bytes, position);
  };
  if (lengthBytes <= sampled.length) take(lengthBytes, 0);
  else
    for (let i = 0; i < samples; i++)
      take(sampleBytes, Math.floor(((lengthBytes - sampleBytes) * i) / (samples - 1)));
  return hashSamples(read, lengthBytes);
}

/**
 * A number of 64 bits for so many bytes of the samples, in hexadecimal, which other bytes almost surely do not have. Every step
 * can be undone, so a single word that differs always gives another number. Indexes and the names of archived segments hold
 * these numbers: they must never change. 32 kB take 40 µs, with BigInt twenty times as long.
 */
function hashSamples(length: number, seed: number): string {
  const wordCount = length >>> 3;
  const tail = wordCount * 8;
  let high = Math.floor((seed + 1) / 2 ** 32) | 0;
  let low = (seed + 1) | 0;
  for (let step = 0; step < 2 + wordCount + (length - tail); step++) {
    if (step === 1) low ^= length;
    else if (step >= 2 + wordCount) low ^= sampled[tail + step - 2 - wordCount] ?? 0;
    else if (step >= 2) {
      low ^= words[2 * step - 4] ?? 0;
      high ^= words[2 * step - 3] ?? 0;
    }
    // Times 0x9e3779b97f4a7c15.
    high = (multiplyHigh(low, 0x7f4a7c15) + Math.imul(high, 0x7f4a7c15) + Math.imul(low, 0x9e3779b9)) | 0;
    low = Math.imul(low, 0x7f4a7c15);
    // Twice, with what is high brought down between, for what differs in the highest bits alone would stay there.
    low ^= high;
    // Times 0xbf58476d1ce4e5b9.
    high = (multiplyHigh(low, 0x1ce4e5b9) + Math.imul(high, 0x1ce4e5b9) + Math.imul(low, 0xbf58476d)) | 0;
    low = Math.imul(low, 0x1ce4e5b9);
    low ^= (low >>> 29) | (high << 3);
    high ^= high >>> 29;
  }
  return toHex(high) + toHex(low);
}

/** Node.js has it from 20.15 on; without it, only samples are compared. Looked up where it is used: loading zlib takes a while. */
const findCrc32 = () => (zlib as { crc32?: (bytes: Buffer, value: number) => number }).crc32;
let chunk: Buffer | null = null;

/** Of the bytes of an open file up to `to`, where those before `from` have the checksum `before`. */
function readChecksum(fd: number, from: number, to: number, before: number): number {
  const crc32 = findCrc32();
  chunk ??= Buffer.allocUnsafeSlow(256 * 1024);
  let checksum = before;
  for (let at = from; at < to; ) {
    const count = readSync(fd, chunk, 0, Math.min(chunk.length, to - at), at);
    if (count === 0) break;
    checksum = crc32?.(chunk.subarray(0, count), checksum) ?? 0;
    at += count;
  }
  return checksum;
}

const fingerprintDigits = 16;
const unchecked = '?';

/** Whether something was added since all that was read was last compared with the file. */
export function isUnchecked(readMark: string): boolean {
  return readMark.endsWith(unchecked);
}

/** Whether a file starts with what was read, as far as the mark of it says; all of it is compared where `isChecking`. */
export function isAsRead(fd: number, lengthBytes: number, readMark: string, isChecking: boolean): boolean {
  if (readFingerprint(fd, lengthBytes) !== readMark.slice(0, fingerprintDigits)) return false;
  const checksum = isChecking ? parseChecksum(readMark) : null;
  return checksum === null || readChecksum(fd, 0, lengthBytes, 0) === checksum;
}

function parseChecksum(readMark: string): number | null {
  const digits = readMark.slice(fingerprintDigits).replace(unchecked, '');
  return digits === '' ? null : Number.parseInt(digits, 16);
}

/**
 * Marks what is read of a file: by its fingerprint, its checksum, and a sign where the part from an earlier run was compared by
 * samples only.
 */
export class ReadMarker {
  private readonly fd: number;
  private readonly isChecked: boolean;
  private checksum: number | null;
  private lengthBytes: number;

  /** `readMark` is of the part that an earlier run has read; null where there is none. */
  constructor(fd: number, lengthBytes: number, readMark: string | null, isChecking: boolean) {
    this.fd = fd;
    this.isChecked = readMark === null || isChecking;
    const before = readMark === null ? 0 : parseChecksum(readMark);
    const isLost = before === null && isChecking;
    this.checksum = isLost ? 0 : before;
    this.lengthBytes = isLost ? 0 : lengthBytes;
  }

  mark(lengthBytes: number): string {
    const fingerprint = readFingerprint(this.fd, lengthBytes);
    if (findCrc32() === undefined) return fingerprint;
    const sign = this.isChecked ? '' : unchecked;
    if (this.checksum === null) return `${fingerprint}${sign}`;
    this.checksum = readChecksum(this.fd, this.lengthBytes, lengthBytes, this.checksum);
    this.lengthBytes = lengthBytes;
    return `${fingerprint}${toHex(this.checksum)}${sign}`;
  }
}

function multiplyHigh(a: number, b: number): number {
  const [aLow, aHigh, bLow, bHigh] = [a & 0xffff, a >>> 16, b & 0xffff, b >>> 16];
  const middle = (Math.imul(aHigh, bLow) + (Math.imul(aLow, bLow) >>> 16)) | 0;
  const carried = (Math.imul(aLow, bHigh) + (middle & 0xffff)) >>> 16;
  return (Math.imul(aHigh, bHigh) + (middle >>> 16) + carried) | 0;
}

function toHex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}

const endBytes = 512;

/** A file rewritten while it is read gives the start of one version and the end of another, for which no fingerprint may vouch. */
export class Witness {
  private readonly fd: number;
  private readonly isKnown: () => boolean;
  private readonly before: string;
  private readonly samples: { readonly position: number; readonly bytes: Buffer }[] = [];

  /** To be made before anything is read; `isKnown` looks again at what was read by an earlier run. */
  constructor(fd: number, isKnown: () => boolean) {
    this.fd = fd;
    this.isKnown = isKnown;
    this.before = this.readStamp();
  }

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
