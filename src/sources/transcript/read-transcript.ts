// A transcript's bytes → records: reads one file of lines from a given place and yields what it finds in bounded batches. It
// touches no index: given the same bytes it finds the same things, wherever the reading starts and however the batches
// fall. Synchronous, because it runs in a thread of its own whenever there is much to read.

import { closeSync, readSync } from 'node:fs';
import type { Batch } from '../../batch.ts';
import { type HistoryPrompt, maxSeq, type SessionKind } from '../../records.ts';
import { redact } from '../../text/redact.ts';
import { readFingerprint, Witness } from '../files/fingerprint.ts';
import { openFile } from '../files/open-file.ts';
import { isObject, type JsonObject } from '../json/json-value.ts';
import { type LineSink, LineSplitter, maxLineBytes, parseLine, tryParseLine } from '../json/lines.ts';
import type { ReadEnd, ReadFrom, ReadJob, ReadOptions } from '../source.ts';
import { type Entry, redactEntry } from './entry.ts';
import { type BatchOptions, batchChars, GatheredBatch, noFingerprint } from './gathered-batch.ts';

/** What an agent's lines are, as the reading of line files has to know it. */
export interface LineFormat {
  /** The names of the tools that start subagents. */
  readonly subagentTools: readonly string[];
  /** True when the first bytes say that parsing the line would find nothing in it: most of a transcript is passed over so. */
  isSilent?(line: Buffer): boolean;
  /** Null when the line is not an entry at all. */
  parseEntry(line: JsonObject, kind: SessionKind): Entry | null;
  /** A line of a prompt history, where the agent keeps one; null when nobody typed anything in it. */
  parsePrompt?(line: JsonObject): HistoryPrompt | null;
}

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
      return builder.take(bytesRead, isUnterminated, witness.isSame() ? now : noFingerprint, isLast);
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

/**
 * The same for a file that is compressed as a whole, of which `pieces` is what was compressed. Such a file does not grow: when it
 * changed, all of it is read again, and where there is no time for all of it, the next run starts from the beginning.
 */
export function* readCompressed(
  format: LineFormat,
  { kind, isRedacting, keepsWork }: ReadJob,
  { forms, shouldStop }: ReadOptions,
  pieces: Iterable<Buffer>,
): Generator<Batch, ReadEnd> {
  const builder = new BatchBuilder(format, { kind, from: start, forms, isRedacting, keepsWork });
  const splitter = new LineSplitter(builder);
  const take = (bytesMore: number, isUnterminated: boolean, isLast: boolean) =>
    builder.take(splitter.completeBytes + bytesMore, isUnterminated, noFingerprint, isLast);
  for (const piece of pieces) {
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

/** A batch is handed over when it holds so many lines, or much text, so that memory and transactions stay bounded. */
const batchLines = 50_000;

interface BuilderOptions extends Omit<BatchOptions, 'subagentTools'> {
  readonly kind: SessionKind;
  readonly from: ReadFrom;
  readonly isRedacting: boolean;
}

/** Lines of a transcript → batches: parses each line, and keeps count of lines and bytes. */
class BatchBuilder implements LineSink {
  private readonly format: LineFormat;
  private options: BuilderOptions;
  private lines: number;
  private bytes: number;
  private version: string | null;
  private linesInBatch = 0;
  private batch: GatheredBatch;

  constructor(format: LineFormat, options: BuilderOptions) {
    const { bytes, lines, version } = options.from;
    this.format = format;
    this.options = options;
    this.lines = lines;
    this.bytes = bytes;
    this.version = version;
    this.batch = this.makeBatch();
  }

  get isFull(): boolean {
    return this.batch.chars >= batchChars || this.linesInBatch >= batchLines;
  }

  onLine(line: Buffer): void {
    this.nextLine();
    // A silent line that is broken is not counted among the skipped ones: to know it, it would have to be read.
    if (this.options.kind !== 'history' && this.format.isSilent?.(line)) return;
    this.safely(() => {
      const value = parseLine(line);
      if (isObject(value)) this.add(value);
      else if (value !== undefined) this.skip('not a JSON object');
      else if (!isBlank(line)) this.skip('not valid JSON');
    });
  }

  onTooLong(): void {
    this.nextLine();
    this.skip(`longer than ${maxLineBytes / 1024 / 1024} MiB`);
  }

  /** True when the unterminated line was whole and has been taken. */
  takeUnterminated(line: Buffer): boolean {
    // A line that cannot be taken is taken to be unfinished: it is skipped when its end has come.
    const value = tryParseLine(line);
    if (!isObject(value)) return false;
    this.nextLine();
    this.safely(() => this.add(value));
    return true;
  }

  take(bytesRead: number, isUnterminated: boolean, fingerprint: string, isLast: boolean): Batch {
    const { batch, bytes: bytesFrom } = this;
    this.batch = this.makeBatch();
    this.bytes = bytesRead;
    this.linesInBatch = 0;
    return batch.toBatch({
      forms: this.options.forms.take(),
      bytesFrom,
      bytesRead,
      linesRead: this.lines,
      lastVersion: this.version,
      isUnterminated,
      fingerprint,
      isLast,
    });
  }

  private nextLine(): void {
    this.lines++;
    this.linesInBatch++;
  }

  /** Whatever a line makes the parser do, it costs that line. */
  private safely(take: () => void): void {
    try {
      take();
    } catch (error) {
      this.skip(`cannot be parsed (${error instanceof Error ? error.message : error})`);
    }
  }

  private add(value: JsonObject): void {
    if (this.lines > maxSeq) {
      this.skip(`beyond line ${maxSeq}`);
      return;
    }
    if (this.options.kind === 'history') {
      const prompt = this.format.parsePrompt?.(value) ?? null;
      if (prompt === null) return;
      this.batch.addPrompt(this.options.isRedacting ? { ...prompt, text: redact(prompt.text) } : prompt);
      return;
    }
    const entry = this.format.parseEntry(value, this.options.kind);
    if (entry === null) this.skip('has no type');
    else this.addEntry(this.options.isRedacting ? redactEntry(entry) : entry);
  }

  private addEntry(entry: Entry): void {
    const kind = entry.identity?.kind ?? this.options.kind;
    if (kind !== this.options.kind) this.options = { ...this.options, kind };
    this.version = entry.version ?? this.version;
    this.batch.addEntry(entry, {
      kind,
      seq: this.lines,
      hasEarlier: this.lines > this.linesInBatch,
      version: this.version,
    });
  }

  private skip(reason: string): void {
    this.batch.skip(this.lines, reason);
  }

  private makeBatch(): GatheredBatch {
    const { forms, keepsWork } = this.options;
    return new GatheredBatch({ forms, keepsWork, subagentTools: this.format.subagentTools });
  }
}

function isBlank(line: Buffer): boolean {
  return line.toString('utf8').trim() === '';
}
