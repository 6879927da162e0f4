// What compressed transcripts hold, decompressed in small steps.

import { decodeZstd } from '../files/zstd.ts';
import { readFirstLine } from '../json/lines.ts';

/** What is decompressed at once: a file that was made to grow without end gives at most 64 MB for this. */
const stepBytes = 2048;

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

function* toSteps(chunks: Iterable<Buffer>): Generator<Buffer> {
  for (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += stepBytes) yield chunk.subarray(at, at + stepBytes);
}
