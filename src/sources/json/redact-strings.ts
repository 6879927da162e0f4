// Takes secrets out of JSON, or of plain text, so that it stays what it was: all bytes but those of the strings that hold a
// secret are kept, and it never becomes longer, unless that does not matter.

import { findFormats, redact, type SecretFormat, secretFormats } from '../../text/redact.ts';
import { type JsonObject, parseJsonObject } from './json-value.ts';

/** The shortest that holds a secret is a URL with a password: `a://u:abc@h` between its quotes. */
const minChars = 13;

const marker = /\[redacted [\w-]+\]/g;

/** Every string of a JSON text, without a secret; the text itself if there is none. */
export function redactStrings(json: string, mayGrow = false): string {
  // Escapes could hide what a secret is recognised by.
  const formats = /\\[u/]/.test(json) ? secretFormats : findFormats(json);
  if (formats.length === 0) return json;
  let cleaned = '';
  let copied = 0;
  for (let start = json.indexOf('"'); start >= 0; ) {
    const end = findEnd(json, start);
    const raw = json.slice(start, end);
    const after = raw.length < minChars ? raw : redactToken(raw, formats, mayGrow);
    if (after !== raw) {
      cleaned += json.slice(copied, start) + after;
      copied = end;
    }
    start = json.indexOf('"', end);
  }
  return copied === 0 ? json : cleaned + json.slice(copied);
}

/** Behind the quote that ends the string. */
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

function redactToken(raw: string, formats: readonly SecretFormat[], mayGrow: boolean): string {
  const text = parseToken(raw);
  const cleaned = redact(text, formats);
  if (cleaned === text) return raw;
  if (mayGrow) return JSON.stringify(cleaned);
  const forms = [cleaned, cleaned.replace(marker, '[redacted]'), cleaned.replace(marker, '')];
  return forms.map((form) => JSON.stringify(form)).find((form) => form.length <= raw.length) ?? '""';
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

/** Secrets that are recognised by a label, which may be the key of their string. */
const labelled = secretFormats.filter(({ name }) => name === 'aws-secret-key' || name === 'authorization');

/** Every string without a secret, and no string that a key says is one. */
export function redactJson(json: string): string {
  return redactText(redactStrings(json), labelled);
}

/** The same for what was read from JSON; nothing of a value that is nested too deep to be written again. */
export function redactObject(value: JsonObject): JsonObject {
  try {
    const json = JSON.stringify(value);
    const cleaned = redact(redactStrings(json, true), labelled);
    return cleaned === json ? value : (parseJsonObject(cleaned) ?? {});
  } catch {
    return {};
  }
}

export function redactText(text: string, formats: readonly SecretFormat[] = secretFormats): string {
  const cleaned = redact(text, formats);
  const length = Buffer.byteLength(text);
  const forms = [cleaned, cleaned.replace(marker, '[redacted]'), cleaned.replace(marker, '')];
  return cleaned === text ? text : (forms.find((form) => Buffer.byteLength(form) <= length) ?? '');
}
