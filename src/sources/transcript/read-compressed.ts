// The same as read-transcript.ts for a file that is compressed as a whole. Such a file does not grow: when it changed, all of it
// is read again, and where there is no time for all of it, the next run starts from the beginning.

import type { Batch } from '../../batch.ts';
import { readZstd } from '../files/zstd.ts';
import { LineSplitter } from '../json/split-lines.ts';
import type { ReadEnd, ReadJob, ReadOptions } from '../read-job.ts';
import { BatchBuilder } from './batch-builder.ts';
import type { LineFormat } from './line-format.ts';

/** In the place of a fingerprint: nothing is ever read from where this ended. */
const noFingerprint = '';

export function* readCompressed(
  format: LineFormat,
  { path, kind, sizeBytes, isRedacting, keepsWork }: ReadJob,
  { forms, shouldStop }: ReadOptions,
): Generator<Batch, ReadEnd> {
  const from = { bytes: 0, lines: 0, version: null };
  const builder = new BatchBuilder(format, { kind, from, forms, isRedacting, keepsWork });
  const splitter = new LineSplitter(builder);
  const take = (bytesMore: number, isUnterminated: boolean, isLast: boolean) =>
    builder.take(splitter.completeBytes + bytesMore, isUnterminated, noFingerprint, isLast);
  for (const piece of readZstd(path, sizeBytes)) {
    for (let at = 0; at < piece.length; ) {
      const copied = piece.copy(splitter.room(), 0, at);
      splitter.push(copied);
      at += copied;
      if (builder.isFull) yield take(0, false, false);
    }
    if (shouldStop()) return 'unfinished';
  }
  const rest = splitter.rest();
  const isUnterminated = rest.length > 0 && builder.takeUnterminated(rest);
  yield take(isUnterminated ? rest.length : 0, isUnterminated, true);
  return 'whole';
}
