// Cuts the bytes of a file into pieces of bounded size, between lines where it can, and takes secrets out of them on request.
// A cleaned piece is as long as it was, so that places in the archive are places in the file.

/** Gives back at most as many bytes as it is given: a line of a transcript, or a piece of another file. */
export type Clean = (bytes: Buffer) => Buffer;

export interface PieceOptions {
  readonly from: number;
  readonly to: number;
  /** The most that a piece may hold. */
  readonly maxBytes: number;
  readonly clean: Clean | null;
  /** Lines are cleaned one by one; else a piece as a whole. */
  readonly hasLines: boolean;
}

export interface Piece {
  readonly from: number;
  readonly bytes: Buffer;
}

/** The bytes of a file from a place on: as many as there are, up to `length`. */
export type ReadAt = (position: number, length: number) => Buffer;

const newline = 10;
const space = 32;

/** In the place of a line that is too long to be looked through. */
const tooLong = Buffer.from('{"type":"redacted"}');

export function* cutPieces(readAt: ReadAt, options: PieceOptions): Generator<Piece> {
  const { to, maxBytes, clean, hasLines } = options;
  /** Within a line that is too long. */
  let isWithin = false;
  for (let from = options.from; from < to; ) {
    const bytes = readAt(from, Math.min(maxBytes, to - from));
    if (bytes.length === 0) return;
    const isEnd = from + bytes.length >= to;
    const lastNewline = bytes.lastIndexOf(newline);
    const piece = isEnd || lastNewline < 0 ? bytes : bytes.subarray(0, lastNewline + 1);
    if (clean !== null && hasLines) {
      const isLong = !isEnd && lastNewline < 0;
      const cleaned = cleanLines(piece, clean, isWithin, isLong);
      isWithin = isLong;
      // Half a line cannot be looked through; the next run sees it whole.
      if (cleaned.length > 0) yield { from, bytes: cleaned };
    } else if (clean !== null) yield { from, bytes: padTo(clean(piece), piece) };
    else yield { from, bytes: piece };
    from += piece.length;
  }
}

/** Changes the piece, and gives back as much of it as consists of whole lines. */
function cleanLines(piece: Buffer, clean: Clean, startsWithin: boolean, isLong: boolean): Buffer {
  if (isLong) {
    piece.fill(space);
    if (!startsWithin) tooLong.copy(piece);
    return piece;
  }
  let start = 0;
  if (startsWithin) {
    const end = piece.indexOf(newline);
    start = end < 0 ? piece.length : end;
    piece.fill(space, 0, start);
  }
  while (start < piece.length) {
    const found = piece.indexOf(newline, start);
    const end = found < 0 ? piece.length : found;
    const line = piece.subarray(start, end);
    if (found < 0 && !isWhole(line)) return piece.subarray(0, start);
    padTo(clean(line), line).copy(line);
    start = end + 1;
  }
  return piece;
}

function isWhole(line: Buffer): boolean {
  try {
    JSON.parse(line.toString());
    return true;
  } catch {
    return false;
  }
}

/** JSON and text alike may end with spaces. */
function padTo(cleaned: Buffer, before: Buffer): Buffer {
  if (cleaned.length === before.length) return cleaned;
  if (cleaned.length > before.length) throw new Error('a cleaned line is longer than it was');
  return Buffer.concat([cleaned, Buffer.alloc(before.length - cleaned.length, space)]);
}
