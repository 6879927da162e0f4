// Reads sessions of Copilot CLI. Subagents work in the same file: their events name the agent.

import type { SessionKind } from '../../records.ts';
import {
  field,
  integerField,
  isObject,
  type JsonObject,
  objectField,
  parseJsonObject,
  stringField,
  timeField,
  trimmedField,
} from '../json/json-value.ts';
import { type IsChanged, redactLine } from '../json/redact.ts';
import {
  compaction,
  cutTitle,
  type Entry,
  type EntryDraft,
  newEntry,
  toNames,
  toPrompt,
  toReply,
} from '../transcript/entry.ts';
import { type LineFormat, readsLines } from '../transcript/read-transcript.ts';
import { toOutputText, toToolCalls } from '../transcript/tool-call.ts';

const copilotLines: LineFormat = { subagentTools: [], isSilent: isSilentLine, parseEntry };

const openings = ['system.message', 'session.usage_record', 'session.shutdown'].map((type) =>
  Buffer.from(`{"type":"${type}",`),
);

/** The longest lines, among them the system prompt with all that was injected into it. */
function isSilentLine(line: Buffer): boolean {
  return openings.some((opening) => line.subarray(0, opening.length).equals(opening));
}

function leaveOutSigned(line: JsonObject, isChanged: IsChanged): JsonObject {
  const data = objectField(line, 'data');
  if (data === null) return line;
  const { reasoningText, reasoningOpaque, encryptedContent, ...rest } = data;
  return isChanged({ reasoningText, reasoningOpaque, encryptedContent }) ? { ...line, data: rest } : line;
}

export const copilotReader = readsLines(copilotLines, {
  parseSidecar: (_file, text) => ({ customTitle: parseWorkspace(text) }),
  redactLine: (line, cleaning) => redactLine(line, leaveOutSigned, cleaning),
});

function parseEntry(line: JsonObject, _kind: SessionKind): Entry | null {
  const type = stringField(line, 'type');
  if (type === null) return null;
  const entry = newEntry(type);
  const data = objectField(line, 'data');
  const isSidechain = stringField(line, 'agentId') !== null;
  switch (type) {
    case 'session.start':
    case 'session.resume':
      fillFromStart(entry, data);
      entry.timestamp = timeField(data, 'startTime') ?? timeField(line, 'timestamp');
      return entry;
    case 'session.model_change':
      entry.model = isSidechain ? null : stringField(data, 'newModel');
      return entry;
    case 'session.compaction_complete':
      entry.facts = compaction;
      return entry;
    case 'user.message':
      if (isTyped(data)) entry.message = toPrompt(trimmedField(data, 'content'), isSidechain, isSidechain);
      break;
    case 'assistant.message':
      entry.model = stringField(data, 'model');
      entry.message = toReply(trimmedField(data, 'content'), isSidechain);
      break;
    case 'tool.execution_start':
      entry.toolCalls = findCalls(data);
      break;
    case 'tool.execution_complete':
      entry.toolResults = findResults(data);
      break;
    default:
      entry.isUnknownType = !isQuiet(type);
      return entry;
  }
  entry.uuid = entry.message === null ? null : stringField(line, 'id');
  entry.timestamp = timeField(line, 'timestamp');
  entry.isTurn = true;
  return entry;
}

function fillFromStart(entry: EntryDraft, data: JsonObject | null): void {
  const context = objectField(data, 'context');
  entry.cwd = stringField(context, 'cwd');
  entry.branch = stringField(context, 'branch');
  entry.version = stringField(data, 'copilotVersion');
  entry.model = stringField(data, 'selectedModel');
}

/** A skill or a hook speaks in the person's name, and says so. */
function isTyped(data: JsonObject | null): boolean {
  return !/^(?:system|skill|hook|instruction)/.test(stringField(data, 'source') ?? '');
}

function findCalls(data: JsonObject | null): Entry['toolCalls'] {
  const given = field(data, 'arguments');
  const input = isObject(given) ? given : parseJsonObject(String(given));
  return toToolCalls(stringField(data, 'toolCallId'), stringField(data, 'toolName'), input);
}

/** A command that failed was a success of the tool: only its exit code says so. */
function findResults(data: JsonObject | null): Entry['toolResults'] {
  const id = stringField(data, 'toolCallId');
  if (id === null) return [];
  const code = integerField(objectField(data, 'shellExecution'), 'exitCode') ?? 0;
  const said =
    stringField(objectField(data, 'result'), 'content') ??
    stringField(objectField(data, 'error'), 'message') ??
    '';
  return [{ id, isError: code !== 0 || field(data, 'success') === false, output: toOutputText(said) }];
}

const quiet =
  toNames(`abort assistant.intent assistant.reasoning assistant.turn_end assistant.turn_start assistant.usage
  system.message system.notification tool.user_requested`);

/** What the program notes about the session, its hooks, skills and subagents, without a word of anybody. */
function isQuiet(type: string): boolean {
  return quiet.has(type) || /^(?:session|hook|skill|subagent|permission|external_tool)\./.test(type);
}

/** Null unless the person gave the name. Of YAML only what Copilot CLI writes is understood: plain, quoted and block texts. */
function parseWorkspace(text: string): string | null {
  const lines = text.split(/\r?\n/);
  if (!lines.some((line) => /^user_named:\s*true\s*$/.test(line))) return null;
  const at = lines.findIndex((line) => line.startsWith('name:'));
  const value = (lines[at] ?? '').slice('name:'.length).trim();
  const name = /^[|>][+-]?$/.test(value) ? joinBlock(lines.slice(at + 1)) : parseScalar(value);
  const title = cutTitle(name);
  return title === '' ? null : title;
}

function joinBlock(lines: readonly string[]): string {
  const end = lines.findIndex((line) => /^\S/.test(line));
  return lines
    .slice(0, end < 0 ? undefined : end)
    .map((line) => line.trim())
    .join('\n');
}

function parseScalar(value: string): string {
  if (value.startsWith("'")) return value.replace(/^'|'$/g, '').replaceAll("''", "'");
  // The escapes of a double-quoted text that matter are those of JSON.
  if (value.startsWith('"')) return stringField(parseJsonObject(`{"name":${value}}`) ?? {}, 'name') ?? '';
  return value;
}
