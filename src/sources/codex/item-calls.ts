// The calls of tools among the items of a turn, each together with what came of it.

import { field, integerField, isObject, type JsonObject, stringField } from '../json/json-value.ts';
import type { EntryToolCall, EntryToolResult } from '../transcript/entry.ts';
import { toInputText, toOutputText, toToolCall } from '../transcript/work-text.ts';

export interface ItemCalls {
  readonly calls: readonly EntryToolCall[];
  readonly results: readonly EntryToolResult[];
}

/** Null when the item is not a call. */
export function toItemCalls(item: JsonObject): ItemCalls | null {
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
  const command = field(item, 'command');
  const last = Array.isArray(command) ? command.at(-1) : command;
  const text = typeof last === 'string' ? last : '';
  const output = toOutputText(stringField(item, 'aggregated_output') ?? '');
  const isError = (integerField(item, 'exit_code') ?? 0) !== 0 || hasFailed(item);
  return {
    calls: [{ id, name: 'shell', target: toTarget(text), input: toInputText(text) }],
    results: id === null ? [] : [{ id, isError, output }],
  };
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

export function toTarget(text: string): string | null {
  return text === '' ? null : text;
}
