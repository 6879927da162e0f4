// Reads one transcript from a given place and hands over what it found in bounded batches. It touches no index:
// given the same bytes it finds the same things, wherever the reading starts and however the batches fall.

import { type FileHandle, open } from 'node:fs/promises';
import type { TranscriptFile } from '../records.ts';
import { readFingerprint } from '../transcripts/fingerprint.ts';
import { LineSplitter } from '../transcripts/split-lines.ts';
import { type Batch, BatchBuilder, type ReadFrom } from './batch-builder.ts';

const chunkBytes = 1024 * 1024;

export class FingerprintMismatch extends Error {}

/**
 * 1. When part of the file was read before, the fingerprint of that part is checked first.
 * 2. Chunks are cut into lines; each line is parsed into the batch.
 * 3. After a chunk, a full batch is handed over; it reaches to the last complete line.
 * 4. When there is no more time, what was read is handed over and the rest is left for the next run.
 * 5. At the end a last line without newline is taken if it is a whole object: a half-written one cannot be.
 * False when it was left unfinished.
 */
export async function readTranscript(
  path: string,
  file: TranscriptFile,
  from: ReadFrom,
  expectedFingerprint: string | null,
  shouldStop: () => boolean,
  onBatch: (batch: Batch) => void,
): Promise<boolean> {
  const handle = await open(path, 'r');
  try {
    if (expectedFingerprint !== null && readFingerprint(handle.fd, from.bytes) !== expectedFingerprint) {
      throw new FingerprintMismatch();
    }
    return await readBatches(
      handle,
      file.sizeBytes,
      new BatchBuilder(file.kind, from),
      from,
      shouldStop,
      onBatch,
    );
  } finally {
    await handle.close();
  }
}

async function readBatches(
  handle: FileHandle,
  sizeBytes: number,
  builder: BatchBuilder,
  from: ReadFrom,
  shouldStop: () => boolean,
  onBatch: (batch: Batch) => void,
): Promise<boolean> {
  const splitter = new LineSplitter(builder);
  // Most transcripts are small, and a chunk is made for each.
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(4096, sizeBytes - from.bytes + 1)));
  const handOver = (bytesRead: number, isUnterminated: boolean, isLast: boolean) => {
    onBatch(builder.take(bytesRead, isUnterminated, readFingerprint(handle.fd, bytesRead), isLast));
  };
  let position = from.bytes;
  for (;;) {
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) break;
    splitter.push(chunk.subarray(0, bytesRead));
    position += bytesRead;
    if (position < sizeBytes && shouldStop()) {
      handOver(from.bytes + splitter.completeBytes, false, false);
      return false;
    }
    if (builder.isFull) handOver(from.bytes + splitter.completeBytes, false, false);
  }
  const rest = splitter.rest();
  const isUnterminated = rest.length > 0 && builder.takeUnterminated(rest);
  handOver(from.bytes + splitter.completeBytes + (isUnterminated ? rest.length : 0), isUnterminated, true);
  return true;
}
