// The content of a message: a string, or blocks of text, tool calls and tool results. Unknown or oddly shaped blocks
// are passed over.

import { field, isObject, isTrue, type JsonObject, objectField, stringField } from '../json/json-value.ts';
import type { EntryToolCall, EntryToolResult } from '../transcript/entry.ts';
import { toOutputText, toToolCall } from '../transcript/work-text.ts';

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
    calls.push(toToolCall(stringField(block, 'id'), name, objectField(block, 'input') ?? {}));
  }
  return calls;
}

export function toToolResults(blocks: readonly JsonObject[]): EntryToolResult[] {
  const results: EntryToolResult[] = [];
  for (const block of blocks) {
    const id = stringField(block, 'tool_use_id');
    if (id === null) continue;
    const isError = isTrue(block, 'is_error');
    const texts = blockTexts(toBlocks(field(block, 'content')));
    results.push({ id, isError, output: toOutputText(texts.join('\n')) });
  }
  return results;
}
