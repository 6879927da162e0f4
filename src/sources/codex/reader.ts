// Reads rollouts, plain and compressed, and the names that people gave to sessions. Codex writes the conversation twice: as the
// model is given it (response_item), mixed with instructions and environments, and as the person sees it (event_msg). The second
// is read. Older versions note tool calls only in the first, so there these are taken from it, and so are messages of a form
// that occurs without the second. Parsing is pure and total.

import type { SessionKind } from '../../records.ts';
import type * as zstdModule from '../files/zstd.ts';
import {
  field,
  integerField,
  isObject,
  type JsonObject,
  objectField,
  objectsField,
  parseJsonObject,
  stringField,
  timeField,
  trimmedField,
} from '../json/json-value.ts';
import { readFirstLine } from '../json/lines.ts';
import { type Cleaning, redactLine as redact } from '../json/redact.ts';
import type { CopiedFile, SidecarContent, SourceReader } from '../source.ts';
import {
  compaction,
  cutTitle,
  type Entry,
  type EntryDraft,
  type EntryToolCall,
  newEntry,
  toNames,
  toPrompt,
  toReply,
  toTitleFact,
} from '../transcript/entry.ts';
import { type LineFormat, readCompressed, readTranscript } from '../transcript/read-transcript.ts';
import { toInputText, toOutputText, toToolCall } from '../transcript/tool-call.ts';

const codexLines: LineFormat = { subagentTools: ['spawn_agent'], isSilent: isSilentLine, parseEntry };

type Zstd = Pick<typeof zstdModule, 'readZstd' | 'readFirstPackedLine'>;

/** `zstd` where there are compressed files: it loads much that is of no other use. */
export function makeReader(zstd: Zstd | null): SourceReader {
  /** Null for a file that is not compressed. */
  const findZstd = (path: string) => {
    if (!path.endsWith('.zst')) return null;
    if (zstd === null) throw new Error(`the reader was not loaded for compressed files: ${path}`);
    return zstd;
  };
  return {
    read: (job, options) => {
      const pieces = findZstd(job.path)?.readZstd(job.path);
      return pieces === undefined
        ? readTranscript(codexLines, job, options)
        : readCompressed(codexLines, job, options, pieces);
    },
    parseSidecar: (_file, text) => parseNames(text),
    findNeeded: (file) => findBase(findZstd(file.path)?.readFirstPackedLine ?? readFirstLine, file),
    redactLine,
    isSent: ({ type }) => type === 'response_item',
    parseEntry,
  };
}

/** A fork has only its new turns, and is not resumed without the rollout that has the others. */
function findBase(readFirst: typeof readFirstLine, file: CopiedFile): readonly string[] {
  const line = parseJsonObject(readFirst(file.chunks())?.toString() ?? '');
  const id = stringField(objectField(objectField(line, 'payload'), 'history_base'), 'thread_id');
  return id === null ? [] : [id];
}

function parseNames(text: string): SidecarContent {
  const names = new Map<string, string>();
  for (const line of text.split('\n')) {
    const value = parseJsonObject(line);
    const id = stringField(value, 'id');
    const name = cutTitle(stringField(value, 'thread_name'));
    if (id !== null && name !== '') names.set(id, name);
  }
  return { hints: [...names].map(([nativeId, customTitle]) => ({ nativeId, customTitle })) };
}

/** Reasoning is encrypted and refused if edited: where it may hold a secret, an item that Codex passes over replaces it. */
function redactLine(bytes: Buffer, cleaning?: Cleaning): Buffer {
  return redact(
    bytes,
    (line, isChanged) => {
      const payload = objectField(line, 'payload');
      const isReasoning = line.type === 'response_item' && payload?.type === 'reasoning';
      return isReasoning && isChanged(payload) ? { ...line, payload: { type: 'other' } } : line;
    },
    cleaning,
  );
}

export function parseEntry(line: JsonObject, kind: SessionKind): Entry | null {
  const type = stringField(line, 'type');
  if (type === null) return null;
  const entry = newEntry(type);
  const payload = objectField(line, 'payload');
  const timestamp = timeField(line, 'timestamp');
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
        if (field(payload, 'type') === undefined) fillFromUntyped(entry, payload, kind);
        entry.toolCalls = findLegacyCalls(payload);
        entry.toolResults = findLegacyResults(payload);
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
function fillFromMeta(entry: EntryDraft, meta: JsonObject | null): void {
  const id = stringField(meta, 'id');
  const parent = stringField(meta, 'parent_thread_id');
  const origin = stringField(meta, 'forked_from_id');
  const isSubagent = stringField(meta, 'thread_source') === 'subagent' && parent !== null;
  if (isSubagent) entry.identity = { kind: 'subagent', nativeId: null, parentNativeId: parent };
  else entry.sharedIds = [id, origin].filter((each) => each !== null);
  entry.cwd = stringField(meta, 'cwd');
  entry.branch = stringField(objectField(meta, 'git'), 'branch');
  entry.version = stringField(meta, 'cli_version');
  entry.facts = isSubagent
    ? toTitleFact('agentName', stringField(meta, 'agent_nickname'))
    : { branchedFrom: origin };
}

function fillFromEvent(entry: EntryDraft, event: JsonObject | null, kind: SessionKind): void {
  const type = stringField(event, 'type') ?? '';
  switch (type) {
    case 'item_completed':
      fillFromItem(entry, objectField(event, 'item'), kind);
      break;
    case 'user_message':
      entry.message = findPrompt(stringField(event, 'message') ?? '', kind);
      break;
    case 'agent_message':
      entry.message = toReply(trimmedField(event, 'message'));
      break;
    case 'context_compacted':
      entry.facts = compaction;
      break;
    default:
      nameUnknown(entry, type, quietEvents);
  }
}

/** Some rollouts have the conversation nowhere else: who spoke, and what. */
function fillFromUntyped(entry: EntryDraft, item: JsonObject | null, kind: SessionKind): void {
  const role = stringField(item, 'role');
  const text = joinSaid(field(item, 'content'));
  if (role === 'user') entry.message = findPrompt(text, kind);
  else if (role === 'assistant') entry.message = toReply(text.trim());
  else if (role === null || text === '') nameUnknown(entry, 'without a type', new Set());
}

function fillFromItem(entry: EntryDraft, item: JsonObject | null, kind: SessionKind): void {
  const type = stringField(item, 'type') ?? '';
  switch (type) {
    case 'UserMessage':
      entry.uuid = stringField(item, 'id');
      entry.message = findPrompt(joinItemTexts(item), kind);
      break;
    case 'AgentMessage':
      entry.uuid = stringField(item, 'id');
      entry.message = toReply(joinItemTexts(item).trim());
      break;
    case 'ContextCompaction':
      entry.facts = compaction;
      break;
    default: {
      const found = findItemCalls(item);
      if (found === null) nameUnknown(entry, type, quietItems);
      else Object.assign(entry, found);
    }
  }
}

/** Named with the type of its payload: `event_msg` alone would not say what is new. */
function nameUnknown(entry: EntryDraft, type: string, quiet: ReadonlySet<string>): void {
  if (quiet.has(type)) return;
  entry.type = `${entry.type} ${type}`;
  entry.isUnknownType = true;
}

function joinItemTexts(item: JsonObject | null): string {
  // `text` in a prompt, `Text` in an answer.
  const blocks = objectsField(item, 'content').filter(
    (block) => stringField(block, 'type')?.toLowerCase() === 'text',
  );
  return blocks.flatMap((block) => stringField(block, 'text') ?? []).join('\n\n');
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

function findPrompt(raw: string, kind: SessionKind): Entry['message'] {
  const text = raw.trim();
  return machineOpenings.some((opening) => text.startsWith(opening))
    ? null
    : toPrompt(text, kind === 'subagent');
}

type Calls = Pick<Entry, 'toolCalls' | 'toolResults'>;

/** Tool calls among the items of a turn, each together with what came of it; null when the item is not a call. */
function findItemCalls(item: JsonObject | null): Calls | null {
  const id = stringField(item, 'id');
  const tool = stringField(item, 'tool');
  switch (stringField(item, 'type')) {
    case 'CommandExecution':
      return describeCommand(item, id);
    case 'FileChange': {
      const changes = Object.entries(objectField(item, 'changes') ?? {});
      const calls = changes.map(([path, change]) => toPatchCall(id, path, change));
      return withStatus(item, id, calls);
    }
    case 'McpToolCall':
      return withStatus(item, id, tool === null ? [] : [toNamedCall(id, tool, field(item, 'arguments'))]);
    case 'CollabAgentToolCall':
      return withStatus(item, id, tool === null ? [] : [toNamedCall(id, tool, stringField(item, 'prompt'))]);
    case 'WebSearch':
    case 'Extension':
      return withStatus(item, id, [toToolCall(id, 'web_search', { query: stringField(item, 'query') })]);
    default:
      return null;
  }
}

function withStatus(item: JsonObject | null, id: string | null, toolCalls: Calls['toolCalls']): Calls {
  return { toolCalls, toolResults: id === null ? [] : [{ id, isError: hasFailed(item), output: '' }] };
}

function hasFailed(item: JsonObject | null): boolean {
  return stringField(item, 'status') === 'failed';
}

/** A command that failed is not marked as an error everywhere, but its exit code always says so. */
function describeCommand(item: JsonObject | null, id: string | null): Calls {
  const output = toOutputText(stringField(item, 'aggregated_output') ?? '');
  const isError = (integerField(item, 'exit_code') ?? 0) !== 0 || hasFailed(item);
  return {
    toolCalls: [toShellCall(id, field(item, 'command'))],
    toolResults: id === null ? [] : [{ id, isError, output }],
  };
}

/** A command is a text, or a list of arguments of which the last is the script. */
function toShellCall(id: string | null, command: unknown): EntryToolCall {
  const last = Array.isArray(command) ? command.at(-1) : command;
  const text = typeof last === 'string' ? last : '';
  return { id, name: 'shell', target: text || null, input: toInputText(text) };
}

function toPatchCall(id: string | null, path: string, change: unknown): EntryToolCall {
  return { id, name: 'apply_patch', target: path || null, input: toInputText(change) };
}

function toNamedCall(id: string | null, name: string, input: unknown): EntryToolCall {
  return isObject(input)
    ? toToolCall(id, name, input)
    : { id, name, target: null, input: toInputText(input) };
}

/** As older versions note them: what the model asked for, its arguments as JSON within JSON, and later what it was answered. */
function findLegacyCalls(item: JsonObject | null): Calls['toolCalls'] {
  const id = stringField(item, 'call_id');
  switch (stringField(item, 'type')) {
    case 'function_call':
      return parseLegacyCall(id, stringField(item, 'name'), stringField(item, 'arguments') ?? '');
    case 'custom_tool_call':
      return parseLegacyCall(id, stringField(item, 'name'), stringField(item, 'input') ?? '');
    case 'local_shell_call':
      return [toShellCall(id, findCommand(objectField(item, 'action')))];
    default:
      return [];
  }
}

const shellNames: ReadonlySet<string> = new Set(['shell', 'exec_command', 'local_shell', 'container.exec']);

function parseLegacyCall(id: string | null, name: string | null, given: string): EntryToolCall[] {
  if (name === null) return [];
  const input = parseJsonObject(given);
  if (shellNames.has(name) && input !== null) return [toShellCall(id, findCommand(input))];
  if (name === 'apply_patch') return parsePatch(id, stringField(input, 'input') ?? given);
  return [toNamedCall(id, name, input ?? given)];
}

function findCommand(input: JsonObject | null): unknown {
  return field(input, 'command') ?? field(input, 'cmd');
}

const patchedFile = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm;

/** One call for each file, as newer versions note it. */
function parsePatch(id: string | null, patch: string): EntryToolCall[] {
  const files = [...patch.matchAll(patchedFile)].map(([, path]) => path?.trim() ?? '');
  return (files.length === 0 ? [''] : files).map((path, i) => toPatchCall(id, path, i === 0 ? patch : ''));
}

function findLegacyResults(item: JsonObject | null): Calls['toolResults'] {
  const id = stringField(item, 'call_id');
  const type = stringField(item, 'type');
  if (id === null || (type !== 'function_call_output' && type !== 'custom_tool_call_output')) return [];
  const said = joinSaid(field(item, 'output'));
  const wrapped = said.startsWith('{') ? parseJsonObject(said) : null;
  const output = wrapped === null ? said : (stringField(wrapped, 'output') ?? '');
  const code = wrapped === null ? findExitCode(said) : field(objectField(wrapped, 'metadata'), 'exit_code');
  return [{ id, isError: typeof code === 'number' && code !== 0, output: toOutputText(output) }];
}

function joinSaid(output: unknown): string {
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

export const quietTypes = toNames(`compacted ghost_snapshot inter_agent_communication
  inter_agent_communication_metadata token_usage_record world_state`);

export const quietEvents =
  toNames(`agent_message_delta agent_reasoning agent_reasoning_raw_content collab_agent_interaction_end
  collab_agent_spawn_end collab_close_end collab_waiting_end dynamic_tool_call_request dynamic_tool_call_response
  entered_review_mode error exec_command_end exited_review_mode guardian_assessment image_generation_end
  item_started mcp_tool_call_end patch_apply_end stream_error sub_agent_activity task_complete
  task_started thread_goal_updated thread_name_updated thread_rolled_back thread_settings_applied token_count
  turn_aborted undo_completed view_image_tool_call warning web_search_end`);

const quietItems =
  toNames(`EnteredReviewMode ExitedReviewMode HookPrompt ImageGeneration ImageView Plan Reasoning Sleep
  SubAgentActivity`);

const opening =
  /^\{"timestamp":"[^"\\]{0,40}",("ordinal":\d{1,9},)?"type":"([a-z_]{1,40})"(?:,"payload":\{"type":"([a-z_]{1,40})")?/;
const openingBytes = 200;

/** In a real store they are nine tenths of it, and one may hold all that was said before a compaction. */
export function isSilentLine(line: Buffer): boolean {
  const found = opening.exec(line.toString('latin1', 0, openingBytes));
  if (found === null) return false;
  const [, ordinal, type = '', event = ''] = found;
  if (type === 'event_msg') return quietEvents.has(event);
  // Without a number it may be a call of a tool that is noted nowhere else.
  if (type === 'response_item') return ordinal !== undefined || event === 'message' || event === 'reasoning';
  return quietTypes.has(type);
}
