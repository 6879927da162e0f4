// One line of a transcript → what it says: a message, tool calls, a title, facts about the session. Pure and
// total: any JSON value gives an Entry, and what is not understood is named instead of thrown.

import type { PullRequest, SessionKind } from '../../records.ts';
import {
  field,
  integerField,
  isTrue,
  type JsonObject,
  objectField,
  stringField,
  toExcerpt,
  toTimestamp,
} from '../json/json-value.ts';
import type { Entry, EntryTitle } from '../transcript/entry.ts';
import { type EntryDraft, newEntry } from '../transcript/new-entry.ts';
import { toToolCall } from '../transcript/work-text.ts';
import { blockTexts, toBlocks, toToolCalls, toToolResults } from './content-blocks.ts';
import { isFromPerson, toAnswer, toRecap, toTypedMessage } from './entry-message.ts';
import { isRecapText, toTypedLine } from './person-text.ts';
import { hasSilentAttachment, silentTypes } from './silent-lines.ts';

/** Types known to hold nothing of the conversation, though perhaps the directory or version of their session. */
const quietTypes = new Set([
  'progress',
  'file-history-snapshot',
  'file-history-delta',
  'permission-mode',
  'bridge-session',
  'frame-link',
  'fork-context-ref',
  'worktree-state',
  'started',
  'result',
  // What recall itself writes: that a transcript was rebuilt, and in the place of a line.
  'recall-rebuilt',
  'redacted',
]);

/** Null when the line has no type and so is not an entry. */
export function parseEntry(line: JsonObject, sessionKind: SessionKind): Entry | null {
  const ownType = stringField(line, 'type');
  const isSilent = (ownType !== null && silentTypes.has(ownType)) || hasSilentAttachment(line);
  const untyped = isSilent ? 'attachment' : sessionKind === 'precompact' ? roleOf(line) : null;
  const type = ownType ?? untyped;
  if (type === null) return null;
  const entry = newEntry(type);
  entry.isTurn = type === 'user' || type === 'assistant';
  if (isSilent) return entry;
  entry.sessionId = stringField(line, 'sessionId');
  entry.cwd = stringField(line, 'cwd');
  entry.version = stringField(line, 'version');
  if (quietTypes.has(type)) return entry;
  if (sessionKind === 'transcript') fillFromExport(entry, line);
  else fill(entry, line, sessionKind);
  return entry;
}

/** Saved histories are described without a type; the message says whose it is. */
function roleOf(line: JsonObject): string | null {
  const role = stringField(objectField(line, 'message') ?? {}, 'role');
  return role === 'user' || role === 'assistant' ? role : null;
}

function fill(entry: EntryDraft, line: JsonObject, sessionKind: SessionKind): void {
  switch (entry.type) {
    case 'user':
      fillFromUser(entry, line, sessionKind);
      break;
    case 'assistant':
      fillFromAssistant(entry, line);
      break;
    case 'tool_result':
      fillEnvelope(entry, line);
      entry.toolResults = toToolResults([objectField(line, 'message') ?? line]);
      break;
    case 'attachment':
      fillFromAttachment(entry, line);
      break;
    case 'queue-operation':
      fillFromQueueOperation(entry, line);
      break;
    case 'system':
      entry.uuid = stringField(line, 'uuid');
      entry.isCompaction = stringField(line, 'subtype') === 'compact_boundary';
      break;
    case 'summary':
      entry.title = toSummary(line);
      break;
    case 'custom-title':
      entry.title = toTitle('custom-title', stringField(line, 'customTitle'));
      break;
    case 'agent-name':
      entry.title = toTitle('agent-name', stringField(line, 'agentName'));
      break;
    case 'ai-title':
      entry.title = toTitle('ai-title', stringField(line, 'aiTitle'));
      break;
    case 'last-prompt':
      entry.lastPrompt = toTypedLine(stringField(line, 'lastPrompt') ?? '')?.text ?? null;
      break;
    case 'relocated':
      entry.relocatedCwd = stringField(line, 'relocatedCwd');
      break;
    case 'continued-in':
      entry.continuedIn = stringField(line, 'continuedInSessionId');
      break;
    case 'pr-link':
      entry.pullRequest = toPullRequest(line);
      break;
    default:
      entry.isUnknownType = true;
  }
}

function fillEnvelope(entry: EntryDraft, line: JsonObject): void {
  const message = objectField(line, 'message');
  const timestamp = field(line, 'timestamp') ?? (message === null ? undefined : field(message, 'timestamp'));
  entry.uuid = stringField(line, 'uuid');
  entry.timestamp = toTimestamp(timestamp);
  entry.branch = stringField(line, 'gitBranch');
}

function fillFromUser(entry: EntryDraft, line: JsonObject, sessionKind: SessionKind): void {
  const message = objectField(line, 'message');
  const blocks = toBlocks(message === null ? undefined : field(message, 'content'));
  fillEnvelope(entry, line);
  entry.toolResults = toToolResults(blocks);
  const texts = blockTexts(blocks);
  if (texts.length === 0 || isTrue(line, 'isMeta')) return;

  const isSidechain = isTrue(line, 'isSidechain');
  const isRecap = isTrue(line, 'isCompactSummary') || isRecapText(texts[0] ?? '');
  if (isRecap) entry.message = toRecap(texts, isSidechain);
  else if (isFromPerson(line)) {
    const isTask = sessionKind === 'subagent' || isSidechain;
    entry.message = toTypedMessage(texts, isTask ? 'task' : null, isSidechain);
  }
}

function fillFromAssistant(entry: EntryDraft, line: JsonObject): void {
  const message = objectField(line, 'message');
  const model = message === null ? null : stringField(message, 'model');
  const blocks = toBlocks(message === null ? undefined : field(message, 'content'));
  fillEnvelope(entry, line);
  entry.toolCalls = toToolCalls(blocks);
  if (isTrue(line, 'isApiErrorMessage') || model === '<synthetic>') return;

  entry.model = model;
  entry.message = toAnswer(blockTexts(blocks), isTrue(line, 'isSidechain'));
}

function fillFromAttachment(entry: EntryDraft, line: JsonObject): void {
  const attachment = objectField(line, 'attachment');
  entry.uuid = stringField(line, 'uuid');
  if (attachment === null || stringField(attachment, 'type') !== 'queued_command') return;
  if (!isFromPerson(attachment) || !isFromPerson(line) || isTrue(attachment, 'isMeta')) return;
  fillEnvelope(entry, line);
  entry.message = toTypedMessage(blockTexts(toBlocks(field(attachment, 'prompt'))), null, false);
}

function fillFromQueueOperation(entry: EntryDraft, line: JsonObject): void {
  const content = stringField(line, 'content')?.trim() ?? '';
  if (stringField(line, 'operation') !== 'enqueue' || content === '' || /^[</]/.test(content)) return;
  entry.message = toTypedMessage([content], 'queued', false);
  if (entry.message !== null) entry.timestamp = toTimestamp(field(line, 'timestamp'));
}

function toSummary(line: JsonObject): EntryTitle | null {
  const text = stringField(line, 'summary')?.trim() ?? '';
  const leafUuid = stringField(line, 'leafUuid');
  if (text === '' || leafUuid === null) return null;
  return { source: 'summary', text: toExcerpt(text, maxTitleChars), leafUuid };
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
function fillFromExport(entry: EntryDraft, line: JsonObject): void {
  const texts = blockTexts(toBlocks(field(line, 'content')));
  switch (entry.type) {
    case 'user':
      entry.message = isRecapText(texts[0] ?? '')
        ? toRecap(texts, false)
        : toTypedMessage(texts, null, false);
      break;
    case 'assistant':
      entry.message = toAnswer(texts, false);
      break;
    case 'tool_use': {
      const name = stringField(line, 'tool_name');
      if (name !== null) entry.toolCalls = [toToolCall(null, name, objectField(line, 'tool_input') ?? {})];
      break;
    }
    case 'tool_result':
      break;
    default:
      entry.isUnknownType = true;
      return;
  }
  fillEnvelope(entry, line);
}
