// Cuts a file into lines, in the window where the scanner can read them. Where the chunks begin and end makes no
// difference to the lines; a line longer than the limit is passed over in constant memory and reported.

import { makeRoom, memory, windowAt } from './scanner.ts';

/**
 * Longest line that is read, in bytes. One that the scanner cannot cope with costs about five times its size in memory, so
 * this keeps a run within 250 MB; the longest lines seen in the wild (12.8 million characters) fit.
 */
export const maxLineBytes = 16 * 1024 * 1024;

/** Read at once, little enough to be in the processor's cache still when it is looked at: reading 1 MB at a time took twice as long. */
const chunkBytes = 256 * 1024;

const newline = 10;

export interface LineSink {
  /** The bytes are only valid during the call. `from` counts from where splitting started. */
  onLine(line: Buffer, from: number): void;
  onTooLong(): void;
}

/** There is one window, so one file is read at a time. */
export class LineSplitter {
  /** Bytes up to and including the last newline seen. */
  completeBytes = 0;
  private readonly sink: LineSink;
  private readonly limit: number;
  /** Of the line whose end is not there yet; they are at the beginning of the window unless they are too many. */
  private heldBytes = 0;

  constructor(sink: LineSink, limit: number = maxLineBytes) {
    this.sink = sink;
    this.limit = limit;
  }

  /** Where the next bytes of the file are to be put. */
  room(): Buffer {
    const from = this.nextAt;
    // And a newline, behind a last line that has none.
    makeRoom(from + chunkBytes + 1);
    return memory.bytes.subarray(from, from + chunkBytes);
  }

  /** Takes in the bytes that were put there. */
  push(bytes: number): void {
    const end = this.nextAt + bytes;
    let from = this.nextAt;
    let lineAt = windowAt;
    for (;;) {
      const at = this.findNewline(from, end);
      if (at === end) break;
      this.endLine(lineAt, at, at - from);
      from = at + 1;
      lineAt = from;
    }
    if (lineAt > windowAt) memory.bytes.copyWithin(windowAt, lineAt, end);
    this.heldBytes += end - from;
  }

  /** The unterminated last line; empty when there is none or it is too long. */
  rest(): Buffer {
    return memory.bytes.subarray(windowAt, this.nextAt);
  }

  /** A line that is too long is not kept. */
  private get nextAt(): number {
    return windowAt + (this.heldBytes > this.limit ? 0 : this.heldBytes);
  }

  /** The place itself when there is none before `end`. */
  private findNewline(from: number, end: number): number {
    memory.bytes[end] = newline;
    return memory.bytes.indexOf(newline, from);
  }

  private endLine(lineAt: number, end: number, tailBytes: number): void {
    const length = this.heldBytes + tailBytes;
    this.completeBytes += length + 1;
    this.heldBytes = 0;
    if (length > this.limit) this.sink.onTooLong();
    else this.sink.onLine(memory.bytes.subarray(lineAt, end), this.completeBytes - length - 1);
  }
}

const maxFirstLineBytes = 1024 * 1024;

/** Null where it is longer than any first line. */
export function readFirstLine(chunks: Iterable<Buffer>): Buffer | null {
  const parts: Buffer[] = [];
  let length = 0;
  for (const chunk of chunks) {
    const end = chunk.indexOf(newline);
    parts.push(end < 0 ? chunk : chunk.subarray(0, end));
    length += chunk.length;
    if (end >= 0) return Buffer.concat(parts);
    if (length > maxFirstLineBytes) return null;
  }
  return null;
}
