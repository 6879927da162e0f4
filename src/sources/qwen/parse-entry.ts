// One line of a chat of Qwen Code → what it says. Pure and total. Its notes for itself (`system`) repeat answers and
// arguments, also those of its hidden helpers, so of these only titles are read.

import type { SessionKind } from '../../records.ts';
import {
  field,
  isObject,
  type JsonObject,
  objectField,
  stringField,
  toExcerpt,
  toTimestamp,
} from '../json/json-value.ts';
import type { Entry } from '../transcript/entry.ts';
import { type EntryDraft, newEntry } from '../transcript/new-entry.ts';
import { joinTexts, toBlocks, toPrompt, toReply } from '../transcript/texts.ts';
import { toOutputText, toToolCall } from '../transcript/work-text.ts';

/** Null when the line has no type and so is not an entry. */
export function parseEntry(line: JsonObject, kind: SessionKind): Entry | null {
  const type = stringField(line, 'type');
  if (type === null) return null;
  const entry = newEntry(type);
  const parts = toBlocks(field(objectField(line, 'message') ?? {}, 'parts'));
  entry.sessionId = stringField(line, 'sessionId');
  entry.cwd = stringField(line, 'cwd');
  entry.version = stringField(line, 'version');
  entry.branch = stringField(line, 'gitBranch');
  switch (type) {
    case 'user':
      if (isFromPerson(line)) entry.message = toPrompt(toTyped(parts), kind === 'subagent');
      break;
    case 'assistant':
      entry.model = stringField(line, 'model');
      entry.message = toReply(joinTexts(parts));
      entry.toolCalls = parts.flatMap(toCall);
      break;
    case 'tool_result':
      entry.toolResults = parts.flatMap((part) => toResult(part, objectField(line, 'toolCallResult') ?? {}));
      break;
    case 'system':
      fillFromSystem(entry, line);
      return entry;
    default:
      entry.isUnknownType = true;
      return entry;
  }
  // A fork says of which line its own is a copy.
  entry.uuid = stringField(objectField(line, 'forkedFrom') ?? {}, 'messageUuid') ?? stringField(line, 'uuid');
  entry.timestamp = toTimestamp(field(line, 'timestamp'));
  entry.isTurn = true;
  return entry;
}

/** Older versions do not say. */
function isFromPerson(line: JsonObject): boolean {
  return (stringField(line, 'provenance') ?? 'real_user') === 'real_user';
}

/** Without what the program adds for the model. */
function toTyped(parts: readonly JsonObject[]): string {
  return joinTexts(parts.filter((part) => !stringField(part, 'text')?.startsWith('<system-reminder>')));
}

function toCall(part: JsonObject): Entry['toolCalls'] {
  const call = objectField(part, 'functionCall');
  const name = call === null ? null : stringField(call, 'name');
  if (call === null || name === null) return [];
  const input = objectField(call, 'args') ?? {};
  return [toToolCall(stringField(call, 'id'), name, input)];
}

/** A command that failed has the status `error` too. */
function toResult(part: JsonObject, result: JsonObject): Entry['toolResults'] {
  const answer = objectField(part, 'functionResponse');
  const id = stringField(result, 'callId') ?? (answer === null ? null : stringField(answer, 'id'));
  if (answer === null || id === null) return [];
  const response = field(answer, 'response');
  const said = isObject(response)
    ? (stringField(response, 'output') ?? stringField(response, 'error') ?? '')
    : '';
  const isError =
    stringField(result, 'status') === 'error' ||
    (isObject(response) && field(response, 'error') !== undefined);
  return [{ id, isError, output: toOutputText(said) }];
}

const maxTitleChars = 1000;

function fillFromSystem(entry: EntryDraft, line: JsonObject): void {
  const subtype = stringField(line, 'subtype');
  entry.isCompaction = subtype === 'chat_compression';
  if (subtype !== 'custom_title') return;
  const payload = objectField(line, 'systemPayload') ?? {};
  const text = toExcerpt(stringField(payload, 'customTitle')?.trim() ?? '', maxTitleChars);
  const source = stringField(payload, 'titleSource') === 'auto' ? 'ai-title' : 'custom-title';
  if (text !== '') entry.title = { source, text };
}
