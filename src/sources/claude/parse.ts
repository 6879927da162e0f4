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
  objectsField,
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
  type EntryToolCall,
  type EntryToolResult,
  newEntry,
  toBlocks,
  toNames,
  toReply,
  toTitleFact,
  toUserMessage,
} from '../transcript/entry.ts';
import { toOutputText, toToolCalls } from '../transcript/tool-call.ts';
import { hasSilentAttachment, silentTypes } from './silent-lines.ts';

/** Known to hold nothing of the conversation, though perhaps the directory or version of their session. The last two are recall's. */
const quietTypes =
  toNames(`progress file-history-snapshot file-history-delta permission-mode bridge-session frame-link
  fork-context-ref started result recall-rebuilt redacted`);

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
      entry.toolResults = findToolResults([objectField(line, 'message') ?? line]);
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
    default: {
      const toFacts = factsByType.get(entry.type);
      if (toFacts === undefined) entry.isUnknownType = true;
      else entry.facts = toFacts(line);
    }
  }
}

const factsByType = new Map<string, (line: JsonObject) => Entry['facts']>([
  ['custom-title', (line) => toTitleFact('customTitle', stringField(line, 'customTitle'))],
  ['agent-name', (line) => toTitleFact('agentName', stringField(line, 'agentName'))],
  ['ai-title', (line) => toTitleFact('aiTitle', stringField(line, 'aiTitle'))],
  [
    'last-prompt',
    (line) => ({ lastPrompt: findTypedLine(stringField(line, 'lastPrompt') ?? '')?.text ?? null }),
  ],
  // An empty one takes the tag away.
  ['tag', (line) => ({ tag: cutTitle(stringField(line, 'tag')) })],
  ['derived-from', (line) => ({ branchedFrom: findBranch(objectsField(line, 'sessions')) })],
  [
    'worktree-state',
    (line) => ({ originalCwd: stringField(objectField(line, 'worktreeSession'), 'originalCwd') }),
  ],
  ['relocated', (line) => ({ relocatedCwd: stringField(line, 'relocatedCwd') })],
  ['continued-in', (line) => ({ continuedIn: stringField(line, 'continuedInSessionId') })],
  [
    'pr-link',
    (line) => ({
      prNumber: integerField(line, 'prNumber'),
      prUrl: stringField(line, 'prUrl'),
      prRepository: stringField(line, 'prRepository'),
    }),
  ],
]);

function fillEnvelope(entry: EntryDraft, line: JsonObject): void {
  entry.uuid = stringField(line, 'uuid');
  entry.timestamp = toTimestamp(field(line, 'timestamp') ?? field(objectField(line, 'message'), 'timestamp'));
  entry.branch = stringField(line, 'gitBranch');
  const branchedFrom = findOrigin(line);
  if (branchedFrom !== null) entry.facts = { branchedFrom };
}

/** The session that a line was copied from: `/branch` says so, `--fork-session` only that another one has made the request. */
function findOrigin(line: JsonObject): string | null {
  const copied = stringField(objectField(line, 'forkedFrom'), 'sessionId');
  const asked = copied ?? stringField(line, 'requestSessionId');
  return asked === stringField(line, 'sessionId') ? null : asked;
}

function findBranch(origins: readonly JsonObject[]): string | null {
  const branch = origins.findLast((origin) => stringField(origin, 'via') === 'branch');
  return stringField(branch ?? null, 'id');
}

function fillFromUser(entry: EntryDraft, line: JsonObject, sessionKind: SessionKind): void {
  const blocks = toBlocks(field(objectField(line, 'message'), 'content'));
  fillEnvelope(entry, line);
  entry.toolResults = findToolResults(blocks);
  const texts = blockTexts(blocks);
  if (texts.length === 0 || isTrue(line, 'isMeta')) return;

  const isSidechain = isTrue(line, 'isSidechain');
  const isTask = sessionKind === 'subagent' || isSidechain;
  if (isTrue(line, 'isCompactSummary') || isRecapText(texts[0] ?? ''))
    entry.message = toUserMessage('recap', texts.join('\n\n'), isSidechain);
  else if (isFromPerson(line)) entry.message = findTypedMessage(texts, isTask ? 'task' : null, isSidechain);
}

function fillFromAssistant(entry: EntryDraft, line: JsonObject): void {
  const message = objectField(line, 'message');
  const model = stringField(message, 'model');
  const blocks = toBlocks(field(message, 'content'));
  fillEnvelope(entry, line);
  entry.toolCalls = findToolCalls(blocks);
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
  entry.message = findTypedMessage(blockTexts(toBlocks(field(attachment, 'prompt'))), null, false);
}

function fillFromQueueOperation(entry: EntryDraft, line: JsonObject): void {
  const content = trimmedField(line, 'content');
  if (stringField(line, 'operation') !== 'enqueue' || content === '' || /^[</]/.test(content)) return;
  entry.message = findTypedMessage([content], 'queued', false);
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
        ? toUserMessage('recap', texts.join('\n\n'))
        : findTypedMessage(texts, null, false);
      break;
    case 'assistant':
      entry.message = toReply(texts.join('\n\n').trim());
      break;
    case 'tool_use':
      entry.toolCalls = toToolCalls(null, stringField(line, 'tool_name'), objectField(line, 'tool_input'));
      break;
    case 'tool_result':
      break;
    default:
      entry.isUnknownType = true;
      return;
  }
  fillEnvelope(entry, line);
}

function blockTexts(blocks: readonly JsonObject[]): string[] {
  const texts = blocks.map((block) => (field(block, 'type') === 'text' ? stringField(block, 'text') : null));
  return texts.filter((text) => text !== null && text.trim() !== '') as string[];
}

export function findToolCalls(blocks: readonly JsonObject[]): EntryToolCall[] {
  return blocks.flatMap((block) => {
    const type = stringField(block, 'type');
    if (type !== 'tool_use' && type !== 'server_tool_use') return [];
    return toToolCalls(stringField(block, 'id'), stringField(block, 'name'), objectField(block, 'input'));
  });
}

export function findToolResults(blocks: readonly JsonObject[]): EntryToolResult[] {
  return blocks.flatMap((block) => {
    const id = stringField(block, 'tool_use_id');
    if (id === null) return [];
    const texts = blockTexts(toBlocks(field(block, 'content')));
    return [{ id, isError: isTrue(block, 'is_error'), output: toOutputText(texts.join('\n')) }];
  });
}

function isFromPerson(line: JsonObject): boolean {
  const origin = objectField(line, 'origin');
  if (origin !== null && (stringField(origin, 'kind') ?? 'human') !== 'human') return false;
  return stringField(line, 'promptSource') !== 'system';
}

function findTypedMessage(texts: readonly string[], kind: MessageKind | null, isSidechain: boolean) {
  const typed = texts.map(findPersonText).filter((text) => text !== null);
  const text = typed.map((part) => part.text).join('\n\n');
  return toUserMessage(kind ?? typed[0]?.kind ?? 'prompt', text, isSidechain);
}

/** Blocks that are never the person's; inside a longer message they are cut out and the rest stays. */
const wrapperTags = [
  ...toNames(`system-reminder local-command-caveat local-command-stdout local-command-stderr task-notification
    bash-stdout bash-stderr command-name command-message command-contents ide_opened_file ide_selection
    ide_diagnostics user-prompt-submit-hook`),
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

/** Null when all of it is machinery: the output of a local command, a reminder to the model; or without such blocks. */
export function findPersonText(raw: string): PersonText | null {
  const trimmed = raw.trim();
  if (trimmed === '') return null;
  // Where a notification ends and its trailing instructions begin is not marked, so all of it goes.
  if (trimmed.startsWith('<task-notification>')) return null;
  if (!trimmed.includes('<')) return startsAsMachine(trimmed) ? null : { kind: 'prompt', text: trimmed };

  if (/^<command-(name|message|args)>/.test(trimmed))
    return toTyped('command', cutBlocks(trimmed, 'command-args').inside);
  if (trimmed.startsWith('<bash-input>')) return toTyped('shell', cutBlocks(trimmed, 'bash-input').inside);

  const rest = wrapperTags.reduce((left, tag) => cutBlocks(left, tag).outside, trimmed).trim();
  if (rest === '' || startsAsMachine(rest)) return null;
  return { kind: 'prompt', text: rest };
}

const slashCommand = /^\/[A-Za-z][\w:.-]*(?:\s+([\s\S]*))?$/;

/** A prompt as the input line holds it, where a slash command still comes before its arguments. */
export function findTypedLine(raw: string): PersonText | null {
  const command = slashCommand.exec(raw.trim());
  if (command !== null) return toTyped('command', command[1] ?? '');
  return findPersonText(raw);
}

function startsAsMachine(text: string): boolean {
  return machineOpenings.some((opening) => text.startsWith(opening));
}

function toTyped(kind: MessageKind, text: string): PersonText | null {
  const trimmed = text.trim();
  return trimmed === '' ? null : { kind, text: trimmed };
}

/** Plain searches rather than one regular expression, whose backtracking is quadratic in unclosed tags. An unclosed one stays. */
function cutBlocks(text: string, tag: string): { readonly inside: string; readonly outside: string } {
  const open = `<${tag}>`;
  const close = `</${tag}>`;
  const inside: string[] = [];
  let outside = '';
  let from = 0;
  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, from)) {
    const innerStart = start + open.length;
    const innerEnd = text.indexOf(close, innerStart);
    inside.push(text.slice(innerStart, innerEnd < 0 ? undefined : innerEnd));
    if (innerEnd < 0) break;
    outside += text.slice(from, start);
    from = innerEnd + close.length;
  }
  return { inside: inside.join('\n'), outside: outside + text.slice(from) };
}

const pasted = /\[Pasted text #(\d+)(?: \+\d+ lines?)?\]/g;

/** What was pasted may be named again and again, and each time is as long. */
const maxChars = 4_000_000;

/** history.jsonl outlives the transcripts: its prompts are all that is left of a session that Claude Code has deleted. */
export function parseHistoryLine(line: JsonObject): HistoryPrompt | null {
  const display = stringField(line, 'display');
  if (display === null) return null;
  let chars = display.length;
  const whole = display.replace(pasted, (mark, number: string) => {
    const text = stringField(objectField(objectField(line, 'pastedContents'), number), 'content');
    if (text === null || chars + text.length > maxChars) return mark;
    chars += text.length;
    return text;
  });
  const typed = findTypedLine(whole);
  if (typed === null) return null;
  return {
    ...typed,
    nativeId: stringField(line, 'sessionId'),
    project: stringField(line, 'project'),
    timestamp: timeField(line, 'timestamp'),
  };
}
