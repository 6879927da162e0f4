// Writes one transcript to disk: in pieces, since some do not fit in memory, here and there with a torn line, and
// with the date of its last entry.

import { closeSync, mkdirSync, openSync, utimesSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Random } from './random.ts';

const pieceChars = 8_000_000;

/** Of all transcripts, those that were damaged, and of their lines, those that were torn. */
const tornFiles = 0.015;
const tornLines = 0.04;

export class TranscriptFile {
  readonly path: string;
  lines = 0;
  bytes = 0;
  private readonly descriptor: number;
  private readonly random: Random;
  private readonly isTorn: boolean;
  private pending = '';

  constructor(path: string, random: Random) {
    this.path = path;
    this.random = random;
    this.isTorn = random.chance(tornFiles);
    mkdirSync(dirname(path), { recursive: true });
    this.descriptor = openSync(path, 'w');
  }

  readonly append = (line: string): void => {
    this.lines++;
    const isCut = this.isTorn && this.random.chance(tornLines);
    this.pending += isCut ? `${line.slice(0, line.length / 2)}\n` : line;
    if (this.pending.length >= pieceChars) this.flush();
  };

  close(modifiedAtMs: number): void {
    this.flush();
    closeSync(this.descriptor);
    utimesSync(this.path, modifiedAtMs / 1000, modifiedAtMs / 1000);
  }

  private flush(): void {
    const piece = Buffer.from(this.pending);
    writeSync(this.descriptor, piece);
    this.bytes += piece.length;
    this.pending = '';
  }
}
