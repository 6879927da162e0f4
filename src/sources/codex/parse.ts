// One line of a rollout → what it says. Codex writes the conversation twice: as the model is given it (response_item), mixed
// with instructions and environments, and as the person sees it (event_msg). The second is read. Older versions note calls
// of tools only in the first, so there these are taken from it. Pure and total.

import type { SessionKind } from '../../records.ts';
import {
  field,
  integerField,
  isObject,
  type JsonObject,
  objectField,
  parseJsonObject,
  stringField,
  toTimestamp,
} from '../json/json-value.ts';
import {
  compaction,
  type Entry,
  type EntryDraft,
  type EntryToolCall,
  type EntryToolResult,
  newEntry,
  toTitleFact,
} from '../transcript/entry.ts';
import { toInputText, toOutputText, toToolCall } from '../transcript/work-text.ts';

/** Null when the line has no type and so is not an entry. */
export function parseEntry(line: JsonObject, kind: SessionKind): Entry | null {
  const type = stringField(line, 'type');
  if (type === null) return null;
  const entry = newEntry(type);
  const payload = objectField(line, 'payload') ?? {};
  const timestamp = toTimestamp(field(line, 'timestamp'));
  switch (type) {
    case 'session_meta':
      entry.timestamp = timestamp;
      fillFromMeta(entry, payload);
      break;
    case 'turn_context':
      entry.model = stringField(payload, 'model');
      break;
    case 'event_msg':
      fillFromEvent(entry, payload, kind);
      break;
    case 'response_item':
      // Numbered lines belong to a file in which events say everything.
      if (field(line, 'ordinal') === undefined) {
        entry.toolCalls = toLegacyCalls(payload);
        entry.toolResults = toLegacyResults(payload);
      }
      break;
    default:
      entry.isUnknownType = !quietTypes.has(type);
  }
  if (entry.message !== null || entry.toolCalls.length > 0) {
    entry.timestamp = timestamp;
    entry.isTurn = true;
  }
  return entry;
}

/** A fork has only its new turns, and says whose it continues; a subagent says who started it. */
function fillFromMeta(entry: EntryDraft, meta: JsonObject): void {
  const id = stringField(meta, 'id');
  const parent = stringField(meta, 'parent_thread_id');
  const origin = stringField(meta, 'forked_from_id');
  const isSubagent = stringField(meta, 'thread_source') === 'subagent' && parent !== null;
  if (isSubagent) entry.identity = { kind: 'subagent', nativeId: null, parentNativeId: parent };
  else entry.sharedIds = [id, origin].filter((each) => each !== null);
  entry.cwd = stringField(meta, 'cwd');
  entry.branch = stringField(objectField(meta, 'git') ?? {}, 'branch');
  entry.version = stringField(meta, 'cli_version');
  if (isSubagent) entry.facts = toTitleFact('agentName', stringField(meta, 'agent_nickname'));
}

function fillFromEvent(entry: EntryDraft, event: JsonObject, kind: SessionKind): void {
  const type = stringField(event, 'type') ?? '';
  switch (type) {
    case 'item_completed':
      fillFromItem(entry, objectField(event, 'item') ?? {}, kind);
      break;
    case 'user_message':
      addPrompt(entry, stringField(event, 'message') ?? '', kind);
      break;
    case 'agent_message':
      addAnswer(entry, stringField(event, 'message') ?? '');
      break;
    case 'context_compacted':
      entry.facts = compaction;
      break;
    default:
      nameUnknown(entry, type, quietEvents);
  }
}

function fillFromItem(entry: EntryDraft, item: JsonObject, kind: SessionKind): void {
  const type = stringField(item, 'type') ?? '';
  switch (type) {
    case 'UserMessage':
      entry.uuid = stringField(item, 'id');
      addPrompt(entry, toText(item), kind);
      break;
    case 'AgentMessage':
      entry.uuid = stringField(item, 'id');
      addAnswer(entry, toText(item));
      break;
    case 'ContextCompaction':
      entry.facts = compaction;
      break;
    default: {
      const found = toItemCalls(item);
      if (found === null) nameUnknown(entry, type, quietItems);
      else {
        entry.toolCalls = found.calls;
        entry.toolResults = found.results;
      }
    }
  }
}

/** By its own name: `event_msg` alone would not say what is new. */
function nameUnknown(entry: EntryDraft, type: string, quiet: ReadonlySet<string>): void {
  if (quiet.has(type)) return;
  entry.type = `${entry.type} ${type}`;
  entry.isUnknownType = true;
}

function toText(item: JsonObject): string {
  const content = field(item, 'content');
  if (!Array.isArray(content)) return '';
  const texts = content.filter(isObject).flatMap((block) => {
    // `text` in a prompt, `Text` in an answer.
    return stringField(block, 'type')?.toLowerCase() === 'text' ? (stringField(block, 'text') ?? []) : [];
  });
  return texts.join('\n\n');
}

/** What Codex puts into the conversation in the person's name, in versions that note it as a prompt. */
const machineOpenings = [
  '<environment_context>',
  '<user_instructions>',
  '<subagent_notification>',
  '<turn_aborted>',
  '<skill>',
  '# AGENTS.md instructions for ',
];

function addPrompt(entry: EntryDraft, raw: string, kind: SessionKind): void {
  const text = raw.trim();
  if (text === '' || machineOpenings.some((opening) => text.startsWith(opening))) return;
  entry.message = { role: 'user', kind: kind === 'subagent' ? 'task' : 'prompt', text, isSidechain: false };
}

function addAnswer(entry: EntryDraft, raw: string): void {
  const text = raw.trim();
  if (text !== '') entry.message = { role: 'assistant', kind: 'reply', text, isSidechain: false };
}

interface ItemCalls {
  readonly calls: readonly EntryToolCall[];
  readonly results: readonly EntryToolResult[];
}

/** Calls of tools among the items of a turn, each together with what came of it; null when the item is not a call. */
function toItemCalls(item: JsonObject): ItemCalls | null {
  const id = stringField(item, 'id');
  switch (stringField(item, 'type')) {
    case 'CommandExecution':
      return toCommand(item, id);
    case 'FileChange':
      return toFileChanges(item, id);
    case 'McpToolCall':
      return toCall(item, id, stringField(item, 'tool'), field(item, 'arguments'));
    case 'CollabAgentToolCall':
      return toCall(item, id, stringField(item, 'tool'), stringField(item, 'prompt'));
    case 'WebSearch':
    case 'Extension':
      return toCall(item, id, 'web_search', { query: stringField(item, 'query') });
    default:
      return null;
  }
}

/** A command that failed is not marked as an error everywhere, but its exit code always says so. */
function toCommand(item: JsonObject, id: string | null): ItemCalls {
  const output = toOutputText(stringField(item, 'aggregated_output') ?? '');
  const isError = (integerField(item, 'exit_code') ?? 0) !== 0 || hasFailed(item);
  return {
    calls: [toShellCall(id, field(item, 'command'))],
    results: id === null ? [] : [{ id, isError, output }],
  };
}

/** A command is a text, or a list of arguments of which the last is the script. */
function toShellCall(id: string | null, command: unknown): EntryToolCall {
  const last = Array.isArray(command) ? command.at(-1) : command;
  const text = typeof last === 'string' ? last : '';
  return { id, name: 'shell', target: toTarget(text), input: toInputText(text) };
}

function toFileChanges(item: JsonObject, id: string | null): ItemCalls {
  const changes = field(item, 'changes');
  const files = isObject(changes) ? Object.entries(changes) : [];
  return {
    calls: files.map(([path, change]) => ({
      id,
      name: 'apply_patch',
      target: toTarget(path),
      input: toInputText(change),
    })),
    results: id === null ? [] : [{ id, isError: hasFailed(item), output: '' }],
  };
}

function toCall(item: JsonObject, id: string | null, name: string | null, input: unknown): ItemCalls {
  return {
    calls: name === null ? [] : [toNamedCall(id, name, input)],
    results: id === null ? [] : [{ id, isError: hasFailed(item), output: '' }],
  };
}

function toNamedCall(id: string | null, name: string, input: unknown): EntryToolCall {
  return isObject(input)
    ? toToolCall(id, name, input)
    : { id, name, target: null, input: toInputText(input) };
}

function hasFailed(item: JsonObject): boolean {
  return stringField(item, 'status') === 'failed';
}

function toTarget(text: string): string | null {
  return text === '' ? null : text;
}

/** As older versions note them: what the model asked for, its arguments as JSON within JSON, and later what it was answered. */
function toLegacyCalls(item: JsonObject): readonly EntryToolCall[] {
  const id = stringField(item, 'call_id');
  switch (stringField(item, 'type')) {
    case 'function_call':
      return toLegacyCall(id, stringField(item, 'name'), stringField(item, 'arguments') ?? '');
    case 'custom_tool_call':
      return toLegacyCall(id, stringField(item, 'name'), stringField(item, 'input') ?? '');
    case 'local_shell_call':
      return [toShellCall(id, findCommand(objectField(item, 'action') ?? {}))];
    default:
      return [];
  }
}

const shellNames: ReadonlySet<string> = new Set(['shell', 'exec_command', 'local_shell', 'container.exec']);

function toLegacyCall(id: string | null, name: string | null, given: string): EntryToolCall[] {
  if (name === null) return [];
  const input = parseJsonObject(given);
  if (shellNames.has(name) && input !== null) return [toShellCall(id, findCommand(input))];
  if (name === 'apply_patch') return toPatch(id, stringField(input ?? {}, 'input') ?? given);
  return [toNamedCall(id, name, input ?? given)];
}

function findCommand(input: JsonObject): unknown {
  return field(input, 'command') ?? field(input, 'cmd');
}

const patchedFile = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm;

/** One call for each file, as newer versions note it. */
function toPatch(id: string | null, patch: string): EntryToolCall[] {
  const files = [...patch.matchAll(patchedFile)].map(([, path]) => path?.trim() ?? '');
  return (files.length === 0 ? [''] : files).map((path, i) => ({
    id,
    name: 'apply_patch',
    target: toTarget(path),
    input: i === 0 ? toInputText(patch) : '',
  }));
}

function toLegacyResults(item: JsonObject): readonly EntryToolResult[] {
  const id = stringField(item, 'call_id');
  const type = stringField(item, 'type');
  if (id === null || (type !== 'function_call_output' && type !== 'custom_tool_call_output')) return [];
  const said = toSaid(field(item, 'output'));
  const wrapped = said.startsWith('{') ? parseJsonObject(said) : null;
  const output = wrapped === null ? said : (stringField(wrapped, 'output') ?? '');
  const code =
    wrapped === null ? findExitCode(said) : field(objectField(wrapped, 'metadata') ?? {}, 'exit_code');
  return [{ id, isError: typeof code === 'number' && code !== 0, output: toOutputText(output) }];
}

/** A text, or blocks of it. */
function toSaid(output: unknown): string {
  if (typeof output === 'string') return output;
  const blocks = Array.isArray(output) ? output : [output];
  return blocks
    .filter(isObject)
    .flatMap((block) => stringField(block, 'text') ?? [])
    .join('\n');
}

/** Among the first lines, before what the command printed. */
function findExitCode(said: string): number | null {
  const [, code] = /^(?:Exit code:|Process exited with code) (\d{1,4})$/m.exec(said.slice(0, 400)) ?? [];
  return code === undefined ? null : Number(code);
}

export const quietTypes: ReadonlySet<string> = new Set([
  'compacted',
  'ghost_snapshot',
  'inter_agent_communication',
  'inter_agent_communication_metadata',
  'token_usage_record',
  'world_state',
]);

export const quietEvents: ReadonlySet<string> = new Set([
  'agent_message_delta',
  'agent_reasoning',
  'agent_reasoning_raw_content',
  'entered_review_mode',
  'error',
  'exited_review_mode',
  'image_generation_end',
  'item_started',
  'mcp_tool_call_end',
  'patch_apply_end',
  'stream_error',
  'sub_agent_activity',
  'task_complete',
  'task_started',
  'thread_goal_updated',
  'thread_name_updated',
  'thread_rolled_back',
  'thread_settings_applied',
  'token_count',
  'turn_aborted',
  'undo_completed',
  'view_image_tool_call',
  'warning',
  'web_search_end',
]);

const quietItems: ReadonlySet<string> = new Set([
  'EnteredReviewMode',
  'ExitedReviewMode',
  'HookPrompt',
  'ImageGeneration',
  'ImageView',
  'Plan',
  'Reasoning',
  'Sleep',
  'SubAgentActivity',
]);

const opening =
  /^\{"timestamp":"[^"\\]{0,40}",("ordinal":\d{1,9},)?"type":"([a-z_]{1,40})"(?:,"payload":\{"type":"([a-z_]{1,40})")?/;
const openingBytes = 200;

/**
 * Whether the bytes start as Codex starts a silent line: in a real store they are nine tenths of it, and a single one may hold
 * all that was said before a compaction. A line that starts in another way is parsed.
 */
export function isSilentLine(line: Buffer): boolean {
  const found = opening.exec(line.toString('latin1', 0, openingBytes));
  if (found === null) return false;
  const [, ordinal, type = '', event = ''] = found;
  if (type === 'event_msg') return quietEvents.has(event);
  // Without a number it may be a call of a tool that is noted nowhere else.
  if (type === 'response_item') return ordinal !== undefined || event === 'message' || event === 'reasoning';
  return quietTypes.has(type);
}
