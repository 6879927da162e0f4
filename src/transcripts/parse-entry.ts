// One line of a transcript → what it tells: a message, tool calls, a title, facts about the session. Pure and
// total: any JSON value gives an Entry, and what is not understood is named instead of thrown.

import type { MessageKind, PullRequest, Role, SessionKind } from '../records.ts';
import {
  blockTexts,
  type EntryToolCall,
  type EntryToolResult,
  toBlocks,
  toToolCalls,
  toToolResults,
} from './content-blocks.ts';
import {
  field,
  integerField,
  isTrue,
  type JsonObject,
  objectField,
  stringField,
  toExcerpt,
  toTimestamp,
} from './json-value.ts';
import { isRecapText, type PersonText, toPersonText, toTypedLine } from './person-text.ts';
import { toToolTarget } from './tool-target.ts';

export interface EntryMessage {
  readonly role: Role;
  readonly kind: MessageKind;
  readonly text: string;
  readonly isSidechain: boolean;
}

/** All that one line tells. Absent parts are null or empty. */
export interface Entry {
  readonly type: string;
  readonly uuid: string | null;
  readonly sessionId: string | null;
  readonly timestamp: string | null;
  /** Any line may name the directory, and the first one in the file is the project. */
  readonly cwd: string | null;
  readonly branch: string | null;
  readonly version: string | null;
  readonly model: string | null;
  readonly message: EntryMessage | null;
  readonly toolCalls: readonly EntryToolCall[];
  readonly toolResults: readonly EntryToolResult[];
  readonly title: EntryTitle | null;
  readonly lastPrompt: string | null;
  readonly relocatedCwd: string | null;
  readonly continuedIn: string | null;
  readonly pullRequest: PullRequest | null;
  readonly isCompaction: boolean;
  readonly isUnknownType: boolean;
}

export type EntryTitle =
  | { readonly source: 'custom-title' | 'agent-name' | 'ai-title'; readonly text: string }
  | { readonly source: 'summary'; readonly text: string; readonly leafUuid: string };

/** Types known to hold nothing of the conversation. */
const silentTypes = new Set([
  'progress',
  'file-history-snapshot',
  'file-history-delta',
  'permission-mode',
  'mode',
  'bridge-session',
  'frame-link',
  'fork-context-ref',
  'cost-state',
  'worktree-state',
  'started',
  'result',
]);

type Parts = Partial<Omit<Entry, 'type' | 'isUnknownType'>>;

/** Null when the line has no type and so is no entry at all. */
export function parseEntry(line: JsonObject, sessionKind: SessionKind): Entry | null {
  const type = stringField(line, 'type') ?? (sessionKind === 'precompact' ? roleOf(line) : null);
  if (type === null) return null;
  const parts = silentTypes.has(type) ? {} : parseType(type, line, sessionKind);
  return {
    uuid: null,
    sessionId: stringField(line, 'sessionId'),
    timestamp: null,
    cwd: stringField(line, 'cwd'),
    branch: null,
    version: stringField(line, 'version'),
    model: null,
    message: null,
    toolCalls: [],
    toolResults: [],
    title: null,
    lastPrompt: null,
    relocatedCwd: null,
    continuedIn: null,
    pullRequest: null,
    isCompaction: false,
    ...parts,
    type,
    isUnknownType: parts === null,
  };
}

/** Saved histories are described without a type; the message says whose it is. */
function roleOf(line: JsonObject): string | null {
  const role = stringField(objectField(line, 'message') ?? {}, 'role');
  return role === 'user' || role === 'assistant' ? role : null;
}

/** Null for a type this version of recall does not know. */
function parseType(type: string, line: JsonObject, sessionKind: SessionKind): Parts | null {
  if (sessionKind === 'transcript') return parseExportLine(type, line);
  switch (type) {
    case 'user':
      return parseUser(line, sessionKind);
    case 'assistant':
      return parseAssistant(line);
    case 'tool_result':
      return { ...envelope(line), toolResults: toToolResults([objectField(line, 'message') ?? line]) };
    case 'attachment':
      return parseAttachment(line);
    case 'queue-operation':
      return parseQueueOperation(line);
    case 'system':
      return {
        uuid: stringField(line, 'uuid'),
        isCompaction: stringField(line, 'subtype') === 'compact_boundary',
      };
    case 'summary':
      return parseSummary(line);
    case 'custom-title':
      return { title: toTitle('custom-title', stringField(line, 'customTitle')) };
    case 'agent-name':
      return { title: toTitle('agent-name', stringField(line, 'agentName')) };
    case 'ai-title':
      return { title: toTitle('ai-title', stringField(line, 'aiTitle')) };
    case 'last-prompt':
      return { lastPrompt: toTypedLine(stringField(line, 'lastPrompt') ?? '')?.text ?? null };
    case 'relocated':
      return { relocatedCwd: stringField(line, 'relocatedCwd') };
    case 'continued-in':
      return { continuedIn: stringField(line, 'continuedInSessionId') };
    case 'pr-link':
      return { pullRequest: toPullRequest(line) };
    default:
      return null;
  }
}

function envelope(line: JsonObject): Parts {
  const message = objectField(line, 'message');
  const timestamp = field(line, 'timestamp') ?? (message === null ? undefined : field(message, 'timestamp'));
  return {
    uuid: stringField(line, 'uuid'),
    timestamp: toTimestamp(timestamp),
    branch: stringField(line, 'gitBranch'),
  };
}

function parseUser(line: JsonObject, sessionKind: SessionKind): Parts {
  const message = objectField(line, 'message');
  const blocks = toBlocks(message === null ? undefined : field(message, 'content'));
  const parts = { ...envelope(line), toolResults: toToolResults(blocks) };
  const texts = blockTexts(blocks);
  if (texts.length === 0 || isTrue(line, 'isMeta')) return parts;

  const isSidechain = isTrue(line, 'isSidechain');
  const isRecap = isTrue(line, 'isCompactSummary') || isRecapText(texts[0] ?? '');
  if (isRecap) return { ...parts, message: toRecap(texts, isSidechain) };
  if (!isFromPerson(line)) return parts;
  const typed = joinTyped(texts);
  if (typed === null) return parts;
  const isTask = sessionKind === 'agent' || isSidechain;
  return {
    ...parts,
    message: { role: 'user', kind: isTask ? 'task' : typed.kind, text: typed.text, isSidechain },
  };
}

function toRecap(texts: readonly string[], isSidechain: boolean): EntryMessage {
  return { role: 'user', kind: 'recap', text: texts.join('\n\n'), isSidechain };
}

function isFromPerson(line: JsonObject): boolean {
  const origin = objectField(line, 'origin');
  if (origin !== null && (stringField(origin, 'kind') ?? 'human') !== 'human') return false;
  return stringField(line, 'promptSource') !== 'system';
}

function joinTyped(texts: readonly string[]): PersonText | null {
  const typed = texts.map(toPersonText).filter((text) => text !== null);
  const first = typed[0];
  if (first === undefined) return null;
  return { kind: first.kind, text: typed.map((part) => part.text).join('\n\n') };
}

function parseAssistant(line: JsonObject): Parts {
  const message = objectField(line, 'message');
  const model = message === null ? null : stringField(message, 'model');
  const blocks = toBlocks(message === null ? undefined : field(message, 'content'));
  const parts = { ...envelope(line), toolCalls: toToolCalls(blocks) };
  if (isTrue(line, 'isApiErrorMessage') || model === '<synthetic>') return parts;

  const text = blockTexts(blocks).join('\n\n').trim();
  if (text === '') return { ...parts, model };
  const isSidechain = isTrue(line, 'isSidechain');
  return { ...parts, model, message: { role: 'assistant', kind: 'answer', text, isSidechain } };
}

function parseAttachment(line: JsonObject): Parts {
  const attachment = objectField(line, 'attachment');
  const uuid = stringField(line, 'uuid');
  if (attachment === null || stringField(attachment, 'type') !== 'queued_command') return { uuid };
  if (!isFromPerson(attachment) || !isFromPerson(line) || isTrue(attachment, 'isMeta')) return { uuid };
  const typed = joinTyped(blockTexts(toBlocks(field(attachment, 'prompt'))));
  if (typed === null) return envelope(line);
  return { ...envelope(line), message: { role: 'user', ...typed, isSidechain: false } };
}

function parseQueueOperation(line: JsonObject): Parts {
  const content = stringField(line, 'content')?.trim() ?? '';
  if (stringField(line, 'operation') !== 'enqueue' || content === '' || /^[</]/.test(content)) return {};
  const typed = toPersonText(content);
  if (typed === null) return {};
  const timestamp = toTimestamp(field(line, 'timestamp'));
  return { timestamp, message: { role: 'user', kind: 'queued', text: typed.text, isSidechain: false } };
}

function parseSummary(line: JsonObject): Parts {
  const text = stringField(line, 'summary')?.trim() ?? '';
  const leafUuid = stringField(line, 'leafUuid');
  if (text === '' || leafUuid === null) return {};
  return { title: { source: 'summary', text: toExcerpt(text, maxTitleChars), leafUuid } };
}

/** Far longer than any title; a broken file may hold megabytes of one. */
const maxTitleChars = 1000;

function toTitle(source: 'custom-title' | 'agent-name' | 'ai-title', text: string | null): EntryTitle | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : { source, text: toExcerpt(trimmed, maxTitleChars) };
}

export function toPullRequest(line: JsonObject): PullRequest | null {
  const number = integerField(line, 'prNumber');
  const url = stringField(line, 'prUrl');
  const repository = stringField(line, 'prRepository');
  return number === null && url === null && repository === null ? null : { number, url, repository };
}

/** Lines of transcripts/ses_*.jsonl: `content` beside `type`, and tools by name and input. */
function parseExportLine(type: string, line: JsonObject): Parts | null {
  const parts = envelope(line);
  const texts = blockTexts(toBlocks(field(line, 'content')));
  if (type === 'user') {
    if (isRecapText(texts[0] ?? '')) return { ...parts, message: toRecap(texts, false) };
    const typed = joinTyped(texts);
    return typed === null ? parts : { ...parts, message: { role: 'user', ...typed, isSidechain: false } };
  }
  if (type === 'assistant') {
    const text = texts.join('\n\n').trim();
    return text === ''
      ? parts
      : { ...parts, message: { role: 'assistant', kind: 'answer', text, isSidechain: false } };
  }
  if (type === 'tool_use') {
    const name = stringField(line, 'tool_name');
    const input = objectField(line, 'tool_input') ?? {};
    return name === null ? parts : { ...parts, toolCalls: [{ id: null, name, target: toToolTarget(input) }] };
  }
  return type === 'tool_result' ? parts : null;
}
