// Decompresses files that an agent has compressed with zstd, piece by piece where they are large. Node.js can do it from
// 22.15 on; else the zstd program does, and where there is none, or the text is too much to hold, a decoder in JavaScript.

import { spawnSync } from 'node:child_process';
import { closeSync, readFileSync, readSync } from 'node:fs';
import * as zlib from 'node:zlib';
import { toReason } from '../../errors.ts';
import { openFile } from '../../open-file.ts';
import { readFirstLine } from '../json/lines.ts';

type Decoder = typeof import('fzstd');
type OwnZstd = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;

/** More than this is decompressed in pieces, and a larger file could hold more. */
const maxWholeBytes = 48 * 1024 * 1024;
const maxWholeFileBytes = 4 * 1024 * 1024;
const pieceBytes = 128 * 1024;
/** Four bytes can be a block of 128 kB, so what is decoded in one go is at most 16 MB. */
const fedBytes = 512;

const ownZstd = (zlib as { zstdDecompressSync?: OwnZstd }).zstdDecompressSync;
let decoder: Decoder | null = null;

/** To be awaited before the first file is read. */
export async function loadZstd(): Promise<void> {
  decoder ??= await import('fzstd');
}

/** The bytes that were compressed. Whatever is wrong with them costs this file. */
export function* readZstd(path: string, sizeBytes: number): Generator<Buffer> {
  const whole = sizeBytes > maxWholeFileBytes ? null : (tryOwn(path) ?? tryProgram(path));
  if (whole !== null) yield whole;
  else yield* decodeZstd(readPieces(path), true);
}

function tryOwn(path: string): Buffer | null {
  if (ownZstd === undefined) return null;
  const fd = openFile(path);
  try {
    return ownZstd(readFileSync(fd), { maxOutputLength: maxWholeBytes });
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}

/** The file is handed over open, so that its name is never an argument. */
function tryProgram(path: string): Buffer | null {
  const fd = openFile(path);
  try {
    const done = spawnSync('zstd', ['-dcq'], { stdio: [fd, 'pipe', 'ignore'], maxBuffer: maxWholeBytes });
    return done.status === 0 && done.error === undefined ? done.stdout : null;
  } finally {
    closeSync(fd);
  }
}

function* readPieces(path: string): Generator<Buffer> {
  const fd = openFile(path);
  try {
    for (;;) {
      const bytes = Buffer.alloc(pieceBytes);
      const count = readSync(fd, bytes, 0, pieceBytes, null);
      if (count === 0) return;
      yield bytes.subarray(0, count);
    }
  } finally {
    closeSync(fd);
  }
}

/** More than anybody has written with an agent, and more than text is ever compressed: a few kilobytes can hold gigabytes. */
const maxBytes = 512 * 1024 * 1024;
const maxRatio = 200;

function refuseBomb(bytes: number, packedBytes: number): void {
  if (bytes > maxBytes) throw failure(`it holds more than ${maxBytes / 1024 / 1024} MB`);
  if (bytes > Math.max(maxWholeBytes, maxRatio * packedBytes))
    throw failure(`it holds more than ${maxRatio} times its size`);
}

/** `isWhole`: the chunks are all of a file, so that it is damaged where it ends too early. */
export function* decodeZstd(chunks: Iterable<Buffer>, isWhole = false): Generator<Buffer> {
  if (decoder === null) throw new Error('loadZstd was not called');
  const pieces: Buffer[] = [];
  let [bytes, packedBytes] = [0, 0];
  const stream = new decoder.Decompress((piece) => {
    bytes += piece.length;
    pieces.push(Buffer.from(piece));
  });
  for (const chunk of chunks) {
    packedBytes += chunk.length;
    for (let from = 0; from < chunk.length; from += fedBytes) {
      push(stream, chunk.subarray(from, from + fedBytes), false);
      refuseBomb(bytes, packedBytes);
      yield* pieces.splice(0);
    }
  }
  if (!isWhole) return;
  push(stream, Buffer.alloc(0), true);
  yield* pieces;
}

function push(stream: InstanceType<Decoder['Decompress']>, bytes: Buffer, isLast: boolean): void {
  try {
    stream.push(bytes, isLast);
  } catch (error) {
    throw failure(toReason(error));
  }
}

function failure(reason: string): Error {
  return Object.assign(new Error(`cannot be decompressed (${reason})`), { code: 'EZSTD' });
}

/** Null where it is damaged, or longer than any first line. */
export function readFirstPackedLine(chunks: Iterable<Buffer>): Buffer | null {
  try {
    return readFirstLine(decodeZstd(chunks));
  } catch {
    return null;
  }
}
