// What most agents' content is made of: a text, or a list of blocks of which some are text.

import { field, isObject, type JsonObject, stringField } from '../json/json-value.ts';
import type { EntryMessage } from './entry.ts';

/** The blocks of a content that may also be a plain text. */
export function toBlocks(content: unknown): readonly JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** The texts of the blocks that hold one, and of no others. */
export function joinTexts(blocks: readonly JsonObject[]): string {
  const texts = blocks.flatMap((block) => (hasText(block) ? (stringField(block, 'text') ?? []) : []));
  return texts.join('\n\n').trim();
}

/** Not what the model thought, and nothing that only has a text beside something else. */
function hasText(block: JsonObject): boolean {
  const type = field(block, 'type');
  return (type === undefined || type === 'text') && field(block, 'thought') !== true;
}

/** Null for an empty text. */
export function toPrompt(text: string, isTask: boolean, isSidechain = false): EntryMessage | null {
  return text === '' ? null : { role: 'user', kind: isTask ? 'task' : 'prompt', text, isSidechain };
}

export function toReply(text: string, isSidechain = false): EntryMessage | null {
  return text === '' ? null : { role: 'assistant', kind: 'reply', text, isSidechain };
}
