// Lines of a transcript → batches of bounded size: parses each line, and keeps count of lines and bytes.

import type { Batch } from '../../batch.ts';
import { maxSeq, type SessionKind } from '../../records.ts';
import { redact } from '../../text/redact.ts';
import { isObject, type JsonObject } from '../json/json-value.ts';
import { type LineSink, maxLineBytes, parseLine } from '../json/lines.ts';
import type { ReadFrom } from '../read-job.ts';
import { type Entry, redactEntry } from './entry.ts';
import { GatheredBatch, type GatherOptions } from './gathered-batch.ts';
import type { LineFormat } from './line-format.ts';

/** A batch is handed over when it holds this much text, so that memory and transactions stay bounded. */
const batchChars = 512 * 1024;
const batchLines = 50_000;

export interface BuilderOptions extends GatherOptions {
  readonly kind: SessionKind;
  readonly from: ReadFrom;
  readonly isRedacting: boolean;
}

export class BatchBuilder implements LineSink {
  private readonly format: LineFormat;
  private options: BuilderOptions;
  private lines: number;
  private bytes: number;
  private version: string | null;
  private linesInBatch = 0;
  private batch: GatheredBatch;
  /** Where splitting started, and where in the transcript the line at hand is. */
  private readonly begin: number;
  private line = { from: 0, bytes: 0 };

  constructor(format: LineFormat, options: BuilderOptions) {
    const { from } = options;
    this.format = format;
    this.options = options;
    this.lines = from.lines;
    this.bytes = from.bytes;
    this.begin = from.bytes;
    this.version = from.version;
    this.batch = this.makeBatch();
  }

  get isFull(): boolean {
    return this.batch.chars >= batchChars || this.linesInBatch >= batchLines;
  }

  onLine(line: Buffer, from: number): void {
    this.nextLine();
    this.line = { from: this.begin + from, bytes: line.length };
    // A silent line that is broken is not counted among the skipped ones: to know it, it would have to be read.
    if (this.options.kind !== 'history' && this.format.isSilent(line)) return;
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

  /** True when the unterminated line was whole and has been taken. `from` as in onLine. */
  takeUnterminated(line: Buffer, from: number): boolean {
    const value = parseWhole(line);
    if (!isObject(value)) return false;
    this.nextLine();
    this.line = { from: this.begin + from, bytes: line.length };
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
      lineFrom: this.line.from,
      lineBytes: this.line.bytes,
      hasEarlier: this.lines > this.linesInBatch,
      version: this.version,
    });
  }

  private skip(reason: string): void {
    this.batch.skip(this.lines, reason);
  }

  private makeBatch(): GatheredBatch {
    return new GatheredBatch(this.format, this.options);
  }
}

/** A line that cannot be taken is taken to be unfinished: it is skipped when its end has come. */
function parseWhole(line: Buffer): unknown {
  try {
    return parseLine(line);
  } catch {
    return undefined;
  }
}

function isBlank(line: Buffer): boolean {
  return line.toString('utf8').trim() === '';
}
