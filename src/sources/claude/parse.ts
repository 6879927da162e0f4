// One line of a transcript → what it says: a message, tool calls, facts about the session; and one line of the prompt history.
// Separates the person's words from what Claude Code wrote in their name. Pure and total: any JSON value gives an Entry, and
// what is not understood is named instead of thrown.

import type { HistoryPrompt, MessageKind, SessionKind } from '../../records.ts';
import {
  field,
  integerField,
  isTrue,
  type JsonObject,
  objectField,
  stringField,
  timeField,
  toTimestamp,
  trimmedField,
} from '../json/json-value.ts';
import {
  compaction,
  cutTitle,
  type Entry,
  type EntryDraft,
  type EntryMessage,
  type EntryToolCall,
  type EntryToolResult,
  newEntry,
  toBlocks,
  toReply,
  toTitleFact,
} from '../transcript/entry.ts';
import { toOutputText, toToolCall } from '../transcript/tool-call.ts';
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
  const role = stringField(objectField(line, 'message'), 'role');
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
      if (stringField(line, 'subtype') === 'compact_boundary') entry.facts = compaction;
      break;
    case 'summary':
      entry.summary = findSummary(line);
      break;
    case 'custom-title':
      entry.facts = toTitleFact('customTitle', stringField(line, 'customTitle'));
      break;
    case 'agent-name':
      entry.facts = toTitleFact('agentName', stringField(line, 'agentName'));
      break;
    case 'ai-title':
      entry.facts = toTitleFact('aiTitle', stringField(line, 'aiTitle'));
      break;
    case 'last-prompt':
      entry.facts = { lastPrompt: toTypedLine(stringField(line, 'lastPrompt') ?? '')?.text ?? null };
      break;
    case 'relocated':
      entry.facts = { relocatedCwd: stringField(line, 'relocatedCwd') };
      break;
    case 'continued-in':
      entry.facts = { continuedIn: stringField(line, 'continuedInSessionId') };
      break;
    case 'pr-link':
      entry.facts = {
        prNumber: integerField(line, 'prNumber'),
        prUrl: stringField(line, 'prUrl'),
        prRepository: stringField(line, 'prRepository'),
      };
      break;
    default:
      entry.isUnknownType = true;
  }
}

function fillEnvelope(entry: EntryDraft, line: JsonObject): void {
  const message = objectField(line, 'message');
  const timestamp = field(line, 'timestamp') ?? field(message, 'timestamp');
  entry.uuid = stringField(line, 'uuid');
  entry.timestamp = toTimestamp(timestamp);
  entry.branch = stringField(line, 'gitBranch');
}

function fillFromUser(entry: EntryDraft, line: JsonObject, sessionKind: SessionKind): void {
  const message = objectField(line, 'message');
  const blocks = toBlocks(field(message, 'content'));
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
  const model = stringField(message, 'model');
  const blocks = toBlocks(field(message, 'content'));
  fillEnvelope(entry, line);
  entry.toolCalls = toToolCalls(blocks);
  if (isTrue(line, 'isApiErrorMessage') || model === '<synthetic>') return;

  entry.model = model;
  entry.message = toReply(blockTexts(blocks).join('\n\n').trim(), isTrue(line, 'isSidechain'));
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
  const content = trimmedField(line, 'content');
  if (stringField(line, 'operation') !== 'enqueue' || content === '' || /^[</]/.test(content)) return;
  entry.message = toTypedMessage([content], 'queued', false);
  if (entry.message !== null) entry.timestamp = timeField(line, 'timestamp');
}

function findSummary(line: JsonObject): Entry['summary'] {
  const text = cutTitle(stringField(line, 'summary'));
  const leafUuid = stringField(line, 'leafUuid');
  return text === '' || leafUuid === null ? null : { leafUuid, text };
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
      entry.message = toReply(texts.join('\n\n').trim());
      break;
    case 'tool_use': {
      const name = stringField(line, 'tool_name');
      if (name !== null) entry.toolCalls = [toToolCall(null, name, objectField(line, 'tool_input'))];
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

function blockTexts(blocks: readonly JsonObject[]): string[] {
  const texts: string[] = [];
  for (const block of blocks) {
    if (stringField(block, 'type') !== 'text') continue;
    const text = stringField(block, 'text');
    if (text !== null && text.trim() !== '') texts.push(text);
  }
  return texts;
}

export function toToolCalls(blocks: readonly JsonObject[]): EntryToolCall[] {
  const calls: EntryToolCall[] = [];
  for (const block of blocks) {
    const type = stringField(block, 'type');
    if (type !== 'tool_use' && type !== 'server_tool_use') continue;
    const name = stringField(block, 'name');
    if (name === null) continue;
    calls.push(toToolCall(stringField(block, 'id'), name, objectField(block, 'input')));
  }
  return calls;
}

export function toToolResults(blocks: readonly JsonObject[]): EntryToolResult[] {
  const results: EntryToolResult[] = [];
  for (const block of blocks) {
    const id = stringField(block, 'tool_use_id');
    if (id === null) continue;
    const isError = isTrue(block, 'is_error');
    const texts = blockTexts(toBlocks(field(block, 'content')));
    results.push({ id, isError, output: toOutputText(texts.join('\n')) });
  }
  return results;
}

function toRecap(texts: readonly string[], isSidechain: boolean): EntryMessage {
  return { role: 'user', kind: 'recap', text: texts.join('\n\n'), isSidechain };
}

function isFromPerson(line: JsonObject): boolean {
  const origin = objectField(line, 'origin');
  if (origin !== null && (stringField(origin, 'kind') ?? 'human') !== 'human') return false;
  return stringField(line, 'promptSource') !== 'system';
}

/** What the person typed in these texts; of the kind given, or else of that of the first text. */
function toTypedMessage(
  texts: readonly string[],
  kind: MessageKind | null,
  isSidechain: boolean,
): EntryMessage | null {
  const typed = joinTyped(texts);
  return typed === null ? null : { role: 'user', kind: kind ?? typed.kind, text: typed.text, isSidechain };
}

function joinTyped(texts: readonly string[]): PersonText | null {
  const typed = texts.map(toPersonText).filter((text) => text !== null);
  const first = typed[0];
  if (first === undefined) return null;
  return { kind: first.kind, text: typed.map((part) => part.text).join('\n\n') };
}

/** Blocks that are never the person's; inside a longer message they are cut out and the rest stays. */
const wrapperTags = [
  'system-reminder',
  'local-command-caveat',
  'local-command-stdout',
  'local-command-stderr',
  'task-notification',
  'bash-stdout',
  'bash-stderr',
  'command-name',
  'command-message',
  'command-contents',
  'ide_opened_file',
  'ide_selection',
  'ide_diagnostics',
  'user-prompt-submit-hook',
];

/** A message that opens so is machine-written to its end, closed or not. */
const machineOpenings = [
  '<task-notification>',
  '<system-reminder>',
  '<local-command-caveat>',
  '<local-command-stdout>',
  '<local-command-stderr>',
  '<bash-stdout>',
  '<bash-stderr>',
  '<command-name>',
  '<command-message>',
  '<command-args>',
  'Caveat:',
  '[Request interrupted',
  '[SUGGESTION MODE',
  'Base directory for this skill',
];

const recapOpening = 'This session is being continued from a previous conversation';

interface PersonText {
  readonly kind: MessageKind;
  readonly text: string;
}

export function isRecapText(text: string): boolean {
  return text.startsWith(recapOpening);
}

/**
 * What the person typed in this text, or null when all of it is machinery. A user entry may hold a prompt, the output of a local
 * command, a reminder to the model, or a prompt with such blocks inside it.
 */
export function toPersonText(raw: string): PersonText | null {
  const trimmed = raw.trim();
  if (trimmed === '') return null;
  // Where a notification ends and its trailing instructions begin is not marked, so all of it goes.
  if (trimmed.startsWith('<task-notification>')) return null;
  if (!trimmed.includes('<')) return startsAsMachine(trimmed) ? null : { kind: 'prompt', text: trimmed };

  if (/^<command-(name|message|args)>/.test(trimmed))
    return toTyped('command', innerText(trimmed, 'command-args'));
  if (trimmed.startsWith('<bash-input>')) return toTyped('shell', innerText(trimmed, 'bash-input'));

  const rest = cutWrappers(trimmed).trim();
  if (rest === '' || startsAsMachine(rest)) return null;
  return { kind: 'prompt', text: rest };
}

const slashCommand = /^\/[A-Za-z][\w:.-]*(?:\s+([\s\S]*))?$/;

/** A prompt as the input line holds it, where a slash command still comes before its arguments. */
export function toTypedLine(raw: string): PersonText | null {
  const command = slashCommand.exec(raw.trim());
  if (command !== null) return toTyped('command', command[1] ?? '');
  return toPersonText(raw);
}

function startsAsMachine(text: string): boolean {
  return machineOpenings.some((opening) => text.startsWith(opening));
}

function toTyped(kind: MessageKind, text: string): PersonText | null {
  const trimmed = text.trim();
  return trimmed === '' ? null : { kind, text: trimmed };
}

/** Plain searches rather than one regular expression, whose backtracking is quadratic in unclosed tags. */
function cutWrappers(text: string): string {
  let rest = text;
  for (const tag of wrapperTags) {
    const blocks = findBlocks(rest, tag).filter((block) => block.isClosed);
    if (blocks.length === 0) continue;
    let kept = '';
    let from = 0;
    for (const block of blocks) {
      kept += rest.slice(from, block.start);
      from = block.end;
    }
    rest = kept + rest.slice(from);
  }
  return rest;
}

function innerText(text: string, tag: string): string {
  return findBlocks(text, tag)
    .map((block) => text.slice(block.innerStart, block.innerEnd))
    .join('\n');
}

interface TaggedBlock {
  readonly start: number;
  readonly innerStart: number;
  readonly innerEnd: number;
  readonly end: number;
  readonly isClosed: boolean;
}

/** Every `<tag>…</tag>` in turn; an unclosed last one runs to the end of the text. */
function findBlocks(text: string, tag: string): TaggedBlock[] {
  const open = `<${tag}>`;
  const close = `</${tag}>`;
  const blocks: TaggedBlock[] = [];
  let start = text.indexOf(open);
  while (start >= 0) {
    const innerStart = start + open.length;
    const found = text.indexOf(close, innerStart);
    const isClosed = found >= 0;
    const innerEnd = isClosed ? found : text.length;
    const end = isClosed ? found + close.length : text.length;
    blocks.push({ start, innerStart, innerEnd, end, isClosed });
    start = isClosed ? text.indexOf(open, end) : -1;
  }
  return blocks;
}

const pasted = /\[Pasted text #(\d+)(?: \+\d+ lines?)?\]/g;

/** What was pasted may be named again and again, and each time is as long. */
const maxChars = 4_000_000;

/**
 * One line of history.jsonl: the prompt that was typed; null for lines without words of the person, such as a bare slash command.
 * The file outlives the transcripts, so these prompts are all that is left of a session that Claude Code has deleted.
 */
export function parseHistoryLine(line: JsonObject): HistoryPrompt | null {
  const display = stringField(line, 'display');
  if (display === null) return null;
  let chars = display.length;
  const whole = display.replace(pasted, (mark, number: string) => {
    const text = pastedText(line, number);
    if (text === null || chars + text.length > maxChars) return mark;
    chars += text.length;
    return text;
  });
  const typed = toTypedLine(whole);
  if (typed === null) return null;
  return {
    ...typed,
    nativeId: stringField(line, 'sessionId'),
    project: stringField(line, 'project'),
    timestamp: timeField(line, 'timestamp'),
  };
}

function pastedText(line: JsonObject, number: string): string | null {
  const item = objectField(objectField(line, 'pastedContents'), number);
  return stringField(item, 'content');
}
