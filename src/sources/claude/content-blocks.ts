// The content of a message: a string, or blocks of text, tool calls and tool results. Unknown or oddly shaped blocks
// are passed over.

import { isObject, isTrue, type JsonObject, objectField, stringField } from '../json/json-value.ts';
import { toToolTarget } from './tool-target.ts';

export interface EntryToolCall {
  readonly id: string | null;
  readonly name: string;
  readonly target: string | null;
}

export interface EntryToolResult {
  readonly id: string;
  readonly isError: boolean;
}

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

export function toToolResults(blocks: readonly JsonObject[]): EntryToolResult[] {
  const results: EntryToolResult[] = [];
  for (const block of blocks) {
    const id = stringField(block, 'tool_use_id');
    if (id !== null) results.push({ id, isError: isTrue(block, 'is_error') });
  }
  return results;
}
