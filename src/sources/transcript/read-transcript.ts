// A transcript's bytes → records: reads one file of lines from a given place and yields what it finds in bounded batches. It
// touches no index: given the same bytes it finds the same things, wherever the reading starts and however the batches
// fall. Synchronous, because it runs in a thread of its own whenever there is much to read.

import { closeSync, readSync } from 'node:fs';
import type { Batch } from '../../batch.ts';
import { openFile } from '../../open-file.ts';
import { type HistoryPrompt, maxSeq, type SessionKind } from '../../records.ts';
import { isAsRead, ReadMarker, Witness } from '../files/fingerprint.ts';
import { isObject, type JsonObject } from '../json/json-value.ts';
import { type LineSink, LineSplitter, maxLineBytes, parseLine, tryParseLine } from '../json/lines.ts';
import { redactLine } from '../json/redact.ts';
import type { ReadEnd, ReadJob, ReadOptions, SourceReader } from '../source.ts';
import type { Entry } from './entry.ts';
import { BatchGatherer, noFingerprint, transcriptStart } from './gathered-batch.ts';

export interface LineFormat {
  readonly subagentTools: readonly string[];
  /** A uuid is that of one entry, and an entry that is written again is the same one: it counts once. */
  readonly hasUuids?: boolean;
  /** True when the first bytes say that parsing the line would find nothing in it: most of a transcript is passed over so. */
  isSilent?(line: Buffer): boolean;
  /** Null when the line has no type and so is not an entry. Pure and total. */
  parseEntry(line: JsonObject, kind: SessionKind): Entry | null;
  /** A line of a prompt history, where the agent keeps one; null when nobody typed anything in it. */
  parsePrompt?(line: JsonObject): HistoryPrompt | null;
}

/** The reader of a source whose transcripts are files of lines; `own` is what it does differently. */
export function readsLines(format: LineFormat, own: Partial<SourceReader> = {}): SourceReader {
  return {
    read: (job, options) => readTranscript(format, job, options),
    parseEntry: format.parseEntry,
    parseSidecar: () => null,
    redactLine: (line, cleaning) => redactLine(line, undefined, cleaning),
    ...own,
  };
}

/**
 * 1. When part of the file was read before, that part is compared with what was read, by samples or as a whole. Where it is not
 *    the same, the file is read from its start, and its first batch says so.
 * 2. Chunks are cut into lines; each line is parsed into the batch.
 * 3. After a chunk, a full batch is yielded; it reaches to the last complete line.
 * 4. When there is no more time, what was read is yielded and the rest is left for the next run.
 * 5. At the end a last line without newline is taken if it is a whole object: a half-written one cannot be.
 * 6. When the file was written anew meanwhile, what is yielded gets a fingerprint that none equals, so that the next
 *    run reads all of it again.
 */
export function* readTranscript(
  format: LineFormat,
  job: ReadJob,
  { forms, shouldStop }: ReadOptions,
): Generator<Batch, ReadEnd> {
  const { from, fingerprint, isChecking = false } = job;
  const fd = openFile(job.path);
  try {
    const isKnown = () => fingerprint !== null && isAsRead(fd, from.bytes, fingerprint, isChecking);
    let begin = transcriptStart;
    const witness = new Witness(fd, () => begin === transcriptStart || isKnown());
    if (isKnown()) begin = from;
    const marker = new ReadMarker(fd, begin.bytes, begin === from ? fingerprint : null, isChecking);
    const gatherer = new BatchGatherer(job, forms, format.subagentTools, begin);
    if (format.hasUuids) gatherer.countOnce(begin === from ? (job.knownUuids ?? null) : null);
    const parser = new LineParser(format, gatherer);
    const splitter = new LineSplitter(parser);
    const take = (isLast: boolean, unterminatedBytes = 0) => {
      const bytesRead = begin.bytes + splitter.completeBytes + unterminatedBytes;
      const now = marker.mark(bytesRead);
      const taken = witness.isSame() ? now : noFingerprint;
      return gatherer.take({ bytesRead, isUnterminated: unterminatedBytes > 0, fingerprint: taken, isLast });
    };
    let position = begin.bytes;
    for (;;) {
      const room = splitter.room();
      const bytes = readSync(fd, room, 0, room.length, position);
      if (bytes === 0) break;
      witness.add(room.subarray(0, bytes), position);
      splitter.push(bytes);
      position += bytes;
      if (position < job.sizeBytes && shouldStop()) {
        yield take(false);
        return 'unfinished';
      }
      if (gatherer.isFull) yield take(false);
    }
    yield take(true, parser.takeUnterminated(splitter.rest()));
    return 'whole';
  } finally {
    closeSync(fd);
  }
}

/** `pieces` is what was compressed. Such a file does not grow: it is read again from its start whenever it changed. */
export function* readCompressed(
  format: LineFormat,
  job: ReadJob,
  { forms, shouldStop }: ReadOptions,
  pieces: Iterable<Buffer>,
): Generator<Batch, ReadEnd> {
  const gatherer = new BatchGatherer(job, forms, format.subagentTools);
  const parser = new LineParser(format, gatherer);
  const splitter = new LineSplitter(parser);
  const take = (isLast: boolean, unterminatedBytes = 0) => {
    const bytesRead = splitter.completeBytes + unterminatedBytes;
    const isUnterminated = unterminatedBytes > 0;
    return gatherer.take({ bytesRead, isUnterminated, fingerprint: noFingerprint, isLast });
  };
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const copied = piece.copy(splitter.room(), 0, at);
      splitter.push(copied);
      at += copied;
      if (gatherer.isFull) yield take(false);
    }
    if (shouldStop()) return 'unfinished';
  }
  yield take(true, parser.takeUnterminated(splitter.rest()));
  return 'whole';
}

class LineParser implements LineSink {
  private readonly format: LineFormat;
  private readonly gatherer: BatchGatherer;

  constructor(format: LineFormat, gatherer: BatchGatherer) {
    this.format = format;
    this.gatherer = gatherer;
  }

  onLine(line: Buffer): void {
    this.gatherer.lines++;
    // A silent line that is broken is not counted among the skipped ones: to know it, it would have to be read.
    if (this.gatherer.kind !== 'history' && this.format.isSilent?.(line)) return;
    this.safely(() => {
      const value = parseLine(line);
      if (isObject(value)) this.add(value);
      else if (value !== undefined) this.gatherer.skip('not a JSON object');
      else if (line.toString('utf8').trim() !== '') this.gatherer.skip('not valid JSON');
    });
  }

  onTooLong(): void {
    this.gatherer.lines++;
    this.gatherer.skip(`longer than ${maxLineBytes / 1024 / 1024} MiB`);
  }

  /** How many bytes were taken: all, or none where the line is not whole, which is skipped only when its end has come. */
  takeUnterminated(line: Buffer): number {
    const value = tryParseLine(line);
    if (!isObject(value)) return 0;
    this.gatherer.lines++;
    this.safely(() => this.add(value));
    return line.length;
  }

  /** An error of the parser costs the line, not the file. */
  private safely(take: () => void): void {
    try {
      take();
    } catch (error) {
      this.gatherer.skip(`cannot be parsed (${error instanceof Error ? error.message : error})`);
    }
  }

  private add(value: JsonObject): void {
    const { gatherer, format } = this;
    if (gatherer.lines > maxSeq) gatherer.skip(`beyond line ${maxSeq}`);
    else if (gatherer.kind === 'history') {
      const prompt = format.parsePrompt?.(value) ?? null;
      if (prompt !== null) gatherer.addPrompt(prompt);
    } else {
      const entry = format.parseEntry(value, gatherer.kind);
      if (entry === null) gatherer.skip('has no type');
      else gatherer.add(entry);
    }
  }
}
