// What the entries of a stretch of a transcript add to its batch, until it is taken.

import type { Batch, IndexedMessage, PlacedResult, SkippedLine, WorkText } from '../../batch.ts';
import {
  type HistoryPrompt,
  type Identity,
  maxCallsPerLine,
  type SessionKind,
  type SummaryRecord,
} from '../../records.ts';
import { withoutEscapes } from '../../text/escapes.ts';
import { type PlacedText, packTexts, toSearchedText } from '../../text/tool-text.ts';
import { toPartTokens, type WordForms } from '../../text/words.ts';
import { toExcerpt } from '../json/json-value.ts';
import type { Entry, EntryToolResult } from './entry.ts';
import type { LineFormat } from './line-format.ts';
import { mergeFacts, noFacts, toFacts } from './session-facts.ts';
import { ToolCalls } from './tool-calls.ts';
import { toUuidHash } from './uuid-hash.ts';
import { cutTarget, cutWork } from './work-text.ts';

const maxSkippedNamed = 20;
const maxTypeChars = 80;

type GatherFormat = Pick<LineFormat, 'subagentTools'>;

export interface GatherOptions {
  readonly forms: WordForms;
  readonly keepsWork: boolean;
}

/** Where an entry is. */
export interface EntryPlace {
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
export type BatchEnd = Pick<
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
  private readonly format: GatherFormat;
  private readonly options: GatherOptions;
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

  constructor(format: GatherFormat, options: GatherOptions) {
    this.format = format;
    this.options = options;
    this.calls = new ToolCalls(format.subagentTools);
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
      subagentTools: this.format.subagentTools,
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
    for (const id of entry.kin) {
      this.uuidHashes.push(toUuidHash(id));
      this.messageHashes.push(toUuidHash(id));
    }
    if (entry.title?.source === 'summary') {
      this.summaries.push({ seq: place.seq, leafUuid: entry.title.leafUuid, text: entry.title.text });
      this.chars += entry.title.text.length;
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
