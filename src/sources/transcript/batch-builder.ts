// Gathers what the lines of a transcript hold into batches of bounded size.

import type { Batch, IndexedMessage, SkippedLine, ToolResult, WorkText } from '../../batch.ts';
import {
  type HistoryPrompt,
  maxCallsPerLine,
  maxSeq,
  type SessionKind,
  type SummaryRecord,
} from '../../records.ts';
import { redact } from '../../text/redact.ts';
import { toPartTokens, type WordForms } from '../../text/words.ts';
import { isObject, type JsonObject, toExcerpt } from '../json/json-value.ts';
import type { FieldReader } from '../json/read-fields.ts';
import { type LineSink, maxLineBytes } from '../json/split-lines.ts';
import type { ReadFrom } from '../source.ts';
import { type Entry, redactEntry } from './entry.ts';
import type { LineFormat } from './line-format.ts';
import { mergeFacts, noFacts, toFacts } from './session-facts.ts';
import { ToolCalls } from './tool-calls.ts';
import { toUuidHash } from './uuid-hash.ts';

/** A batch is handed over when it holds this much text, so that memory and transactions stay bounded. */
const batchChars = 512 * 1024;
const batchLines = 50_000;

const maxSkippedNamed = 20;
const maxTypeChars = 80;

export interface BuilderOptions {
  readonly kind: SessionKind;
  readonly from: ReadFrom;
  readonly forms: WordForms;
  readonly isRedacting: boolean;
  readonly keepsWork: boolean;
}

export class BatchBuilder implements LineSink {
  private readonly format: LineFormat;
  private readonly kind: SessionKind;
  private readonly reader: FieldReader;
  private readonly forms: WordForms;
  private readonly isRedacting: boolean;
  private readonly keepsWork: boolean;
  private lines: number;
  private bytes: number;
  private version: string | null;
  private chars = 0;
  private linesInBatch = 0;
  private batch = emptyBatch();
  /** Where splitting started, and where in the transcript the line at hand is. */
  private readonly begin: number;
  private line = { from: 0, bytes: 0 };

  constructor(format: LineFormat, { kind, from, forms, isRedacting, keepsWork }: BuilderOptions) {
    this.format = format;
    this.kind = kind;
    this.reader = kind === 'history' ? format.promptReader : format.entryReader;
    this.forms = forms;
    this.isRedacting = isRedacting;
    this.keepsWork = keepsWork;
    this.lines = from.lines;
    this.bytes = from.bytes;
    this.begin = from.bytes;
    this.version = from.version;
  }

  get isFull(): boolean {
    return this.chars >= batchChars || this.linesInBatch >= batchLines;
  }

  onLine(line: Buffer, from: number): void {
    this.nextLine();
    this.line = { from: this.begin + from, bytes: line.length };
    // A silent line that is broken is not counted among the skipped ones: to know it, it would have to be read.
    if (this.kind !== 'history' && this.format.isSilent(line)) return;
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

  /** True when the unterminated line was whole and has been taken. `from` as in onLine. */
  takeUnterminated(line: Buffer, from: number): boolean {
    const value = this.readWhole(withoutMark(line));
    if (!isObject(value)) return false;
    this.nextLine();
    this.line = { from: this.begin + from, bytes: line.length };
    this.safely(() => this.add(value));
    return true;
  }

  take(bytesRead: number, isUnterminated: boolean, fingerprint: string, isLast: boolean): Batch {
    const { unknownTypes, calls, ...batch } = this.batch;
    const { chars, bytes: bytesFrom } = this;
    this.batch = emptyBatch();
    this.bytes = bytesRead;
    this.chars = 0;
    this.linesInBatch = 0;
    return {
      ...batch,
      isRestart: bytesFrom === 0,
      unknownTypes: [...unknownTypes].map(
        ([key, count]) => [...(JSON.parse(key) as [string, string]), count] as const,
      ),
      toolCalls: calls.all,
      forms: this.forms.take(),
      bytesFrom,
      bytesRead,
      linesRead: this.lines,
      lastVersion: this.version,
      isUnterminated,
      fingerprint,
      isLast,
      chars,
    };
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
    if (this.kind === 'history') {
      const prompt = this.format.parsePrompt(value);
      if (prompt === null) return;
      this.batch.prompts.push(this.isRedacting ? { ...prompt, text: redact(prompt.text) } : prompt);
      this.chars += prompt.text.length;
      return;
    }
    const entry = this.format.parseEntry(value, this.kind);
    if (entry === null) this.skip('has no type');
    else this.addEntry(this.isRedacting ? redactEntry(entry) : entry);
  }

  private addEntry(entry: Entry): void {
    this.version = entry.version ?? this.version;
    this.batch.facts = mergeFacts(this.batch.facts, toFacts(entry, this.kind));
    if (entry.isUnknownType) {
      this.countUnknown(entry.type);
      return;
    }
    if (entry.uuid !== null) {
      const hash = toUuidHash(entry.uuid);
      this.batch.uuidHashes.push(hash);
      if (entry.message !== null) this.batch.messageHashes.push(hash);
    }
    if (entry.title?.source === 'summary') {
      this.batch.summaries.push({ seq: this.lines, leafUuid: entry.title.leafUuid, text: entry.title.text });
      this.chars += entry.title.text.length;
    }
    if (entry.message !== null) this.addMessage(entry);
    this.addToolCalls(entry);
    for (const [nth, { output, ...result }] of entry.toolResults.entries()) {
      this.addOutput(nth, result, output);
      this.batch.calls.close(result);
      if (this.lines > this.linesInBatch) this.batch.toolResults.push(result);
    }
  }

  private addOutput(nth: number, { id }: ToolResult, output: string): void {
    if (output === '' || nth >= maxCallsPerLine) return;
    const call = this.batch.calls.find(id);
    const place = call === undefined ? null : { seq: call.seq, nth: call.nth };
    this.addWork(true, nth, output, place, call === undefined ? id : null);
  }

  private addWork(
    isOutput: boolean,
    nth: number,
    whole: string,
    call: WorkText['call'],
    toolUseId: string | null,
  ): void {
    if (!this.keepsWork) return;
    const { from: lineFrom, bytes: lineBytes } = this.line;
    const text = this.format.cutWork(whole, isOutput);
    const part = toPartTokens(text, this.forms);
    this.batch.work.push({
      isOutput,
      seq: this.lines,
      nth,
      lineFrom,
      lineBytes,
      call,
      toolUseId,
      text,
      part,
    });
    this.chars += text.length;
  }

  private countUnknown(type: string): void {
    const key = JSON.stringify([toExcerpt(type, maxTypeChars), this.version ?? 'unknown']);
    const count = this.batch.unknownTypes.get(key) ?? 0;
    if (count === 0) this.chars += key.length;
    this.batch.unknownTypes.set(key, count + 1);
  }

  private addMessage(entry: Entry): void {
    if (entry.message === null) return;
    this.batch.messages.push({
      seq: this.lines,
      uuid: entry.uuid,
      timestamp: entry.timestamp,
      ...entry.message,
      part: toPartTokens(entry.message.text, this.forms),
    });
    this.chars += entry.message.text.length;
  }

  private addToolCalls(entry: Entry): void {
    if (entry.toolCalls.length > maxCallsPerLine) this.skip(`more than ${maxCallsPerLine} tool calls`);
    for (const [nth, { id, name, target, input }] of entry.toolCalls.slice(0, maxCallsPerLine).entries()) {
      const part = target === null ? '' : toPartTokens(target, this.forms);
      this.batch.calls.add({ seq: this.lines, nth, toolUseId: id, name, target, part, isError: false });
      this.chars += target?.length ?? 0;
      if (input !== '') this.addWork(false, nth, input, { seq: this.lines, nth }, null);
    }
  }

  private skip(reason: string): void {
    this.batch.skippedCount++;
    if (this.batch.skipped.length < maxSkippedNamed) this.batch.skipped.push({ line: this.lines, reason });
  }
}

function emptyBatch() {
  return {
    messages: [] as IndexedMessage[],
    calls: new ToolCalls(),
    toolResults: [] as ToolResult[],
    work: [] as WorkText[],
    summaries: [] as SummaryRecord[],
    uuidHashes: [] as number[],
    messageHashes: [] as number[],
    prompts: [] as HistoryPrompt[],
    facts: noFacts,
    skippedCount: 0,
    skipped: [] as SkippedLine[],
    unknownTypes: new Map<string, number>(),
  };
}

/** Without the byte order mark that some editors put before a file, also where files were put together. */
export function withoutMark(line: Buffer): Buffer {
  const hasMark = line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf;
  return hasMark ? line.subarray(3) : line;
}

function isBlank(line: Buffer): boolean {
  return line.toString('utf8').trim() === '';
}
