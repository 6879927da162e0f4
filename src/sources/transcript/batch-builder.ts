// Lines of a transcript → batches of bounded size: parses each line, and keeps count of lines and bytes.

import type { Batch } from '../../batch.ts';
import { maxSeq, type SessionKind } from '../../records.ts';
import { redact } from '../../text/redact.ts';
import { isObject, type JsonObject } from '../json/json-value.ts';
import type { FieldReader } from '../json/read-fields.ts';
import { type LineSink, maxLineBytes } from '../json/split-lines.ts';
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
  private readonly reader: FieldReader;
  private lines: number;
  private bytes: number;
  private version: string | null;
  private linesInBatch = 0;
  private batch: GatheredBatch;

  constructor(format: LineFormat, options: BuilderOptions) {
    const { kind, from } = options;
    this.format = format;
    this.options = options;
    this.reader = kind === 'history' ? getPrompts(format).reader : format.entryReader;
    this.lines = from.lines;
    this.bytes = from.bytes;
    this.version = from.version;
    this.batch = this.makeBatch();
  }

  get isFull(): boolean {
    return this.batch.chars >= batchChars || this.linesInBatch >= batchLines;
  }

  onLine(line: Buffer): void {
    this.nextLine();
    // A silent line that is broken is not counted among the skipped ones: to know it, it would have to be read.
    if (this.options.kind !== 'history' && this.format.isSilent(line)) return;
    this.safely(() => {
      const value = this.reader.read(withoutMark(line));
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
    const value = this.readWhole(withoutMark(line));
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

  /** A line that cannot be taken is taken to be unfinished: it is skipped when its end has come. */
  private readWhole(line: Buffer): unknown {
    try {
      return this.reader.read(line);
    } catch {
      return undefined;
    }
  }

  private add(value: JsonObject): void {
    if (this.lines > maxSeq) {
      this.skip(`beyond line ${maxSeq}`);
      return;
    }
    if (this.options.kind === 'history') {
      const prompt = getPrompts(this.format).parse(value);
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
    return new GatheredBatch(this.format, this.options);
  }
}

function getPrompts({ prompts }: LineFormat): NonNullable<LineFormat['prompts']> {
  if (prompts === null) throw new Error('the agent keeps no history of prompts');
  return prompts;
}

/** Without the byte order mark that some editors put before a file, also where files were put together. */
export function withoutMark(line: Buffer): Buffer {
  const hasMark = line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf;
  return hasMark ? line.subarray(3) : line;
}

function isBlank(line: Buffer): boolean {
  return line.toString('utf8').trim() === '';
}
