// Everything that one line of a transcript can say, whatever the agent, and what that means for its session.

import type {
  Identity,
  MessageKind,
  Role,
  SessionFacts,
  SessionKind,
  SummaryRecord,
  ToolResult,
} from '../../records.ts';
import { field, isObject, type JsonObject, stringField, toExcerpt } from '../json/json-value.ts';

interface EntryMessage {
  readonly role: Role;
  readonly kind: MessageKind;
  readonly text: string;
  readonly isSidechain: boolean;
}

export interface EntryToolCall {
  readonly id: string | null;
  readonly name: string;
  /** Uncut, like the input: both are cut when they are stored. */
  readonly target: string | null;
  readonly input: string;
  /** The input as the transcript has it, by the names of its values. */
  readonly given?: JsonObject;
}

export type EntryToolResult = ToolResult & { readonly output: string };

export interface Entry {
  readonly type: string;
  /** Whose transcript this is, where the name of the file does not say it. */
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
  readonly summary: Omit<SummaryRecord, 'seq'> | null;
  /** What else it says about its session. Texts that a person typed are whole but for titles. */
  readonly facts: Partial<SessionFacts> | null;
  readonly isUnknownType: boolean;
}

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

export function toNames(names: string): ReadonlySet<string> {
  return new Set(names.split(/\s+/));
}

/** The blocks of a message's content, which may also be plain text. */
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

export function toUserMessage(kind: MessageKind, text: string, isSidechain = false): EntryMessage | null {
  return text === '' ? null : { role: 'user', kind, text, isSidechain };
}

export function toPrompt(text: string, isTask: boolean, isSidechain = false): EntryMessage | null {
  return toUserMessage(isTask ? 'task' : 'prompt', text, isSidechain);
}

export function toReply(text: string, isSidechain = false): EntryMessage | null {
  return text === '' ? null : { role: 'assistant', kind: 'reply', text, isSidechain };
}

/** Prompts kept beside the session, for titles and lists; the whole text is a message. */
const maxPromptChars = 2000;

export function findFacts(entry: Entry, sessionKind: SessionKind): Partial<SessionFacts> {
  const prompt = findPrompt(entry, sessionKind);
  // A queued prompt may turn out to be a copy, and then its time was not the session's.
  const timestamp = entry.message?.kind === 'queued' ? null : entry.timestamp;
  const derived = {
    parentNativeId: sessionKind === 'main' || sessionKind === 'transcript' ? null : entry.sessionId,
    firstCwd: entry.cwd,
    lastCwd: entry.isTurn ? entry.cwd : null,
    branch: entry.branch,
    versions: entry.version === null ? noItems : [entry.version],
    models: entry.model === null ? noItems : [entry.model],
    createdAt: timestamp,
    modifiedAt: timestamp,
    firstPrompt: prompt,
    lastPrompt: prompt,
  };
  // Hardly any line says more, and an object that is spread together takes longer than all the rest.
  if (entry.facts === null) return derived;
  const lastPrompt = entry.facts.lastPrompt ?? null;
  return {
    ...derived,
    ...entry.facts,
    lastPrompt: lastPrompt === null ? prompt : toExcerpt(lastPrompt, maxPromptChars),
  };
}

function findPrompt(entry: Entry, sessionKind: SessionKind): string | null {
  const message = entry.message;
  if (message === null || message.role !== 'user' || message.kind === 'recap' || message.kind === 'shell')
    return null;
  if (sessionKind !== 'subagent' && message.kind === 'task') return null;
  return toExcerpt(message.text, maxPromptChars);
}
