// Reads one transcript from a given place and hands over what it found in bounded batches. It touches no index:
// given the same bytes it finds the same things, wherever the reading starts and however the batches fall. Synchronous,
// because it runs in a thread of its own whenever there is much to read.

import { closeSync, readSync } from 'node:fs';
import type { SessionKind } from '../../records.ts';
import type { WordForms } from '../../text/words.ts';
import { readFingerprint } from '../files/fingerprint.ts';
import { openFile } from '../files/open-file.ts';
import { Witness } from '../files/witness.ts';
import { LineSplitter } from '../json/split-lines.ts';
import type { Batch, ReadFrom } from './batch.ts';
import { BatchBuilder } from './batch-builder.ts';

/** What a reader is asked for: plain data, so that it can be sent to another thread. */
export interface ReadJob {
  readonly path: string;
  readonly kind: SessionKind;
  readonly sizeBytes: number;
  readonly from: ReadFrom;
  /** Of the part before `from`; null when nothing was read before. */
  readonly fingerprint: string | null;
  readonly isRedacting: boolean;
}

/**
 * whole: read to its end · unfinished: stopped, the rest is for later · changed: the part that was read before is no
 * longer the same, nothing was read.
 */
export type ReadEnd = 'whole' | 'unfinished' | 'changed';

/** In the place of a fingerprint. */
const writtenAnew = '';

/**
 * 1. When part of the file was read before, the fingerprint of that part is checked first.
 * 2. Chunks are cut into lines; each line is parsed into the batch.
 * 3. After a chunk, a full batch is handed over; it reaches to the last complete line.
 * 4. When there is no more time, what was read is handed over and the rest is left for the next run.
 * 5. At the end a last line without newline is taken if it is a whole object: a half-written one cannot be.
 * 6. When the file was written anew meanwhile, what is handed over gets a fingerprint that none equals, so that the next
 *    run reads all of it again.
 */
export function readTranscript(
  { path, kind, sizeBytes, from, fingerprint, isRedacting }: ReadJob,
  forms: WordForms,
  shouldStop: () => boolean,
  onBatch: (batch: Batch) => void,
): ReadEnd {
  const fd = openFile(path);
  try {
    const isKnown = () => fingerprint === null || readFingerprint(fd, from.bytes) === fingerprint;
    const witness = new Witness(fd, isKnown);
    if (!isKnown()) return 'changed';
    return readBatches(
      fd,
      sizeBytes,
      witness,
      new BatchBuilder(kind, from, forms, isRedacting),
      from,
      shouldStop,
      onBatch,
    );
  } finally {
    closeSync(fd);
  }
}

function readBatches(
  fd: number,
  sizeBytes: number,
  witness: Witness,
  builder: BatchBuilder,
  from: ReadFrom,
  shouldStop: () => boolean,
  onBatch: (batch: Batch) => void,
): ReadEnd {
  const splitter = new LineSplitter(builder);
  const handOver = (bytesRead: number, isUnterminated: boolean, isLast: boolean) => {
    const fingerprint = readFingerprint(fd, bytesRead);
    onBatch(builder.take(bytesRead, isUnterminated, witness.isSame() ? fingerprint : writtenAnew, isLast));
  };
  let position = from.bytes;
  for (;;) {
    const room = splitter.room();
    const bytesRead = readSync(fd, room, 0, room.length, position);
    if (bytesRead === 0) break;
    witness.add(room.subarray(0, bytesRead), position);
    splitter.push(bytesRead);
    position += bytesRead;
    if (position < sizeBytes && shouldStop()) {
      handOver(from.bytes + splitter.completeBytes, false, false);
      return 'unfinished';
    }
    if (builder.isFull) handOver(from.bytes + splitter.completeBytes, false, false);
  }
  const rest = splitter.rest();
  const isUnterminated = rest.length > 0 && builder.takeUnterminated(rest);
  handOver(from.bytes + splitter.completeBytes + (isUnterminated ? rest.length : 0), isUnterminated, true);
  return 'whole';
}
