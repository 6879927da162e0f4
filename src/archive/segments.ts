// Segments: cuts the bytes of a file into pieces, packs and writes each under a name that always means a whole file, and reads
// them back, checked against their names. Which segments there are is layout's to say.

import { createHash, randomBytes } from 'node:crypto';
import { closeSync, fstatSync, mkdirSync, readFileSync, readSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompressSync, constants } from 'node:zlib';
import { NotWritable, toReason } from '../errors.ts';
import { openFile } from '../open-file.ts';
import type { CopiedFile } from '../sources/source.ts';
import {
  type Copy,
  type CopyPlace,
  findImplausible,
  formatSegmentName,
  maxRatio,
  type Segment,
  segmentBytes,
  temporaryPrefix,
  type Version,
} from './layout.ts';

/** Takes secrets out; gives back at most as many bytes as it is given: a line of a transcript, or a piece of another file. */
export type Clean = (bytes: Buffer) => Buffer;

interface PieceOptions {
  readonly from: number;
  readonly to: number;
  readonly maxBytes: number;
  readonly clean: Clean | null;
  /** Lines are cleaned one by one; else a piece as a whole. */
  readonly hasLines: boolean;
}

/** The bytes of a file from a place on: as many as there are, up to `length`. The caller may change them. */
export type ReadAt = (position: number, length: number) => Buffer;

export function toReadAt(fd: number): ReadAt {
  return (position, length) => {
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, readSync(fd, bytes, 0, length, position));
  };
}

const newline = 10;
const space = 32;

/** Replaces a line that is too long to be searched for secrets. */
const tooLong = Buffer.from('{"type":"redacted"}');

/** Cuts between lines where it can. A cleaned piece is as long as it was, so that places in the archive are places in the file. */
export function* cutPieces(
  readAt: ReadAt,
  options: PieceOptions,
): Generator<{ readonly from: number; readonly bytes: Buffer }> {
  const { to, maxBytes, clean, hasLines } = options;
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
      // Half a line cannot be searched for secrets; the next run sees it whole.
      if (cleaned.length > 0) yield { from, bytes: cleaned };
    } else yield { from, bytes: clean === null ? piece : pad(clean(piece), piece.length) };
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
    if (found < 0 && !isWholeLine(line)) return piece.subarray(0, start);
    pad(clean(line), line.length).copy(line);
    start = end + 1;
  }
  return piece;
}

export function isWholeLine(line: Buffer): boolean {
  try {
    JSON.parse(line.toString());
    return true;
  } catch {
    return false;
  }
}

/** JSON and text alike may end with spaces. */
function pad(cleaned: Buffer, length: number): Buffer {
  if (cleaned.length > length) throw new Error('a cleaned line is longer than it was');
  return Buffer.concat([cleaned, Buffer.alloc(length - cleaned.length, space)]);
}

interface PreparedFile {
  readonly temporaryPath: string;
  readonly path: string;
}

export interface PreparedSegment extends PreparedFile {
  readonly segment: Segment;
  readonly packedBytes: number;
}

/** `modifiedAtMs` is that of the file it was made from, so that the archive shows how old a session is. */
export async function prepareSegment(
  { folder, stem }: CopyPlace,
  about: Pick<Segment, 'version' | 'from' | 'fingerprint' | 'redactionVersion'>,
  bytes: Buffer,
  modifiedAtMs: number,
): Promise<PreparedSegment> {
  const { version, from, fingerprint, redactionVersion } = about;
  const checksum = toChecksum(bytes);
  const facts = { version, from, to: from + bytes.length, checksum, fingerprint, redactionVersion };
  const name = formatSegmentName(stem, facts);
  const packed = await pack(bytes);
  const prepared = await prepareFile(`${folder}/${name}`, packed, modifiedAtMs);
  return { ...prepared, segment: { name, ...facts }, packedBytes: packed.length };
}

const compress = promisify(brotliCompress);

/** On real transcripts 3 gives 7.0 to 1 at 136 MB/s; 5 gives 7.9 at 38, 1 gives 6.1 at 248. */
const quality = 3;

export async function pack(bytes: Buffer): Promise<Buffer> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const packed = await compress(bytes, { params });
  if (bytes.length <= maxRatio * packed.length) return packed;
  // Megabytes of one character would look like a bomb. Packed so, they are a twentieth and not a hundred thousandth.
  const loose = { [constants.BROTLI_PARAM_QUALITY]: 0, [constants.BROTLI_PARAM_LGWIN]: 10 };
  return compress(bytes, { params: { ...params, ...loose } });
}

export async function prepareFile(path: string, bytes: Buffer, modifiedAtMs: number): Promise<PreparedFile> {
  const folder = dirname(path);
  const temporaryPath = createTemporaryPath(folder);
  let file: FileHandle | null = null;
  try {
    makeFolder(folder);
    file = await open(temporaryPath, 'wx', 0o600);
    await file.writeFile(bytes);
    await file.utimes(new Date(modifiedAtMs), new Date(modifiedAtMs));
    await file.sync();
    await file.close();
  } catch (error) {
    await file?.close().catch(() => {});
    rmSync(temporaryPath, { force: true });
    throw new NotWritable(folder, error);
  }
  return { temporaryPath, path };
}

export function createTemporaryPath(folder: string): string {
  return `${folder}/${temporaryPrefix}${randomBytes(6).toString('hex')}`;
}

export async function putInPlace({ temporaryPath, path }: PreparedFile): Promise<void> {
  try {
    await rename(temporaryPath, path);
  } catch (error) {
    throw new NotWritable(path, error);
  }
}

export function discard({ temporaryPath }: PreparedFile): void {
  rmSync(temporaryPath, { force: true });
}

/** So that new names survive a power cut; not every system can open a folder. */
export async function syncFolder(path: string): Promise<void> {
  let folder: FileHandle | null = null;
  try {
    folder = await open(path, 'r');
    await folder.sync();
  } catch {
  } finally {
    await folder?.close();
  }
}

export function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

export function deleteSegments({ folder }: CopyPlace, segments: readonly Segment[]): void {
  for (const { name } of segments) rmSync(`${folder}/${name}`, { force: true });
}

export interface Damage {
  readonly path: string;
  readonly reason: string;
}

export type ReadStretch =
  | { readonly from: number; readonly bytes: Buffer }
  | { readonly from: number; readonly to: number; readonly damage: Damage };

/** A version from its start. A damaged segment is reported and left out: what is left of a session is worth having. */
export function* readStretches(place: CopyPlace, { segments, holes }: Version): Generator<ReadStretch> {
  let end = 0;
  for (const segment of segments) {
    const hole = holes.find(({ to }) => to === segment.from);
    if (hole !== undefined) yield { ...hole, damage: toHoleDamage(place, hole) };
    const stretch = readSegment(place, segment);
    const isOverlap = 'bytes' in stretch && stretch.from < end;
    yield isOverlap ? { from: end, bytes: stretch.bytes.subarray(end - stretch.from) } : stretch;
    if ('bytes' in stretch) end = segment.to;
  }
}

/** The newest version, up to a part that is damaged. */
export function toCopiedFile(copy: Copy): CopiedFile {
  return {
    path: copy.path,
    *chunks() {
      for (const stretch of copy.versions[0] === undefined ? [] : readStretches(copy, copy.versions[0])) {
        if ('damage' in stretch) return;
        yield stretch.bytes;
      }
    },
  };
}

export function toHoleDamage({ folder, stem }: CopyPlace, { from, to }: Version['holes'][number]): Damage {
  return { path: `${folder}/${stem}`, reason: `bytes ${from} to ${to} are missing` };
}

export function readSegment({ folder }: CopyPlace, segment: Segment): ReadStretch {
  const { name, from, to, checksum } = segment;
  const path = `${folder}/${name}`;
  const toDamage = (reason: string) => ({ from, to, damage: { path, reason } });
  let packed: Buffer;
  try {
    const fd = openFile(path);
    try {
      const { size } = fstatSync(fd);
      const isLarger = size > 2 * segmentBytes;
      const implausible = isLarger ? 'it is larger than any segment' : findImplausible(segment, size);
      if (implausible !== null) return toDamage(implausible);
      packed = readFileSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    return toDamage(toReason(error));
  }
  try {
    // A file that unpacks to more than its name says is not what was written.
    const bytes = brotliDecompressSync(packed, { maxOutputLength: Math.max(1, to - from) });
    return bytes.length === to - from && toChecksum(bytes) === checksum
      ? { from, bytes }
      : toDamage('the content does not match its checksum');
  } catch {
    return toDamage('it cannot be unpacked');
  }
}

export function toChecksum(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

/** Null where a part of it is damaged or missing. Unpacks only the segments that hold it. */
export function readRange(place: CopyPlace, version: Version, from: number, to: number): Buffer | null {
  const parts: Buffer[] = [];
  let at = from;
  for (const segment of version.segments) {
    if (segment.to <= at || segment.from >= to) continue;
    const stretch = readSegment(place, segment);
    if ('damage' in stretch || stretch.from > at) return null;
    parts.push(stretch.bytes.subarray(at - stretch.from, to - stretch.from));
    at = Math.min(to, segment.to);
  }
  return at === to ? Buffer.concat(parts) : null;
}
