// Single lines of compressed transcripts, by their places in what was compressed. A file is decompressed from its start as far
// as the lines that are asked for, and held for the next ones: whoever shows a session asks for many of its lines.

import { closeSync, readSync } from 'node:fs';
import { openFile } from '../files/open-file.ts';
import { decodeZstd } from '../files/zstd.ts';
import type { KeptBytes, LinePlace } from '../kept-files.ts';
import { findWorkLine, readFirstLine } from './read-work.ts';

/** What is held at most, decompressed; a line behind that is not shown. */
const maxTextBytes = 64 * 1024 * 1024;
/** What is read at most of the file itself. */
const maxFileBytes = 32 * 1024 * 1024;
const chunkBytes = 1024 * 1024;
/** What is decompressed at once: a file that was made to grow without end gives at most 64 MB for this. */
const stepBytes = 2048;

export class PackedLines {
  private held: { readonly key: string; readonly text: PackedText } | null = null;
  /** Files that cannot be read at all. */
  private readonly failed = new Set<string>();

  /** Null where the file is not there, is damaged, or has no such line. */
  findOnDisk(path: string, place: LinePlace): Buffer | null {
    return this.find({ path, chunks: () => readStart(path) }, place, 'disk');
  }

  findKept(file: KeptBytes, place: LinePlace): Buffer | null {
    return this.find(file, place, 'kept');
  }

  private find({ path, chunks }: KeptBytes, place: LinePlace, from: string): Buffer | null {
    const key = `${from} ${path}`;
    const end = place.lineFrom + place.lineBytes;
    if (this.failed.has(key) || end > (place.maxPackedBytes ?? maxTextBytes)) return null;
    try {
      if (this.held?.key !== key) this.held = { key, text: new PackedText(chunks()) };
      const { text } = this.held;
      return findWorkLine(place, (start, end) => text.read(start, end));
    } catch {
      this.failed.add(key);
      return null;
    }
  }
}

/** Null where it is damaged, or longer than any first line. */
export function readFirstPackedLine(chunks: Iterable<Buffer>): Buffer | null {
  try {
    return readFirstLine(decodeZstd(toSteps(chunks)));
  } catch {
    return null;
  }
}

/** All of it; throws where it is damaged. */
export function unpackLines(chunks: Iterable<Buffer>): Iterable<Buffer> {
  return decodeZstd(toSteps(chunks), true);
}

class PackedText {
  private readonly pieces: Buffer[] = [];
  private readonly source: Iterator<Buffer>;
  private bytes = 0;
  /** No more comes: it has ended, or is damaged from here on. */
  private isEnd = false;

  constructor(chunks: Iterable<Buffer>) {
    this.source = decodeZstd(toSteps(chunks))[Symbol.iterator]();
  }

  /** Fewer bytes at the end of the file; null where they are too far from its start. */
  read(from: number, to: number): Buffer | null {
    while (this.bytes < to && !this.isEnd) {
      if (this.bytes > maxTextBytes) return null;
      const next = this.readNext();
      if (next === null) this.isEnd = true;
      else {
        this.pieces.push(next);
        this.bytes += next.length;
      }
    }
    const parts: Buffer[] = [];
    let at = 0;
    for (const piece of this.pieces) {
      if (at + piece.length > from && at < to) parts.push(piece.subarray(Math.max(0, from - at), to - at));
      at += piece.length;
    }
    return Buffer.concat(parts);
  }

  private readNext(): Buffer | null {
    try {
      const next = this.source.next();
      return next.done === true ? null : next.value;
    } catch {
      return null;
    }
  }
}

function* toSteps(chunks: Iterable<Buffer>): Generator<Buffer> {
  for (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += stepBytes) yield chunk.subarray(at, at + stepBytes);
}

/** At once, so that no file stays open between two lines. */
function readStart(path: string): Buffer[] {
  const chunks: Buffer[] = [];
  const fd = openFile(path);
  try {
    for (let at = 0; at < maxFileBytes; ) {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const count = readSync(fd, chunk, 0, chunkBytes, at);
      if (count === 0) break;
      chunks.push(chunk.subarray(0, count));
      at += count;
    }
  } finally {
    closeSync(fd);
  }
  return chunks;
}
