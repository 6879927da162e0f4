// One part of a message of OpenCode → what it says. Pure and total.

import type { SessionKind } from '../../records.ts';
import {
  field,
  integerField,
  isTrue,
  type JsonObject,
  objectField,
  stringField,
  toTimestamp,
} from '../json/json-value.ts';
import type { Entry } from '../transcript/entry.ts';
import { newEntry } from '../transcript/new-entry.ts';
import { toPrompt, toReply } from '../transcript/texts.ts';
import { toOutputText, toToolCall } from '../transcript/work-text.ts';

const quietTypes: ReadonlySet<string> = new Set([
  'agent',
  'file',
  'reasoning',
  'retry',
  'snapshot',
  'step-finish',
  'step-start',
  'subtask',
]);

export function parsePart(part: JsonObject, message: JsonObject, kind: SessionKind): Entry {
  const type = stringField(part, 'type') ?? '';
  const entry = newEntry(`part ${type}`);
  const isUser = stringField(message, 'role') === 'user';
  const created = field(objectField(message, 'time') ?? {}, 'created');
  switch (type) {
    case 'text': {
      if (isTrue(part, 'synthetic') || isTrue(part, 'ignored')) return entry;
      const text = stringField(part, 'text')?.trim() ?? '';
      entry.message = isUser ? toPrompt(unquote(text), kind === 'subagent') : toReply(text);
      // A fork copies messages under new ids, together with their times.
      if (entry.message !== null) entry.uuid = `${created} ${entry.message.text.slice(0, 200)}`;
      break;
    }
    case 'tool':
      Object.assign(entry, toCall(part));
      break;
    case 'patch':
      entry.toolCalls = toPatched(part);
      break;
    case 'compaction':
      entry.isCompaction = true;
      break;
    default:
      entry.isUnknownType = !quietTypes.has(type);
      return entry;
  }
  entry.model = isUser ? null : stringField(message, 'modelID');
  entry.timestamp = toTimestamp(created);
  entry.isTurn = true;
  return entry;
}

/** `opencode run "a b"` keeps the prompt within double quotes, those inside escaped. */
export function unquote(text: string): string {
  const [, inner] = /^"((?:[^"\\]|\\.)*)"$/s.exec(text) ?? [];
  return inner === undefined ? text : inner.replaceAll('\\"', '"').trim();
}

/** A command that failed is `completed`: only its exit code says so. */
function toCall(part: JsonObject): Pick<Entry, 'toolCalls' | 'toolResults'> {
  const name = stringField(part, 'tool');
  const id = stringField(part, 'callID');
  const state = objectField(part, 'state') ?? {};
  const status = stringField(state, 'status');
  const input = objectField(state, 'input') ?? {};
  const code = integerField(objectField(state, 'metadata') ?? {}, 'exit') ?? 0;
  const output = toOutputText(stringField(state, 'output') ?? stringField(state, 'error') ?? '');
  const isDone = status === 'completed' || status === 'error';
  return {
    toolCalls: name === null ? [] : [toToolCall(id, name, input)],
    toolResults: id === null || !isDone ? [] : [{ id, isError: status === 'error' || code !== 0, output }],
  };
}

/** The files that differ after a turn, whichever tool changed them. */
function toPatched(part: JsonObject): Entry['toolCalls'] {
  const files = field(part, 'files');
  const paths = Array.isArray(files) ? files.filter((path) => typeof path === 'string') : [];
  return paths.map((path) => ({
    id: null,
    name: 'patch',
    target: path,
    input: '',
  }));
}
