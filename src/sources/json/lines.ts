// Cuts a file into lines and parses them, in bounded memory whatever the file holds. Where the chunks begin and end makes no
// difference to the lines; a line longer than the limit is passed over and reported.

/** A line takes five times its size while it is parsed: a run stays within 250 MB. The longest seen has 12.8 million characters. */
export const maxLineBytes = 16 * 1024 * 1024;

/** Read at once, little enough to be in the processor's cache still when it is looked at: reading 1 MB at a time took twice as long. */
const chunkBytes = 256 * 1024;

const newline = 10;

/** What files are read into, one after the other: a window for each of them would cost more than reading most of them. */
let window = Buffer.allocUnsafeSlow(chunkBytes + 1);

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
    // A line of many megabytes in one file is no reason to hold as much for all that come after it.
    if (window.length > 2 * chunkBytes) window = Buffer.allocUnsafeSlow(chunkBytes + 1);
  }

  room(): Buffer {
    const from = this.nextAt;
    // One byte more, for the newline that is added after a last line without one.
    const needed = from + chunkBytes + 1;
    if (window.length < needed) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(2 * window.length, maxLineBytes)));
      window.copy(larger, 0, 0, from);
      window = larger;
    }
    return window.subarray(from, from + chunkBytes);
  }

  push(bytes: number): void {
    const end = this.nextAt + bytes;
    let from = this.nextAt;
    let lineAt = 0;
    window[end] = newline;
    for (;;) {
      const at = window.indexOf(newline, from);
      if (at === end) break;
      this.endLine(lineAt, at, at - from);
      from = at + 1;
      lineAt = from;
    }
    if (lineAt > 0) window.copyWithin(0, lineAt, end);
    this.heldBytes += end - from;
  }

  /** The unterminated last line; empty when there is none or it is too long. */
  rest(): Buffer {
    return window.subarray(0, this.nextAt);
  }

  /** A line that is too long is not kept. */
  private get nextAt(): number {
    return this.heldBytes > this.limit ? 0 : this.heldBytes;
  }

  private endLine(lineAt: number, end: number, tailBytes: number): void {
    const length = this.heldBytes + tailBytes;
    this.completeBytes += length + 1;
    this.heldBytes = 0;
    if (length > this.limit) this.sink.onTooLong();
    else this.sink.onLine(window.subarray(lineAt, end), this.completeBytes - length - 1);
  }
}

/** A line of a few megabytes can hold millions of empty objects, which take a hundred times the room. */
const maxValues = 200_000;

export function parseLine(line: Buffer): unknown {
  if (line.length > maxValues && countValues(line) > maxValues)
    throw new RangeError(`made of more than ${maxValues} values`);
  // Some editors put a byte order mark before a file, also where files were put together.
  const hasMark = line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf;
  const text = line.toString('utf8', hasMark ? 3 : 0);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** As parseLine, but undefined also where the line has too many values. */
export function tryParseLine(line: Buffer): unknown {
  try {
    return parseLine(line);
  } catch {
    return undefined;
  }
}

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const openBrace = 0x7b;

/** About how many there are: each but the first follows a comma or a bracket. */
function countValues(line: Buffer): number {
  let count = 1;
  let isText = false;
  for (let at = 0; at < line.length; at++) {
    const byte = line[at];
    if (byte === quote) isText = !isText;
    else if (isText) at += byte === backslash ? 1 : 0;
    else if (byte === comma || byte === openBracket || byte === openBrace) count++;
  }
  return count;
}

const maxFirstLineBytes = 1024 * 1024;

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

/** The lines of a file without their ends. A chunk may be overwritten by the next one. */
export function* splitLines(chunks: Iterable<Buffer>): Generator<Buffer> {
  let rest: Buffer[] = [];
  for (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      const end = chunk.subarray(from, at);
      yield rest.length === 0 ? end : Buffer.concat([...rest, end]);
      rest = [];
      from = at + 1;
    }
    if (from < chunk.length) rest.push(Buffer.from(chunk.subarray(from)));
  }
  if (rest.length > 0) yield Buffer.concat(rest);
}
