// Everything that one line of a transcript can say, whatever the agent, and the same without secrets.

import type { ToolResult } from '../../batch.ts';
import type { Identity, MessageKind, Role, SessionFacts, SummaryRecord } from '../../records.ts';
import { redact, redactCut } from '../../text/redact.ts';
import { hasNames } from '../../text/tool-text.ts';
import { field, isObject, type JsonObject, stringField, toExcerpt } from '../json/json-value.ts';
import { redactObject } from '../json/redact.ts';
import { toInputText, toToolTarget } from './tool-call.ts';

export interface EntryMessage {
  readonly role: Role;
  readonly kind: MessageKind;
  readonly text: string;
  readonly isSidechain: boolean;
}

export interface EntryToolCall {
  readonly id: string | null;
  readonly name: string;
  /** Whole, like the input: both are cut when they are stored. */
  readonly target: string | null;
  readonly input: string;
  /** The same by name, where it has names. */
  readonly given?: JsonObject;
}

export interface EntryToolResult extends ToolResult {
  readonly output: string;
}

/** What one line says. Absent parts are null or empty. */
export interface Entry {
  readonly type: string;
  /** Where the file's name does not say whose it is. */
  readonly identity: Identity | null;
  readonly uuid: string | null;
  /** Further ids that it shares with copies and forks of the same conversation. */
  readonly sharedIds: readonly string[];
  readonly sessionId: string | null;
  readonly timestamp: string | null;
  /** Any line may name the directory, and the first one in the file is the project. */
  readonly cwd: string | null;
  /** A turn of the conversation, in the directory where the session works by then. */
  readonly isTurn: boolean;
  readonly branch: string | null;
  readonly version: string | null;
  readonly model: string | null;
  readonly message: EntryMessage | null;
  readonly toolCalls: readonly EntryToolCall[];
  readonly toolResults: readonly EntryToolResult[];
  readonly summary: EntrySummary | null;
  /** What else it says about its session. Texts that a person typed are whole but for titles. */
  readonly facts: Partial<SessionFacts> | null;
  readonly isUnknownType: boolean;
}

/** A title that a line gives to the conversation that ends with another line. */
type EntrySummary = Omit<SummaryRecord, 'seq'>;

export type EntryDraft = { -readonly [K in keyof Entry]: Entry[K] };

const noItems: readonly never[] = [];

/** An entry that says nothing yet, for parsers to fill in: one object for each line, because there are millions of lines. */
export function newEntry(type: string): EntryDraft {
  return {
    type,
    identity: null,
    uuid: null,
    sharedIds: noItems,
    sessionId: null,
    timestamp: null,
    cwd: null,
    isTurn: false,
    branch: null,
    version: null,
    model: null,
    message: null,
    toolCalls: noItems,
    toolResults: noItems,
    summary: null,
    facts: null,
    isUnknownType: false,
  };
}

export const compaction: Partial<SessionFacts> = { compactionCount: 1 };

/** Far longer than any title; a broken file may hold megabytes of one. */
const maxTitleChars = 1000;

export function toTitleFact(
  fact: 'customTitle' | 'agentName' | 'aiTitle',
  text: string | null,
): Partial<SessionFacts> | null {
  const title = cutTitle(text);
  return title === '' ? null : { [fact]: title };
}

export function cutTitle(text: string | null): string {
  return toExcerpt(text?.trim() ?? '', maxTitleChars);
}

/** Of all that is stored of an entry, what may hold text that somebody typed or wrote. */
export function redactEntry(entry: Entry): Entry {
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

/** Titles were cut before, perhaps in the middle of a secret. */
function redactFacts(facts: Partial<SessionFacts>): Partial<SessionFacts> {
  const redacted: { -readonly [Fact in keyof SessionFacts]?: SessionFacts[Fact] } = { ...facts };
  for (const title of ['customTitle', 'agentName', 'aiTitle'] as const)
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

/** The blocks of a content that may also be a plain text. */
export function toBlocks(content: unknown): readonly JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

export function joinTexts(blocks: readonly JsonObject[]): string {
  const texts = blocks.flatMap((block) => (hasText(block) ? (stringField(block, 'text') ?? []) : []));
  return texts.join('\n\n').trim();
}

/** Not what the model thought, and nothing that only has a text beside something else. */
function hasText(block: JsonObject): boolean {
  const type = field(block, 'type');
  return (type === undefined || type === 'text') && field(block, 'thought') !== true;
}

/** Null for an empty text. */
export function toUserMessage(kind: MessageKind, text: string, isSidechain = false): EntryMessage | null {
  return text === '' ? null : { role: 'user', kind, text, isSidechain };
}

export function toPrompt(text: string, isTask: boolean, isSidechain = false): EntryMessage | null {
  return toUserMessage(isTask ? 'task' : 'prompt', text, isSidechain);
}

export function toReply(text: string, isSidechain = false): EntryMessage | null {
  return text === '' ? null : { role: 'assistant', kind: 'reply', text, isSidechain };
}
