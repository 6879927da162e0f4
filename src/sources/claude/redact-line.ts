// Takes secrets out of a line of a transcript, or of another file, so that the session can still be resumed. A thinking block is
// signed and would be refused if it were edited: one that holds a secret is left out.

import { isObject, type JsonObject, objectField, parseJsonObject } from '../json/json-value.ts';
import { redactJson, redactText } from '../json/redact-strings.ts';

/** For a line that could not be cleaned in any other way. */
const nothing = Buffer.from('{}');

/** At most as long as it was. */
export function redactLine(bytes: Buffer): Buffer {
  const text = bytes.toString();
  const isJson = text.startsWith('{');
  if (isJson && redactJson(text) === text) return bytes;
  const value = isJson ? parseJsonObject(text) : null;
  const left = value === null ? redactText(redactJson(text)) : withoutThinking(value, redactJson(text));
  if (left === text) return bytes;
  const after = Buffer.from(left);
  const isSound = value === null || parseJsonObject(left) !== null;
  return isSound && after.length <= bytes.length ? after : nothing.subarray(0, bytes.length);
}

function withoutThinking(value: JsonObject, cleaned: string): string {
  const message = objectField(value, 'message');
  const content = message?.content;
  if (message === null || !Array.isArray(content)) return cleaned;
  const left = content.filter((block) => !isThinking(block) || !holdsSecret(block));
  if (left.length === content.length) return cleaned;
  // Others follow this line by its uuid, so it stays.
  const blocks = left.length > 0 ? left : [{ type: 'text', text: '[redacted]' }];
  return redactJson(JSON.stringify({ ...value, message: { ...message, content: blocks } }));
}

function isThinking(block: unknown): boolean {
  return isObject(block) && (block.type === 'thinking' || block.type === 'redacted_thinking');
}

function holdsSecret(block: unknown): boolean {
  const json = JSON.stringify(block);
  return redactJson(json) !== json;
}
