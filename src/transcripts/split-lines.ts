// Cuts a stream of bytes into lines. Where the chunks begin and end makes no difference to the lines; a line
// longer than the limit is passed over in constant memory and reported.

/**
 * Longest line that is read, in bytes. Parsing one costs about five times its size in memory, so this keeps a
 * run within 250 MB; the longest lines seen in the wild (12.8 million characters) fit.
 */
export const maxLineBytes = 16 * 1024 * 1024;

const newline = 10;

export interface LineSink {
  /** The bytes are only valid during the call. */
  onLine(line: Buffer): void;
  onTooLong(): void;
}

export class LineSplitter {
  /** Bytes up to and including the last newline seen. */
  completeBytes = 0;
  private readonly sink: LineSink;
  private readonly limit: number;
  private held: Buffer[] = [];
  private heldBytes = 0;
  private isTooLong = false;

  constructor(sink: LineSink, limit: number = maxLineBytes) {
    this.sink = sink;
    this.limit = limit;
  }

  push(chunk: Buffer): void {
    let from = 0;
    let at = chunk.indexOf(newline);
    while (at >= 0) {
      this.endLine(chunk.subarray(from, at));
      from = at + 1;
      at = chunk.indexOf(newline, from);
    }
    if (from < chunk.length) this.hold(chunk.subarray(from));
  }

  /** The unterminated last line; empty when there is none or it is too long. */
  rest(): Buffer {
    return this.isTooLong ? Buffer.alloc(0) : Buffer.concat(this.held);
  }

  private endLine(tail: Buffer): void {
    const length = this.heldBytes + tail.length;
    this.completeBytes += length + 1;
    if (this.isTooLong || length > this.limit) this.sink.onTooLong();
    else this.sink.onLine(this.held.length === 0 ? tail : Buffer.concat([...this.held, tail], length));
    this.held = [];
    this.heldBytes = 0;
    this.isTooLong = false;
  }

  private hold(tail: Buffer): void {
    this.heldBytes += tail.length;
    if (this.heldBytes > this.limit) this.isTooLong = true;
    // Copied, because the caller reuses its chunk.
    if (this.isTooLong) this.held = [];
    else this.held.push(Buffer.from(tail));
  }
}
