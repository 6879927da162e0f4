// A transcript's bytes → records: reads one file of lines from a given place and yields what it finds in bounded batches. It
// touches no index: given the same bytes it finds the same things, wherever the reading starts and however the batches
// fall. Synchronous, because it runs in a thread of its own whenever there is much to read.

import { closeSync, readSync } from 'node:fs';
import type { Batch } from '../../batch.ts';
import { readFingerprint, Witness } from '../files/fingerprint.ts';
import { openFile } from '../files/open-file.ts';
import { LineSplitter } from '../json/split-lines.ts';
import type { ReadEnd, ReadFrom, ReadJob, ReadOptions } from '../read-job.ts';
import { BatchBuilder } from './batch-builder.ts';
import type { LineFormat } from './line-format.ts';

/** In the place of a fingerprint. */
const writtenAnew = '';

const start: ReadFrom = { bytes: 0, lines: 0, version: null };

/**
 * 1. When part of the file was read before, the fingerprint of that part is checked first. Where it is not the same, the
 *    file is read from its start, and its first batch says so.
 * 2. Chunks are cut into lines; each line is parsed into the batch.
 * 3. After a chunk, a full batch is yielded; it reaches to the last complete line.
 * 4. When there is no more time, what was read is yielded and the rest is left for the next run.
 * 5. At the end a last line without newline is taken if it is a whole object: a half-written one cannot be.
 * 6. When the file was written anew meanwhile, what is yielded gets a fingerprint that none equals, so that the next
 *    run reads all of it again.
 */
export function* readTranscript(
  format: LineFormat,
  { path, kind, sizeBytes, from, fingerprint, isRedacting, keepsWork }: ReadJob,
  { forms, shouldStop }: ReadOptions,
): Generator<Batch, ReadEnd> {
  const fd = openFile(path);
  try {
    const isKnown = () => fingerprint !== null && readFingerprint(fd, from.bytes) === fingerprint;
    let begin = start;
    const witness = new Witness(fd, () => begin === start || isKnown());
    if (isKnown()) begin = from;
    const builder = new BatchBuilder(format, { kind, from: begin, forms, isRedacting, keepsWork });
    const splitter = new LineSplitter(builder);
    const take = (bytesMore: number, isUnterminated: boolean, isLast: boolean) => {
      const bytesRead = begin.bytes + splitter.completeBytes + bytesMore;
      const now = readFingerprint(fd, bytesRead);
      return builder.take(bytesRead, isUnterminated, witness.isSame() ? now : writtenAnew, isLast);
    };
    let position = begin.bytes;
    for (;;) {
      const room = splitter.room();
      const bytes = readSync(fd, room, 0, room.length, position);
      if (bytes === 0) break;
      witness.add(room.subarray(0, bytes), position);
      splitter.push(bytes);
      position += bytes;
      if (position < sizeBytes && shouldStop()) {
        yield take(0, false, false);
        return 'unfinished';
      }
      if (builder.isFull) yield take(0, false, false);
    }
    const rest = splitter.rest();
    const isUnterminated = rest.length > 0 && builder.takeUnterminated(rest);
    yield take(isUnterminated ? rest.length : 0, isUnterminated, true);
    return 'whole';
  } finally {
    closeSync(fd);
  }
}
