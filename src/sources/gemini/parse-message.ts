// One message of a session of Gemini CLI → what it says. Pure and total.

import type { SessionKind } from '../../records.ts';
import {
  field,
  isObject,
  type JsonObject,
  objectField,
  stringField,
  toTimestamp,
} from '../json/json-value.ts';
import type { Entry, EntryToolResult } from '../transcript/entry.ts';
import { newEntry } from '../transcript/new-entry.ts';
import { joinTexts, toBlocks, toPrompt, toReply } from '../transcript/texts.ts';
import { toOutputText, toToolCall } from '../transcript/work-text.ts';

const quietTypes: ReadonlySet<string> = new Set([
  'info',
  'error',
  'warning',
  'about',
  'help',
  'stats',
  'quit',
]);

/** Null when it has no type and so is not a message. */
export function parseMessage(message: JsonObject, kind: SessionKind): Entry | null {
  const type = stringField(message, 'type');
  if (type === null) return null;
  const entry = newEntry(type);
  switch (type) {
    case 'user':
      entry.message = toPrompt(toTyped(message), kind === 'subagent');
      break;
    case 'gemini': {
      const calls = field(message, 'toolCalls');
      const objects = Array.isArray(calls) ? calls.filter(isObject) : [];
      entry.model = stringField(message, 'model');
      entry.message = toReply(joinTexts(toBlocks(field(message, 'content'))));
      entry.toolCalls = objects.flatMap(toCall);
      entry.toolResults = objects.flatMap(toResult);
      break;
    }
    default:
      entry.isUnknownType = !quietTypes.has(type);
      return entry;
  }
  if (entry.message === null && entry.toolCalls.length === 0) return entry;
  entry.uuid = stringField(message, 'id');
  entry.timestamp = toTimestamp(field(message, 'timestamp'));
  entry.isTurn = true;
  return entry;
}

const machineOpenings = ['<session_context>', '<state_snapshot>', 'You have stopped calling tools'];
/** After which the files follow that the person named with @. */
const filesOpening = '--- Content from referenced files ---';

/** What the person typed, where the file keeps it apart from what was sent; answers of tools are nobody's prompt. */
function toTyped(message: JsonObject): string {
  const blocks = toBlocks(field(message, 'displayContent') ?? field(message, 'content'));
  if (blocks.some((block) => field(block, 'functionResponse') !== undefined)) return '';
  const end = blocks.findIndex((block) => stringField(block, 'text')?.trimStart().startsWith(filesOpening));
  const text = joinTexts(end < 0 ? blocks : blocks.slice(0, end));
  return machineOpenings.some((opening) => text.startsWith(opening)) ? '' : text;
}

function toCall(call: JsonObject): Entry['toolCalls'] {
  const name = stringField(call, 'name');
  if (name === null) return [];
  const input = objectField(call, 'args') ?? {};
  return [toToolCall(stringField(call, 'id'), name, input)];
}

/** A command that failed has the status `success`: only what is answered to the model says so. */
function toResult(call: JsonObject): EntryToolResult[] {
  const id = stringField(call, 'id');
  const status = stringField(call, 'status');
  if (id === null || status === null) return [];
  const result = field(call, 'result');
  const said = (Array.isArray(result) ? result : [])
    .filter(isObject)
    .map((each) => objectField(objectField(each, 'functionResponse') ?? {}, 'response') ?? {})
    .map((response) => stringField(response, 'output') ?? stringField(response, 'error') ?? '')
    .join('\n')
    .replace(/<\/?untrusted_context>\n?/g, '');
  const isError = status !== 'success' || /^Exit Code: [1-9]/m.test(said);
  return [{ id, isError, output: toOutputText(said) }];
}
