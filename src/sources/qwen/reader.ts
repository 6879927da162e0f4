// Reads chats of Qwen Code. Its notes for itself (`system`) repeat answers and arguments, also those of its hidden helpers, so of
// these only titles are read.

import type { SessionKind } from '../../records.ts';
import {
  field,
  type JsonObject,
  objectField,
  parseJsonObject,
  stringField,
  timeField,
} from '../json/json-value.ts';
import { redactLine, withoutSignedBlocks } from '../json/redact.ts';
import type { SidecarContent } from '../source.ts';
import {
  compaction,
  type Entry,
  joinTexts,
  newEntry,
  toBlocks,
  toPrompt,
  toReply,
  toTitleFact,
} from '../transcript/entry.ts';
import { type LineFormat, readsLines } from '../transcript/read-transcript.ts';
import { toOutputText, toToolCalls } from '../transcript/tool-call.ts';

const qwenLines: LineFormat = { subagentTools: ['agent', 'task'], isSilent: isSilentLine, parseEntry };

const telemetry = Buffer.from('"type":"system","provenance":"system"');
const uiTelemetry = Buffer.from('"subtype":"ui_telemetry"');
/** The type comes after the ids, the subtype after the directory and the branch. */
const typeWithin = 400;
const subtypeWithin = 1200;

/** Most of a chat's bytes, and all that is repeated. A line that starts in another way is parsed. */
function isSilentLine(line: Buffer): boolean {
  if (!line.subarray(0, typeWithin).includes(telemetry)) return false;
  const payload = line.indexOf('"systemPayload"');
  const subtype = line.subarray(0, subtypeWithin).indexOf(uiTelemetry);
  return subtype >= 0 && subtype < payload;
}

export const qwenReader = readsLines(qwenLines, {
  parseSidecar: (_file, text) => parseMeta(text),
  redactLine: (bytes, cleaning) =>
    redactLine(
      bytes,
      (line, isChanged) => {
        const placeholder = { text: '[redacted]' };
        return withoutSignedBlocks(line, 'parts', ({ thought }) => thought === true, placeholder, isChanged);
      },
      cleaning,
    ),
});

function parseMeta(text: string): SidecarContent | null {
  const value = parseJsonObject(text);
  if (value === null) return null;
  return {
    subagentType: stringField(value, 'agentType'),
    subagentDescription: stringField(value, 'description'),
    toolUseId: stringField(value, 'toolUseId'),
  };
}

function parseEntry(line: JsonObject, kind: SessionKind): Entry | null {
  const type = stringField(line, 'type');
  if (type === null) return null;
  const entry = newEntry(type);
  const parts = toBlocks(field(objectField(line, 'message'), 'parts'));
  entry.sessionId = stringField(line, 'sessionId');
  entry.cwd = stringField(line, 'cwd');
  entry.version = stringField(line, 'version');
  entry.branch = stringField(line, 'gitBranch');
  switch (type) {
    case 'user': {
      const isFromPerson = (stringField(line, 'provenance') ?? 'real_user') === 'real_user';
      const typed = parts.filter((part) => !stringField(part, 'text')?.startsWith('<system-reminder>'));
      if (isFromPerson) entry.message = toPrompt(joinTexts(typed), kind === 'subagent');
      break;
    }
    case 'assistant':
      entry.model = stringField(line, 'model');
      entry.message = toReply(joinTexts(parts));
      entry.toolCalls = parts.flatMap(findCall);
      break;
    case 'tool_result':
      entry.toolResults = parts.flatMap((part) => findResult(part, objectField(line, 'toolCallResult')));
      break;
    case 'system':
      entry.facts = findSystemFacts(line);
      return entry;
    default:
      entry.isUnknownType = true;
      return entry;
  }
  // A fork says of which line its own is a copy.
  entry.uuid = stringField(objectField(line, 'forkedFrom'), 'messageUuid') ?? stringField(line, 'uuid');
  entry.timestamp = timeField(line, 'timestamp');
  entry.isTurn = true;
  return entry;
}

function findCall(part: JsonObject): Entry['toolCalls'] {
  const call = objectField(part, 'functionCall');
  return toToolCalls(stringField(call, 'id'), stringField(call, 'name'), objectField(call, 'args'));
}

/** A command that failed has the status `error` too. */
function findResult(part: JsonObject, result: JsonObject | null): Entry['toolResults'] {
  const answer = objectField(part, 'functionResponse');
  const response = objectField(answer, 'response');
  const id = stringField(result, 'callId') ?? stringField(answer, 'id');
  if (answer === null || id === null) return [];
  const said = stringField(response, 'output') ?? stringField(response, 'error') ?? '';
  const isError = stringField(result, 'status') === 'error' || field(response, 'error') !== undefined;
  return [{ id, isError, output: toOutputText(said) }];
}

function findSystemFacts(line: JsonObject): Entry['facts'] {
  const subtype = stringField(line, 'subtype');
  if (subtype === 'chat_compression') return compaction;
  if (subtype !== 'custom_title') return null;
  const payload = objectField(line, 'systemPayload');
  const isAutomatic = stringField(payload, 'titleSource') === 'auto';
  return toTitleFact(isAutomatic ? 'aiTitle' : 'customTitle', stringField(payload, 'customTitle'));
}
