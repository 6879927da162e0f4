// Tells whether a file is still the one that was read. A file written anew in its place while it is being read gives the
// beginning of one version and the end of another; a fingerprint taken afterwards would be that of the new one alone
// and vouch for lines that are no longer there.

import { fstatSync, readSync } from 'node:fs';

const sampleBytes = 512;

interface Sample {
  readonly position: number;
  readonly bytes: Buffer;
}

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
    const last = Math.max(0, chunk.length - sampleBytes);
    for (const start of last === 0 ? [0] : [0, last]) {
      const bytes = Buffer.from(chunk.subarray(start, start + sampleBytes));
      this.samples.push({ position: position + start, bytes });
    }
  }

  /** A file that was only appended to still has the same bytes where they were read. */
  isSame(): boolean {
    if (this.readStamp() === this.before) return true;
    if (!this.isKnown()) return false;
    const buffer = Buffer.allocUnsafe(sampleBytes);
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
