// The content of a message: a string, or blocks of text, tool calls and tool results. Unknown or oddly shaped blocks
// are passed over.

import type { ToolResult } from '../../batch.ts';
import {
  isObject,
  isTrue,
  type JsonObject,
  objectField,
  stringField,
  toExcerpt,
} from '../json/json-value.ts';
import type { EntryToolCall } from '../transcript/entry.ts';

export function toBlocks(content: unknown): readonly JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

export function blockTexts(blocks: readonly JsonObject[]): string[] {
  const texts: string[] = [];
  for (const block of blocks) {
    if (stringField(block, 'type') !== 'text') continue;
    const text = stringField(block, 'text');
    if (text !== null && text.trim() !== '') texts.push(text);
  }
  return texts;
}

export function toToolCalls(blocks: readonly JsonObject[]): EntryToolCall[] {
  const calls: EntryToolCall[] = [];
  for (const block of blocks) {
    const type = stringField(block, 'type');
    if (type !== 'tool_use' && type !== 'server_tool_use') continue;
    const name = stringField(block, 'name');
    if (name === null) continue;
    const target = toToolTarget(objectField(block, 'input') ?? {});
    calls.push({ id: stringField(block, 'id'), name, target });
  }
  return calls;
}

export function toToolResults(blocks: readonly JsonObject[]): ToolResult[] {
  const results: ToolResult[] = [];
  for (const block of blocks) {
    const id = stringField(block, 'tool_use_id');
    if (id !== null) results.push({ id, isError: isTrue(block, 'is_error') });
  }
  return results;
}

/** What a tool may be pointed at. The rest of its input (file contents, patches) is 5% of all bytes and is never indexed. */
export const targetFields = [
  'file_path',
  'notebook_path',
  'path',
  'command',
  'pattern',
  'url',
  'query',
  'description',
  'skill',
  'subagent_type',
] as const;

/** Long enough for any path and for the part of a command that matters; a here-document is cut. */
const maxTargetChars = 400;

/** The one field of a tool's input that is kept. */
export function toToolTarget(input: JsonObject): string | null {
  for (const name of targetFields) {
    const value = stringField(input, name);
    if (value !== null) return toExcerpt(value, maxTargetChars);
  }
  return null;
}
