// One row of `session_message`, in which OpenCode's newer sessions are kept: a whole message, with its tools → what it says. Pure and
// total. `user`, `assistant` and `agent-switched` were seen; the others are as the program itself declares them.

import type { SessionKind } from '../../records.ts';
import {
  field,
  integerField,
  isObject,
  type JsonObject,
  objectField,
  stringField,
  toTimestamp,
} from '../json/json-value.ts';
import type { Entry } from '../transcript/entry.ts';
import { type EntryDraft, newEntry } from '../transcript/new-entry.ts';
import { joinTexts, toBlocks, toPrompt, toReply } from '../transcript/texts.ts';
import { toOutputText, toToolCall } from '../transcript/work-text.ts';

const quietTypes: ReadonlySet<string> = new Set(['agent-switched', 'model-switched', 'synthetic', 'system']);

export function parseRow(type: string, data: JsonObject, kind: SessionKind): Entry {
  const entry = newEntry(`session_message ${type}`);
  const text = (name: string) => stringField(data, name)?.trim() ?? '';
  switch (type) {
    case 'user':
      entry.message = toPrompt(text('text'), kind === 'subagent');
      break;
    case 'assistant':
      addAnswer(entry, data);
      break;
    case 'shell':
      if (text('command') !== '')
        entry.message = { role: 'user', kind: 'shell', text: text('command'), isSidechain: false };
      break;
    case 'compaction':
      entry.isCompaction = true;
      if (text('summary') !== '')
        entry.message = { role: 'user', kind: 'recap', text: text('summary'), isSidechain: false };
      break;
    default:
      entry.isUnknownType = !quietTypes.has(type);
      return entry;
  }
  const created = field(objectField(data, 'time') ?? {}, 'created');
  // As a fork has it, too: see parse-part.ts.
  if (entry.message !== null) entry.uuid = `${created} ${entry.message.text.slice(0, 200)}`;
  entry.timestamp = toTimestamp(created);
  entry.isTurn = true;
  return entry;
}

function addAnswer(entry: EntryDraft, data: JsonObject): void {
  const blocks = toBlocks(field(data, 'content'));
  const tools = blocks.filter((block) => stringField(block, 'type') === 'tool');
  const calls = tools.map((tool) => {
    const given = objectField(objectField(tool, 'state') ?? {}, 'input') ?? {};
    return toToolCall(stringField(tool, 'id'), stringField(tool, 'name') ?? '', given);
  });
  entry.message = toReply(joinTexts(blocks));
  entry.model = stringField(objectField(data, 'model') ?? {}, 'id');
  entry.toolCalls = [...calls.filter(({ name }) => name !== ''), ...toChanged(data)];
  entry.toolResults = tools.flatMap((tool) => toResult(tool) ?? []);
}

/** A command that failed is `completed`: only its exit code says so. */
function toResult(tool: JsonObject): Entry['toolResults'][number] | null {
  const id = stringField(tool, 'id');
  const state = objectField(tool, 'state') ?? {};
  const status = stringField(state, 'status');
  if (id === null || (status !== 'completed' && status !== 'error')) return null;
  const code = integerField(objectField(state, 'structured') ?? {}, 'exit') ?? 0;
  const said = joinTexts(toBlocks(field(state, 'content')));
  const fault = stringField(objectField(state, 'error') ?? {}, 'message') ?? '';
  const output = toOutputText([said, fault].filter((text) => text !== '').join('\n'));
  return { id, isError: status === 'error' || code !== 0, output };
}

/** The files that differ after a step, whichever tool changed them. */
function toChanged(data: JsonObject): Entry['toolCalls'] {
  const files = field(objectField(data, 'snapshot') ?? {}, 'files');
  const paths = (Array.isArray(files) ? files : []).flatMap((file) =>
    isObject(file) ? (stringField(file, 'file') ?? []) : typeof file === 'string' ? file : [],
  );
  return paths.map((path) => ({
    ...{ id: null, name: 'patch', input: '' },
    target: path,
  }));
}
