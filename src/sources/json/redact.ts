// Takes secrets out of a line of a transcript, or of another file, so that the session can still be resumed. What the model has
// thought is signed or encrypted, and would be refused if it were edited: where it holds a secret, it is left out.

import { mayHoldSecret, redact, redactNamed, type ToMarker, toShortMarker } from '../../text/redact.ts';
import { isObject, type JsonObject, objectField, parseJsonObject } from './json-value.ts';

/** For a line that could not be cleaned in any other way. */
const nothing = Buffer.from('{}');

export interface Cleaning {
  /** In the place of a secret, not longer than that; null where secrets stay. */
  readonly mark: ToMarker | null;
  /** What else is written in another way, in JSON or in plain text; nothing grows. */
  readonly rewrite: (text: string) => string;
  readonly onLeftOut: () => void;
}

const usualCleaning: Cleaning = { mark: toShortMarker, rewrite: (text) => text, onLeftOut: () => {} };

/** Whether cleaning would change a value. */
export type IsChanged = (value: unknown) => boolean;

/** A line without what is signed and would be changed; the line itself where there is nothing of the kind. */
type LeaveOutSigned = (line: JsonObject, isChanged: IsChanged) => JsonObject;

export function redactLine(
  bytes: Buffer,
  leaveOutSigned: LeaveOutSigned = (line) => line,
  cleaning: Cleaning = usualCleaning,
): Buffer {
  const text = bytes.toString();
  const isJson = text.startsWith('{');
  // A look, of which whoever counts secrets hears nothing.
  const looking = { ...cleaning, mark: cleaning.mark === null ? null : toShortMarker };
  const changes = (json: string) => cleanJson(json, looking) !== json;
  const isChanged: IsChanged = (value) => changes(JSON.stringify(value) ?? '');
  if (isJson && !changes(text)) return bytes;
  const value = isJson ? parseJsonObject(text) : null;
  const kept = value === null ? null : leaveOutSigned(value, isChanged);
  if (kept !== value) cleaning.onLeftOut();
  const cleaned = cleanJson(kept === value ? text : JSON.stringify(kept), cleaning);
  const left = value === null && cleaning.mark !== null ? redact(cleaned, cleaning.mark) : cleaned;
  if (left === text) return bytes;
  const after = Buffer.from(left);
  const isSound = value === null || parseJsonObject(left) !== null;
  return isSound && after.length <= bytes.length ? after : nothing.subarray(0, bytes.length);
}

/** In the place of a message's blocks where none is left. */
export const textPlaceholder: JsonObject = { type: 'text', text: '[redacted]' };

/** Of a line whose message consists of blocks. Others follow the line by its id, so it stays, with `placeholder` if need be. */
export function withoutSignedBlocks(
  line: JsonObject,
  key: string,
  isSigned: (block: JsonObject) => boolean,
  placeholder: JsonObject,
  isChanged: IsChanged,
): JsonObject {
  const message = objectField(line, 'message');
  const blocks = message?.[key];
  if (message === null || !Array.isArray(blocks)) return line;
  const left = blocks.filter((block) => !(isObject(block) && isSigned(block) && isChanged(block)));
  if (left.length === blocks.length) return line;
  return { ...line, message: { ...message, [key]: left.length > 0 ? left : [placeholder] } };
}

/** The shortest that holds a secret is a password with its label: `pwd=a1b2c` between its quotes. */
const minChars = 11;

function redactStrings(json: string, mark: ToMarker | undefined, mayGrow = false): string {
  let cleaned = '';
  let copied = 0;
  for (let start = json.indexOf('"'); start >= 0; ) {
    const end = findEnd(json, start);
    const raw = json.slice(start, end);
    const after = raw.length < minChars ? raw : redactToken(raw, mark, mayGrow);
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

function redactToken(raw: string, mark: ToMarker | undefined, mayGrow: boolean): string {
  const text = parseToken(raw);
  const cleaned = redact(text, mark);
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
function cleanJson(json: string, { mark, rewrite }: Cleaning): string {
  const isSearched = mark !== null && mayHoldSecret(json);
  return rewrite(isSearched ? redactNamed(redactStrings(json, mark), mark) : json);
}

/** The same for what was read from JSON; nothing of a value that is nested too deep to be written again. */
export function redactObject(value: JsonObject): JsonObject {
  try {
    const json = JSON.stringify(value);
    if (!mayHoldSecret(json)) return value;
    const cleaned = redactNamed(redactStrings(json, undefined, true));
    return cleaned === json ? value : (parseJsonObject(cleaned) ?? {});
  } catch {
    return {};
  }
}
