// Entries of a session that is read as a whole whenever it changed → batches of bounded size. For stores in which what was
// written before may change, so that nothing is to be gained by knowing how far they were read.

import type { Batch, SkippedLine } from '../../batch.ts';
import { maxSeq } from '../../records.ts';
import type { ReadEnd, ReadJob, ReadOptions } from '../read-job.ts';
import { type Entry, redactEntry } from './entry.ts';
import { GatheredBatch } from './gathered-batch.ts';

/** A batch is handed over when it holds this much text, so that memory and transactions stay bounded. */
const batchChars = 512 * 1024;

/** In the place of a fingerprint: nothing is ever read from where this ended. */
const noFingerprint = '';

/** An entry, or what could not be read as one. */
export type FoundEntry = Entry | SkippedLine;

export function* gatherWhole(
  entries: Iterable<FoundEntry>,
  subagentTools: readonly string[],
  { kind: named, sizeBytes, isRedacting, keepsWork }: ReadJob,
  { forms, shouldStop }: ReadOptions,
): Generator<Batch, ReadEnd> {
  const make = () => new GatheredBatch({ subagentTools }, { forms, keepsWork });
  let batch = make();
  let kind = named;
  let version: string | null = null;
  let seq = 0;
  let taken = 0;
  const take = (isLast: boolean) => {
    // Of the bytes only that is of interest which the next look compares with: all of them, in the end.
    const bytesRead = isLast ? sizeBytes : seq;
    const end = { linesRead: seq, lastVersion: version, isUnterminated: false, fingerprint: noFingerprint };
    return batch.toBatch({ ...end, forms: forms.take(), bytesFrom: taken, bytesRead, isLast });
  };
  for (const found of entries) {
    if (++seq > maxSeq) break;
    if ('reason' in found) batch.skip(found.line, found.reason);
    else {
      const entry = isRedacting ? redactEntry(found) : found;
      kind = entry.identity?.kind ?? kind;
      version = entry.version ?? version;
      batch.addEntry(entry, { kind, seq, version, hasEarlier: taken > 0 });
    }
    if (batch.chars < batchChars) continue;
    yield take(false);
    taken = seq;
    batch = make();
    if (shouldStop()) return 'unfinished';
  }
  yield take(true);
  return 'whole';
}
