// Entries of a stretch of a transcript → its batch: what each of them adds, until the batch is taken. Where entries come from is
// left to read-transcript.ts, and to the sources that read a session as a whole.

import type {
  Batch,
  IndexedMessage,
  IndexedToolCall,
  PlacedResult,
  SkippedLine,
  ToolResult,
  WorkText,
} from '../../batch.ts';
import {
  type HistoryPrompt,
  type Identity,
  maxCallsPerLine,
  maxSeq,
  type SessionKind,
  type SummaryRecord,
} from '../../records.ts';
import { withoutEscapes } from '../../text/printable.ts';
import { type PlacedText, packTexts, toSearchedText } from '../../text/tool-text.ts';
import { toPartTokens, type WordForms } from '../../text/words.ts';
import { toExcerpt } from '../json/json-value.ts';
import type { ReadEnd, ReadJob, ReadOptions } from '../source.ts';
import { type Entry, type EntryToolResult, redactEntry } from './entry.ts';
import { mergeFacts, noFacts, toFacts } from './session-facts.ts';
import { cutTarget, cutWork } from './work-text.ts';

const maxSkippedNamed = 20;
const maxTypeChars = 80;

/** A batch is handed over when it holds this much text, so that memory and transactions stay bounded. */
export const batchChars = 512 * 1024;

/** In the place of a fingerprint: nothing is ever read from where this ended. */
export const noFingerprint = '';

export interface BatchOptions {
  readonly forms: WordForms;
  readonly keepsWork: boolean;
  /** The names of the tools that start subagents. */
  readonly subagentTools: readonly string[];
}

/** Where an entry is. */
interface EntryPlace {
  /** Of its session, as far as is known by now. */
  readonly kind: SessionKind;
  /** The number of its line. */
  readonly seq: number;
  /** Whether there are lines before this batch. */
  readonly hasEarlier: boolean;
  /** The program's version as last seen. */
  readonly version: string | null;
}

/** How far the batch reaches. */
type BatchEnd = Pick<
  Batch,
  | 'forms'
  | 'bytesFrom'
  | 'bytesRead'
  | 'linesRead'
  | 'lastVersion'
  | 'isUnterminated'
  | 'fingerprint'
  | 'isLast'
>;

export class GatheredBatch {
  /** About how much text it holds. */
  chars = 0;
  private readonly options: BatchOptions;
  private readonly messages: IndexedMessage[] = [];
  private readonly calls: ToolCalls;
  private readonly toolResults: PlacedResult[] = [];
  private readonly work: WorkText[] = [];
  private readonly toolTexts: PlacedText[] = [];
  private readonly summaries: SummaryRecord[] = [];
  private readonly uuidHashes: number[] = [];
  private readonly messageHashes: number[] = [];
  private readonly prompts: HistoryPrompt[] = [];
  private facts = noFacts;
  private identity: Identity | null = null;
  private skippedCount = 0;
  private readonly skipped: SkippedLine[] = [];
  private readonly unknownTypes = new Map<string, number>();

  constructor(options: BatchOptions) {
    this.options = options;
    this.calls = new ToolCalls(options.subagentTools);
  }

  toBatch(end: BatchEnd): Batch {
    const { messages, toolResults, work, summaries, uuidHashes, messageHashes, prompts, facts } = this;
    const { skippedCount, skipped, chars, identity } = this;
    return {
      identity,
      messages,
      toolResults,
      work,
      packedTexts: packTexts(this.toolTexts),
      summaries,
      uuidHashes,
      messageHashes,
      prompts,
      facts,
      skippedCount,
      skipped,
      isRestart: end.bytesFrom === 0,
      unknownTypes: [...this.unknownTypes].map(
        ([key, count]) => [...(JSON.parse(key) as [string, string]), count] as const,
      ),
      toolCalls: this.calls.all,
      subagentTools: this.options.subagentTools,
      ...end,
      chars,
    };
  }

  addPrompt(prompt: HistoryPrompt): void {
    this.prompts.push(prompt);
    this.chars += prompt.text.length;
  }

  addEntry(entry: Entry, place: EntryPlace): void {
    this.identity ??= entry.identity;
    this.facts = mergeFacts(this.facts, toFacts(entry, place.kind));
    if (entry.isUnknownType) {
      this.countUnknown(entry.type, place);
      return;
    }
    if (entry.uuid !== null) {
      const hash = toUuidHash(entry.uuid);
      this.uuidHashes.push(hash);
      if (entry.message !== null) this.messageHashes.push(hash);
    }
    for (const id of entry.sharedIds) {
      this.uuidHashes.push(toUuidHash(id));
      this.messageHashes.push(toUuidHash(id));
    }
    if (entry.summary !== null) {
      this.summaries.push({ seq: place.seq, ...entry.summary });
      this.chars += entry.summary.text.length;
    }
    this.addMessage(entry, place);
    this.addToolCalls(entry, place);
    for (const [nth, answer] of entry.toolResults.entries()) {
      const { output: _, ...result } = answer;
      this.addOutput(place, nth, answer, entry.timestamp);
      this.calls.close(result);
      if (place.hasEarlier) this.toolResults.push({ ...result, seq: place.seq, nth });
    }
  }

  skip(line: number, reason: string): void {
    this.skippedCount++;
    if (this.skipped.length < maxSkippedNamed) this.skipped.push({ line, reason });
  }

  private addMessage({ uuid, timestamp, message }: Entry, { seq }: EntryPlace): void {
    if (message === null) return;
    const text = withoutEscapes(message.text);
    const part = toPartTokens(text, this.options.forms);
    this.messages.push({ seq, uuid, timestamp, ...message, text, part });
    this.chars += text.length;
  }

  private addToolCalls({ toolCalls, timestamp }: Entry, place: EntryPlace): void {
    const { seq } = place;
    if (toolCalls.length > maxCallsPerLine) this.skip(seq, `more than ${maxCallsPerLine} tool calls`);
    for (const [nth, { id, name, target: whole, input }] of toolCalls.slice(0, maxCallsPerLine).entries()) {
      const target = whole === null ? null : cutTarget(whole);
      const part = target === null ? '' : toPartTokens(target, this.options.forms);
      this.calls.add({ seq, nth, toolUseId: id, name, target, part, isError: false });
      this.chars += target?.length ?? 0;
      if (input !== '') this.addWork(input, timestamp, { isOutput: false, seq, nth, call: { seq, nth } });
    }
  }

  private addOutput(
    { seq }: EntryPlace,
    nth: number,
    { output, id }: EntryToolResult,
    timestamp: string | null,
  ): void {
    if (output === '' || nth >= maxCallsPerLine) return;
    const call = this.calls.find(id);
    const at = call === undefined ? null : { seq: call.seq, nth: call.nth };
    this.addWork(output, timestamp, { isOutput: true, seq, nth, call: at });
  }

  private addWork(
    whole: string,
    timestamp: string | null,
    place: Pick<WorkText, 'isOutput' | 'seq' | 'nth' | 'call'>,
  ): void {
    if (!this.options.keepsWork) return;
    const { isOutput, seq, nth, call } = place;
    const stored = cutWork(whole, isOutput);
    const text = toSearchedText(stored);
    const part = toPartTokens(text, this.options.forms);
    const atMs = timestamp === null ? null : Date.parse(timestamp);
    this.work.push({ isOutput, seq, nth, atMs, call, text, part });
    this.toolTexts.push({ seq, nth, isOutput, text: stored });
    this.chars += text.length;
  }

  private countUnknown(type: string, { version }: EntryPlace): void {
    const key = JSON.stringify([toExcerpt(type, maxTypeChars), version ?? 'unknown']);
    const count = this.unknownTypes.get(key) ?? 0;
    if (count === 0) this.chars += key.length;
    this.unknownTypes.set(key, count + 1);
  }
}

/** A call while its result may still come. */
type OpenToolCall = { -readonly [K in keyof IndexedToolCall]: IndexedToolCall[K] };

/** The tool calls of one batch, and which of them still wait for their result. */
class ToolCalls {
  readonly all: OpenToolCall[] = [];
  private readonly open = new Map<string, OpenToolCall[]>();
  private readonly subagentTools: readonly string[];

  constructor(subagentTools: readonly string[]) {
    this.subagentTools = subagentTools;
  }

  /** The call is changed when its result comes. */
  add(call: OpenToolCall): void {
    this.all.push(call);
    if (call.toolUseId === null) return;
    const open = this.open.get(call.toolUseId);
    if (open === undefined) this.open.set(call.toolUseId, [call]);
    else open.push(call);
  }

  /** The call that a result answers, while it is still open in this batch. */
  find(toolUseId: string): OpenToolCall | undefined {
    return this.open.get(toolUseId)?.at(-1);
  }

  /**
   * The first result of a call decides, and closes it. Results follow their call closely, so the call is mostly still in
   * this batch; calls of earlier batches are closed in the index, by the same rule.
   */
  close(result: ToolResult): void {
    const calls = this.open.get(result.id);
    if (calls === undefined) return;
    for (const call of calls) {
      call.isError ||= result.isError;
      if (!this.subagentTools.includes(call.name)) call.toolUseId = null;
    }
    const kept = calls.filter((call) => call.toolUseId !== null);
    if (kept.length === 0) this.open.delete(result.id);
    else this.open.set(result.id, kept);
  }
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const tailAt = 24;

/**
 * A uuid as a number of 48 bits: copies of a conversation are recognised by millions of these. The last twelve hexadecimal
 * digits are random in every uuid version in use; other ids are hashed.
 */
export function toUuidHash(uuid: string): number {
  if (uuidPattern.test(uuid)) return Number.parseInt(uuid.slice(tailAt), 16);
  let high = 0x811c9dc5;
  let low = 0x01000193;
  for (let i = 0; i < uuid.length; i++) {
    high = Math.imul(high ^ uuid.charCodeAt(i), 0x01000193);
    low = Math.imul(low ^ uuid.charCodeAt(i), 0x85ebca6b);
  }
  return (high >>> 16) * 2 ** 32 + (low >>> 0);
}

/** An entry, or what could not be read as one. */
export type FoundEntry = Entry | SkippedLine;

/**
 * Entries of a session that is read as a whole whenever it changed → batches. For stores in which what was written before may
 * change, so that nothing is to be gained by knowing how far they were read.
 */
export function* gatherWhole(
  entries: Iterable<FoundEntry>,
  subagentTools: readonly string[],
  { kind: named, sizeBytes, isRedacting, keepsWork }: ReadJob,
  { forms, shouldStop }: ReadOptions,
): Generator<Batch, ReadEnd> {
  const make = () => new GatheredBatch({ forms, keepsWork, subagentTools });
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
