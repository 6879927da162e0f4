// One event of a session of Copilot CLI → what it says. Subagents work in the same file: their events name the agent. Pure
// and total.

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
import type { Entry } from '../transcript/entry.ts';
import { type EntryDraft, newEntry } from '../transcript/new-entry.ts';
import { toPrompt, toReply } from '../transcript/texts.ts';
import { toOutputText, toToolCall } from '../transcript/work-text.ts';

/** Null when the line has no type and so is not an entry. */
export function parseEntry(line: JsonObject, _kind: SessionKind): Entry | null {
  const type = stringField(line, 'type');
  if (type === null) return null;
  const entry = newEntry(type);
  const data = objectField(line, 'data') ?? {};
  const isSidechain = stringField(line, 'agentId') !== null;
  switch (type) {
    case 'session.start':
    case 'session.resume':
      fillFromStart(entry, data);
      entry.timestamp = toTimestamp(field(data, 'startTime')) ?? toTimestamp(field(line, 'timestamp'));
      return entry;
    case 'session.model_change':
      entry.model = isSidechain ? null : stringField(data, 'newModel');
      return entry;
    case 'session.compaction_complete':
      entry.isCompaction = true;
      return entry;
    case 'user.message':
      if (isTyped(data)) entry.message = toPrompt(toText(data), isSidechain, isSidechain);
      break;
    case 'assistant.message':
      entry.model = stringField(data, 'model');
      entry.message = toReply(toText(data), isSidechain);
      break;
    case 'tool.execution_start':
      entry.toolCalls = toCalls(data);
      break;
    case 'tool.execution_complete':
      entry.toolResults = toResults(data);
      break;
    default:
      entry.isUnknownType = !isQuiet(type);
      return entry;
  }
  entry.uuid = entry.message === null ? null : stringField(line, 'id');
  entry.timestamp = toTimestamp(field(line, 'timestamp'));
  entry.isTurn = true;
  return entry;
}

function fillFromStart(entry: EntryDraft, data: JsonObject): void {
  const context = objectField(data, 'context') ?? {};
  entry.cwd = stringField(context, 'cwd');
  entry.branch = stringField(context, 'branch');
  entry.version = stringField(data, 'copilotVersion');
  entry.model = stringField(data, 'selectedModel');
}

/** A skill or a hook speaks in the person's name, and says so. */
function isTyped(data: JsonObject): boolean {
  return !/^(?:system|skill|hook|instruction)/.test(stringField(data, 'source') ?? '');
}

function toText(data: JsonObject): string {
  return stringField(data, 'content')?.trim() ?? '';
}

function toCalls(data: JsonObject): Entry['toolCalls'] {
  const name = stringField(data, 'toolName');
  if (name === null) return [];
  const given = field(data, 'arguments');
  const input = isObject(given) ? given : typeof given === 'string' ? (parseJsonObject(given) ?? {}) : {};
  return [toToolCall(stringField(data, 'toolCallId'), name, input)];
}

/** A command that failed was a success of the tool: only its exit code says so. */
function toResults(data: JsonObject): Entry['toolResults'] {
  const id = stringField(data, 'toolCallId');
  if (id === null) return [];
  const code = integerField(objectField(data, 'shellExecution') ?? {}, 'exitCode') ?? 0;
  const said =
    stringField(objectField(data, 'result') ?? {}, 'content') ??
    stringField(objectField(data, 'error') ?? {}, 'message') ??
    '';
  return [{ id, isError: code !== 0 || field(data, 'success') === false, output: toOutputText(said) }];
}

const quiet: ReadonlySet<string> = new Set([
  'abort',
  'assistant.intent',
  'assistant.reasoning',
  'assistant.turn_end',
  'assistant.turn_start',
  'assistant.usage',
  'system.message',
  'system.notification',
  'tool.user_requested',
]);

/** What the program notes about the session, its hooks, skills and subagents, without a word of anybody. */
export function isQuiet(type: string): boolean {
  return quiet.has(type) || /^(?:session|hook|skill|subagent|permission|external_tool)\./.test(type);
}
