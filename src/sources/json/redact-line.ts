// Takes secrets out of a line of a transcript, or of another file, so that the session can still be resumed. What the model has
// thought is signed or encrypted, and would be refused if it were edited: where it holds a secret, it is left out.

import { isObject, type JsonObject, objectField, parseJsonObject } from './json-value.ts';
import { redactJson, redactText } from './redact-strings.ts';

/** For a line that could not be cleaned in any other way. */
const nothing = Buffer.from('{}');

/** A line without what is signed and holds a secret; the line itself where there is nothing of the kind. */
export type LeaveOutSigned = (line: JsonObject) => JsonObject;

/** At most as long as it was. */
export function redactLine(bytes: Buffer, leaveOutSigned: LeaveOutSigned = (line) => line): Buffer {
  const text = bytes.toString();
  const isJson = text.startsWith('{');
  if (isJson && redactJson(text) === text) return bytes;
  const value = isJson ? parseJsonObject(text) : null;
  const left = value === null ? redactText(redactJson(text)) : toCleanJson(text, value, leaveOutSigned);
  if (left === text) return bytes;
  const after = Buffer.from(left);
  const isSound = value === null || parseJsonObject(left) !== null;
  return isSound && after.length <= bytes.length ? after : nothing.subarray(0, bytes.length);
}

function toCleanJson(text: string, value: JsonObject, leaveOutSigned: LeaveOutSigned): string {
  const left = leaveOutSigned(value);
  return redactJson(left === value ? text : JSON.stringify(left));
}

export function holdsSecret(value: unknown): boolean {
  const json = JSON.stringify(value) ?? '';
  return redactJson(json) !== json;
}

/** Of a line whose message consists of blocks. Others follow the line by its id, so it stays, with `placeholder` if need be. */
export function withoutSignedBlocks(
  line: JsonObject,
  key: string,
  isSigned: (block: JsonObject) => boolean,
  placeholder: JsonObject,
): JsonObject {
  const message = objectField(line, 'message');
  const blocks = message?.[key];
  if (message === null || !Array.isArray(blocks)) return line;
  const left = blocks.filter((block) => !(isObject(block) && isSigned(block) && holdsSecret(block)));
  if (left.length === blocks.length) return line;
  return { ...line, message: { ...message, [key]: left.length > 0 ? left : [placeholder] } };
}
