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

/**
 * Room for the beginning of a line while its end is not there yet. It grows with the longest line and is used again, also
 * for the next file: left to the collector, the pieces of a few long lines filled hundreds of megabytes.
 */
export class Carry {
  private bytes = Buffer.alloc(0);

  /** Puts a piece at a place; what stands before it stays. */
  put(piece: Buffer, at: number): void {
    const length = at + piece.length;
    if (length > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, Math.min(2 * length, maxLineBytes), 65_536));
      this.bytes.copy(larger, 0, 0, at);
      this.bytes = larger;
    }
    piece.copy(this.bytes, at);
  }

  first(length: number): Buffer {
    return this.bytes.subarray(0, length);
  }
}

export class LineSplitter {
  /** Bytes up to and including the last newline seen. */
  completeBytes = 0;
  private readonly sink: LineSink;
  private readonly carry: Carry;
  private readonly limit: number;
  private heldBytes = 0;

  constructor(sink: LineSink, carry: Carry = new Carry(), limit: number = maxLineBytes) {
    this.sink = sink;
    this.carry = carry;
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
    return this.heldBytes > this.limit ? Buffer.alloc(0) : this.carry.first(this.heldBytes);
  }

  private endLine(tail: Buffer): void {
    const length = this.heldBytes + tail.length;
    this.completeBytes += length + 1;
    if (length > this.limit) this.sink.onTooLong();
    else if (this.heldBytes === 0) this.sink.onLine(tail);
    else {
      this.hold(tail);
      this.sink.onLine(this.carry.first(length));
    }
    this.heldBytes = 0;
  }

  private hold(tail: Buffer): void {
    if (this.heldBytes + tail.length <= this.limit) this.carry.put(tail, this.heldBytes);
    this.heldBytes += tail.length;
  }
}
