// Entries of a transcript → batches: what each entry adds, until the batch is taken. Where entries come from is left to
// read-transcript.ts and read-whole.ts.

import {
  type Batch,
  hashUuid,
  hashWhole,
  type IndexedMessage,
  type IndexedToolCall,
  type IndexedToolText,
  type PlacedResult,
  type SkippedLine,
  unpackHashes,
} from '../../batch.ts';
import {
  addFacts,
  type HistoryPrompt,
  type Identity,
  maxCallsPerLine,
  noFacts,
  type SessionFacts,
  type SessionKind,
  type SummaryRecord,
  type ToolResult,
} from '../../records.ts';
import { withoutEscapes } from '../../text/printable.ts';
import { redact, redactCut } from '../../text/redact.ts';
import { hasNames, toSearchedText } from '../../text/tool-text.ts';
import { toPartTokens, type WordForms } from '../../text/words.ts';
import { toExcerpt } from '../json/json-value.ts';
import { redactObject } from '../json/redact.ts';
import type { ReadFrom, ReadJob } from '../source.ts';
import { type Entry, type EntryToolCall, findFacts } from './entry.ts';
import { cutTarget, cutToolText, toInputText, toToolTarget } from './tool-call.ts';

const maxSkippedNamed = 20;
const maxTypeChars = 80;

/** A batch is handed over when it holds this much, so that memory and transactions stay bounded. */
const batchChars = 512 * 1024;
const batchLines = 50_000;

/** Stands for a fingerprint where there is none: such a transcript is always read from its start. */
export const noFingerprint = '';

export const transcriptStart: ReadFrom = { bytes: 0, lines: 0, version: null };

export class BatchGatherer {
  /** Lines of the transcript so far, the one at hand included. */
  lines: number;
  /** Of the session, as far as is known by now. */
  kind: SessionKind;
  private readonly job: Pick<ReadJob, 'isRedacting' | 'keepsToolTexts'>;
  private readonly forms: WordForms;
  private readonly subagentTools: readonly string[];
  private linesBefore: number;
  private bytes: number;
  private version: string | null;
  private gathered = gatherNothing();
  private calls: ToolCalls;
  /** Of the entries so far, where an entry may be written more than once. */
  private uuids: HashSet | null = null;

  constructor(job: ReadJob, forms: WordForms, subagentTools: readonly string[], from = transcriptStart) {
    this.job = job;
    this.kind = job.kind;
    this.forms = forms;
    this.subagentTools = subagentTools;
    this.lines = from.lines;
    this.linesBefore = from.lines;
    this.bytes = from.bytes;
    this.version = from.version;
    this.calls = new ToolCalls(subagentTools);
  }

  get isFull(): boolean {
    return this.gathered.chars >= batchChars || this.lines - this.linesBefore >= batchLines;
  }

  take({ bytesRead, ...end }: Pick<Batch, 'bytesRead' | 'isUnterminated' | 'fingerprint' | 'isLast'>): Batch {
    const { unknownTypes, chars, ...gathered } = this.gathered;
    const batch = {
      ...gathered,
      isRestart: this.bytes === 0,
      unknownTypes: [...unknownTypes.values()],
      toolCalls: this.calls.all,
      subagentTools: this.subagentTools,
      forms: this.forms.take(),
      bytesFrom: this.bytes,
      bytesRead,
      linesRead: this.lines,
      lastVersion: this.version,
      ...end,
      chars,
    };
    this.gathered = gatherNothing();
    this.calls = new ToolCalls(this.subagentTools);
    this.bytes = bytesRead;
    this.linesBefore = this.lines;
    return batch;
  }

  skip(reason: string, line = this.lines): void {
    this.gathered.skippedCount++;
    if (this.gathered.skipped.length < maxSkippedNamed) this.gathered.skipped.push({ line, reason });
  }

  addPrompt(prompt: HistoryPrompt): void {
    const text = this.job.isRedacting ? redact(prompt.text) : prompt.text;
    this.gathered.prompts.push({ ...prompt, text });
    this.gathered.chars += text.length;
  }

  /** From here on an entry whose uuid is among the known ones, or was added before, says nothing. */
  countOnce(knownUuids: Uint8Array | null): void {
    this.uuids = new HashSet();
    for (const hash of knownUuids === null ? [] : unpackHashes(knownUuids)) this.uuids.add(hash);
  }

  add(whole: Entry): void {
    if (whole.uuid !== null && this.uuids !== null) {
      const hash = hashWhole(whole.uuid);
      if (!this.uuids.add(hash)) return;
      this.gathered.wholeHashes.push(hash);
    }
    const entry = this.job.isRedacting ? redactEntry(whole) : whole;
    const { gathered, lines: seq } = this;
    this.kind = entry.identity?.kind ?? this.kind;
    this.version = entry.version ?? this.version;
    gathered.identity ??= entry.identity;
    addFacts(gathered.facts, findFacts(entry, this.kind));
    if (entry.isUnknownType) {
      this.countUnknown(entry.type);
      return;
    }
    if (entry.uuid !== null) {
      const hash = hashUuid(entry.uuid);
      gathered.uuidHashes.push(hash);
      if (entry.message !== null) gathered.messageHashes.push(hash);
    }
    for (const id of entry.sharedIds) {
      gathered.uuidHashes.push(hashUuid(id));
      gathered.messageHashes.push(hashUuid(id));
    }
    if (entry.summary !== null) {
      gathered.summaries.push({ seq, ...entry.summary });
      gathered.chars += entry.summary.text.length;
    }
    this.addMessage(entry);
    this.addToolCalls(entry);
    this.addToolResults(entry);
  }

  private addMessage({ uuid, timestamp, message }: Entry): void {
    if (message === null) return;
    const text = withoutEscapes(message.text);
    const part = toPartTokens(text, this.forms);
    this.gathered.messages.push({ seq: this.lines, uuid, timestamp, ...message, text, part });
    this.gathered.chars += text.length;
  }

  private addToolCalls({ toolCalls, timestamp }: Entry): void {
    const seq = this.lines;
    if (toolCalls.length > maxCallsPerLine) this.skip(`more than ${maxCallsPerLine} tool calls`);
    for (const [nth, { id, name, target: whole, input }] of toolCalls.slice(0, maxCallsPerLine).entries()) {
      const target = whole === null ? null : cutTarget(whole);
      const part = target === null ? '' : toPartTokens(target, this.forms);
      this.calls.add({ seq, nth, toolUseId: id, name, target, part, isError: false });
      this.gathered.chars += target?.length ?? 0;
      this.addToolText(input, timestamp, { isOutput: false, nth, call: { seq, nth } });
    }
  }

  private addToolResults({ toolResults, timestamp }: Entry): void {
    const seq = this.lines;
    for (const [nth, { id, isError, output }] of toolResults.entries()) {
      const call = this.calls.find(id);
      const at = call === undefined ? null : { seq: call.seq, nth: call.nth };
      if (nth < maxCallsPerLine) this.addToolText(output, timestamp, { isOutput: true, nth, call: at });
      this.calls.close({ id, isError });
      // The call may be in an earlier batch; the first batch has none before it.
      if (this.linesBefore > 0) this.gathered.toolResults.push({ id, isError, seq, nth });
    }
  }

  private addToolText(
    whole: string,
    timestamp: string | null,
    { isOutput, nth, call }: Pick<IndexedToolText, 'isOutput' | 'nth' | 'call'>,
  ): void {
    if (whole === '' || !this.job.keepsToolTexts) return;
    const seq = this.lines;
    const text = cutToolText(whole, isOutput);
    const searched = toSearchedText(text);
    const part = toPartTokens(searched, this.forms);
    const atMs = timestamp === null ? null : Date.parse(timestamp);
    this.gathered.toolTexts.push({ isOutput, seq, nth, atMs, call, text, part });
    this.gathered.chars += searched.length;
  }

  private countUnknown(whole: string): void {
    const type = toExcerpt(whole, maxTypeChars);
    const version = this.version ?? 'unknown';
    const key = JSON.stringify([type, version]);
    const counted = this.gathered.unknownTypes.get(key);
    this.gathered.unknownTypes.set(key, [type, version, 1 + (counted?.[2] ?? 0)]);
    if (counted === undefined) this.gathered.chars += key.length;
  }
}

/** Numbers of 48 bits. A million of them take 16 MB, in a `Set` 100: each would be an object of its own. */
class HashSet {
  /** Each one more than the number, at the place that it says or the next that is free; 0 is free. */
  private slots = new Float64Array(64);
  private size = 0;

  /** False when it was there already. */
  add(hash: number): boolean {
    const { slots } = this;
    const mask = slots.length - 1;
    let at = Math.imul((hash % 2 ** 32) | 0, 0x9e3779b1) & mask;
    for (; slots[at] !== 0; at = (at + 1) & mask) if (slots[at] === hash + 1) return false;
    slots[at] = hash + 1;
    if (++this.size * 2 > slots.length) this.grow();
    return true;
  }

  private grow(): void {
    const before = this.slots;
    this.slots = new Float64Array(before.length * 2);
    this.size = 0;
    for (const slot of before) if (slot !== 0) this.add(slot - 1);
  }
}

function gatherNothing() {
  return {
    identity: null as Identity | null,
    messages: [] as IndexedMessage[],
    toolResults: [] as PlacedResult[],
    toolTexts: [] as IndexedToolText[],
    summaries: [] as SummaryRecord[],
    uuidHashes: [] as number[],
    messageHashes: [] as number[],
    wholeHashes: [] as number[],
    prompts: [] as HistoryPrompt[],
    facts: { ...noFacts },
    skippedCount: 0,
    skipped: [] as SkippedLine[],
    unknownTypes: new Map<string, readonly [string, string, number]>(),
    chars: 0,
  };
}

/** A call while its result may still come. */
type OpenToolCall = { -readonly [K in keyof IndexedToolCall]: IndexedToolCall[K] };

class ToolCalls {
  readonly all: OpenToolCall[] = [];
  private readonly open = new Map<string, OpenToolCall[]>();
  private readonly subagentTools: readonly string[];

  constructor(subagentTools: readonly string[]) {
    this.subagentTools = subagentTools;
  }

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

  /** The first result decides. Calls of earlier batches are closed in the index, by the same rule. */
  close(result: ToolResult): void {
    const calls = this.open.get(result.id);
    if (calls === undefined) return;
    for (const call of calls) {
      call.isError ||= result.isError;
      if (!this.subagentTools.includes(call.name)) call.toolUseId = null;
    }
    const stillOpen = calls.filter((call) => call.toolUseId !== null);
    if (stillOpen.length === 0) this.open.delete(result.id);
    else this.open.set(result.id, stillOpen);
  }
}

/** Of all that is stored of an entry, what may hold text that somebody typed or wrote. */
function redactEntry(entry: Entry): Entry {
  const { message, toolCalls, toolResults, summary, facts } = entry;
  return {
    ...entry,
    message: message === null ? null : { ...message, text: redact(message.text) },
    toolCalls: toolCalls.map(redactCall),
    toolResults: toolResults.map((result) => ({ ...result, output: redact(result.output) })),
    summary: summary === null ? null : { ...summary, text: redactCut(summary.text) },
    facts: facts === null ? null : redactFacts(facts),
  };
}

/** Titles are already cut when they come here, perhaps in the middle of a secret. */
function redactFacts(facts: Partial<SessionFacts>): Partial<SessionFacts> {
  const redacted: { -readonly [Fact in keyof SessionFacts]?: SessionFacts[Fact] } = { ...facts };
  for (const title of ['customTitle', 'agentName', 'aiTitle', 'tag'] as const)
    if (redacted[title]) redacted[title] = redactCut(redacted[title]);
  if (redacted.lastPrompt) redacted.lastPrompt = redact(redacted.lastPrompt);
  return redacted;
}

/** What was given by name is cleaned together with its names, since a name may be all that a secret is recognised by. */
function redactCall(call: EntryToolCall): EntryToolCall {
  // Its text has the names too, and is looked through faster than the JSON is written.
  if (hasNames(call.input) && redact(call.input) === call.input) return call;
  const given = call.given && redactObject(call.given);
  if (given !== undefined && given === call.given) return call;
  const target = given === undefined ? call.target : toToolTarget(given);
  const input = given === undefined ? call.input : toInputText(given);
  return {
    ...call,
    target: target === null ? null : redact(target),
    input: redact(input),
    ...(given && { given }),
  };
}
