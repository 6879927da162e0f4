// Takes secrets out of a line of a transcript, or of another file, so that the session can still be resumed. What the model has
// thought is signed or encrypted, and would be refused if it were edited: where it holds a secret, it is left out.

import { mayHoldSecret, redact, redactNamed, toShortMarker } from '../../text/redact.ts';
import { isObject, type JsonObject, objectField, parseJsonObject } from './json-value.ts';

/** For a line that could not be cleaned in any other way. */
const nothing = Buffer.from('{}');

/** A line without what is signed and holds a secret; the line itself where there is nothing of the kind. */
type LeaveOutSigned = (line: JsonObject) => JsonObject;

export function redactLine(bytes: Buffer, leaveOutSigned: LeaveOutSigned = (line) => line): Buffer {
  const text = bytes.toString();
  const isJson = text.startsWith('{');
  if (isJson && redactJson(text) === text) return bytes;
  const value = isJson ? parseJsonObject(text) : null;
  const left =
    value === null ? redact(redactJson(text), toShortMarker) : toCleanJson(text, value, leaveOutSigned);
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

/** Replaces the blocks of a message when none of them is left. */
export const textPlaceholder: JsonObject = { type: 'text', text: '[redacted]' };

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

/** The shortest that holds a secret is a password with its label: `pwd=a1b2c` between its quotes. */
const minChars = 11;

function redactStrings(json: string, mayGrow = false): string {
  let cleaned = '';
  let copied = 0;
  for (let start = json.indexOf('"'); start >= 0; ) {
    const end = findEnd(json, start);
    const raw = json.slice(start, end);
    const after = raw.length < minChars ? raw : redactToken(raw, mayGrow);
    if (after !== raw) {
      cleaned += json.slice(copied, start) + after;
      copied = end;
    }
    start = json.indexOf('"', end);
  }
  return copied === 0 ? json : cleaned + json.slice(copied);
}

function findEnd(json: string, start: number): number {
  for (let at = start + 1; ; ) {
    const quote = json.indexOf('"', at);
    if (quote < 0) return json.length;
    let backslashes = 0;
    while (json[quote - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

function redactToken(raw: string, mayGrow: boolean): string {
  const text = parseToken(raw);
  const cleaned = mayGrow ? redact(text) : redact(text, toShortMarker);
  if (cleaned === text) return raw;
  const token = JSON.stringify(cleaned);
  return mayGrow || token.length <= raw.length ? token : '""';
}

/** Escapes could hide a secret. */
function parseToken(raw: string): string {
  if (!raw.includes('\\')) return raw.slice(1, -1);
  try {
    return JSON.parse(raw) as string;
  } catch {
    return raw.slice(1, -1);
  }
}

/** Every string without a secret, and no string that a key says is one. */
function redactJson(json: string): string {
  return mayHoldSecret(json) ? redactNamed(redactStrings(json), toShortMarker) : json;
}

/** The same for what was read from JSON; nothing of a value that is nested too deep to be written again. */
export function redactObject(value: JsonObject): JsonObject {
  try {
    const json = JSON.stringify(value);
    if (!mayHoldSecret(json)) return value;
    const cleaned = redactNamed(redactStrings(json, true));
    return cleaned === json ? value : (parseJsonObject(cleaned) ?? {});
  } catch {
    return {};
  }
}
