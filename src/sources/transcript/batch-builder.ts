// Gathers what the lines of a transcript hold into batches of bounded size.

import {
  type HistoryPrompt,
  maxCallsPerLine,
  maxSeq,
  type SessionKind,
  type SummaryRecord,
} from '../../records.ts';
import { type IndexedToolCall, keepsToolUseId } from '../../store/write/tool-call-writer.ts';
import type { IndexedMessage, SkippedLine } from '../../store/write/transcript-writer.ts';
import { redact } from '../../text/redact.ts';
import { toPartTokens, type WordForms } from '../../text/words.ts';
import type { EntryToolResult } from '../claude/content-blocks.ts';
import { entryShape, historyShape } from '../claude/entry-shape.ts';
import { parseEntry } from '../claude/parse-entry.ts';
import { parseHistoryLine } from '../claude/parse-history.ts';
import { isObject, type JsonObject, toExcerpt } from '../json/json-value.ts';
import { FieldReader } from '../json/read-fields.ts';
import { type LineSink, maxLineBytes } from '../json/split-lines.ts';
import type { Batch, ReadFrom } from './batch.ts';
import type { Entry } from './entry.ts';
import { redactEntry } from './redact-entry.ts';
import { mergeFacts, noFacts, toFacts } from './session-facts.ts';
import { toUuidHash } from './uuid-hash.ts';

/** A batch is handed over when it holds this much text, so that memory and transactions stay bounded. */
const batchChars = 512 * 1024;
const batchLines = 50_000;

const maxSkippedNamed = 20;
const maxTypeChars = 80;

/** A call while its result may still come. */
type OpenToolCall = { -readonly [K in keyof IndexedToolCall]: IndexedToolCall[K] };

const entryReader = new FieldReader(entryShape);
const historyReader = new FieldReader(historyShape);

export class BatchBuilder implements LineSink {
  private readonly kind: SessionKind;
  private readonly reader: FieldReader;
  private readonly forms: WordForms;
  private readonly isRedacting: boolean;
  private lines: number;
  private version: string | null;
  private chars = 0;
  private linesInBatch = 0;
  private batch = emptyBatch();

  constructor(kind: SessionKind, from: ReadFrom, forms: WordForms, isRedacting: boolean) {
    this.isRedacting = isRedacting;
    this.forms = forms;
    this.kind = kind;
    this.reader = kind === 'history' ? historyReader : entryReader;
    this.lines = from.lines;
    this.version = from.version;
  }

  get isFull(): boolean {
    return this.chars >= batchChars || this.linesInBatch >= batchLines;
  }

  onLine(line: Buffer): void {
    this.nextLine();
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
    const { unknownTypes, calls, open: _, ...batch } = this.batch;
    const { chars } = this;
    this.batch = emptyBatch();
    this.chars = 0;
    this.linesInBatch = 0;
    return {
      ...batch,
      unknownTypes: [...unknownTypes].map(
        ([key, count]) => [...(JSON.parse(key) as [string, string]), count] as const,
      ),
      toolCalls: calls,
      forms: this.forms.take(),
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
      const prompt = parseHistoryLine(value);
      if (prompt === null) return;
      this.batch.prompts.push(this.isRedacting ? { ...prompt, text: redact(prompt.text) } : prompt);
      this.chars += prompt.text.length;
      return;
    }
    const entry = parseEntry(value, this.kind);
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
    for (const result of entry.toolResults) this.addToolResult(result);
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
    for (const { id, name, target } of entry.toolCalls.slice(0, maxCallsPerLine)) {
      const part = target === null ? '' : toPartTokens(target, this.forms);
      const call = { seq: this.lines, toolUseId: id, name, target, part, isError: false };
      if (id !== null) {
        const open = this.batch.open.get(id);
        if (open === undefined) this.batch.open.set(id, [call]);
        else open.push(call);
      }
      this.batch.calls.push(call);
      this.chars += target?.length ?? 0;
    }
  }

  /**
   * The first result of a call decides, and closes it. Results follow their call closely, so the call is mostly still in
   * this batch; calls of earlier batches are closed in the index, by the same rule.
   */
  private addToolResult(result: EntryToolResult): void {
    const { open, toolResults } = this.batch;
    const calls = open.get(result.id);
    if (calls !== undefined) {
      for (const call of calls) {
        call.isError ||= result.isError;
        if (!keepsToolUseId(call.name)) call.toolUseId = null;
      }
      const kept = calls.filter((call) => call.toolUseId !== null);
      if (kept.length === 0) open.delete(result.id);
      else open.set(result.id, kept);
    }
    if (this.lines > this.linesInBatch) toolResults.push(result);
  }

  private skip(reason: string): void {
    this.batch.skippedCount++;
    if (this.batch.skipped.length < maxSkippedNamed) this.batch.skipped.push({ line: this.lines, reason });
  }
}

function emptyBatch() {
  return {
    messages: [] as IndexedMessage[],
    calls: [] as OpenToolCall[],
    open: new Map<string, OpenToolCall[]>(),
    toolResults: [] as EntryToolResult[],
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
function withoutMark(line: Buffer): Buffer {
  const hasMark = line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf;
  return hasMark ? line.subarray(3) : line;
}

function isBlank(line: Buffer): boolean {
  return line.toString('utf8').trim() === '';
}
