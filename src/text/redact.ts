// Removes secrets from text before it is stored. Every text that is indexed passes here, so it is looked through three times at
// most, and never once for each kind: for long runs of letters and digits, in which keys with a prefix are, for a few signs,
// and for the labels of passwords and tokens.

import { readCodeUnits } from './code-units.ts';
import { escapeAll, type LabelKind, type PrefixKind, type SignKind, secretKinds } from './secret-kinds.ts';
import { isName, isPassword, isReference, isStartOfSecret, isToken, type Writing } from './secret-value.ts';

/** Which rules a text was cleaned by. It rises when they find more, and what was stored is then cleaned again. */
export const redactionVersion = 4;

/** As plain text has it, or JSON within JSON within JSON: each level escapes the backslashes of the one inside. */
const mark = String.raw`\\{0,7}["'\x60]`;

const prefixKinds = secretKinds.filter((kind): kind is PrefixKind => kind.by === 'prefix');
const signKinds = secretKinds.filter((kind): kind is SignKind => kind.by === 'sign');
const labelKinds = secretKinds.filter((kind): kind is LabelKind => kind.by === 'label');

export type ToMarker = (name: string, secret: string) => string;
const toMarker: ToMarker = (name) => `[redacted ${name}]`;

/** Not longer than what it replaces, so that no text grows. */
export const toShortMarker: ToMarker = (name, secret) =>
  [`[redacted ${name}]`, '[redacted]'].find((marker) => marker.length <= secret.length) ?? '';

/** The text with a marker in place of each secret; the text itself if there is none. */
export function redact(text: string, mark: ToMarker = toMarker): string {
  let left = text;
  // What was beside a secret is beside a marker then, and may be recognised only now.
  for (let pass = 0; pass < 4; pass++) {
    const cleaned = redactLabelled(redactSigned(redactKeys(left, mark), mark), mark);
    if (cleaned === left) break;
    left = cleaned;
  }
  return left;
}

/** The same for JSON as it is written, where the label of a string is the name of its field. It stays valid. */
export function redactNamed(json: string, mark: ToMarker = toMarker): string {
  return redactLabelled(redactSigned(json, mark, namedKinds), mark);
}

const namedKinds = signKinds.filter(({ name }) => name === 'cookie' || name === 'kubernetes-secret');

/** Whether it is worth looking for a secret in the strings of a JSON text, the escapes of which could hide one. */
export function mayHoldSecret(json: string): boolean {
  return /\\(?:u00|\/)/.test(json) || redact(json) !== json;
}

interface Found {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Changes pieces of a text, and copies what is between them once. */
class Edit {
  private done = '';
  private copied = 0;
  private readonly text: string;
  private readonly mark: ToMarker;

  constructor(text: string, mark: ToMarker) {
    this.text = text;
    this.mark = mark;
  }

  replace({ name, from, to }: Found): void {
    const start = Math.max(from, this.copied);
    this.done += this.text.slice(this.copied, start) + this.mark(name, this.text.slice(start, to));
    this.copied = to;
  }

  toString(): string {
    return this.copied === 0 ? this.text : this.done + this.text.slice(this.copied);
  }
}

/** For each character whether it is one of these. A table is many times faster than a pattern. */
function toTable(characters: string): Uint8Array {
  const table = new Uint8Array(0x1_0000);
  for (const char of characters) table[char.charCodeAt(0)] = 1;
  return table;
}

const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const isInRun = toTable(`${alphanumeric}_-`);
/** What may be between the parts of a key, too. */
const isInKey = toTable(`${alphanumeric}_-+/=.:~,$%\\`);
const isInName = toTable(`${alphanumeric}_-.$`);
const isAfterName = toTable(' \t\f\v"\'`\\]');
/** Between a name and the sign there may be so many of these. */
const maxAfterName = 12;
const isBeforeNumber = toTable('_-v');

/** Every key with a prefix contains a run of so many. Most text does not, and is passed over in steps of this length. */
const runChars = 20;
/** How far before a run a prefix may start. */
const reachChars = 128;
const maxRunChars = 512;

/** A longer one before the one that it starts with. In this order V8 does not try each of them. */
const prefixes = [...new Set(prefixKinds.flatMap((kind) => kind.prefixes))].sort().reverse();
const anyPrefix = new RegExp(escapeAll(prefixes.join('|')), 'g');
const kindsByPrefix = new Map(
  prefixes.map((found) => [
    found,
    prefixKinds.filter((kind) => kind.prefixes.some((prefix) => found.startsWith(prefix))),
  ]),
);

function redactKeys(text: string, mark: ToMarker): string {
  const edit = new Edit(text, mark);
  const units = readCodeUnits(text);
  let looked = 0;
  for (let start = 0; start + runChars <= text.length; ) {
    let last = start + runChars - 1;
    while (last >= start && isInRun[units[last] as number] === 1) last--;
    if (last >= start) {
      start = last + 1;
      continue;
    }
    let end = start + runChars;
    while (isInRun[units[end] as number] === 1) end++;
    let from = start;
    while (from > looked && start - from < reachChars && isInKey[text.charCodeAt(from - 1)] === 1) from--;
    looked = Math.max(end, redactRun(text, from, Math.min(end, start + maxRunChars), edit));
    start = looked;
  }
  return edit.toString();
}

/** Keys that start between the two places, or one that is all of it. Where to go on. */
function redactRun(text: string, from: number, to: number, edit: Edit): number {
  const run = text.slice(from, to);
  // Of 20 letters and digits that chance has picked, one of 8,000 has neither.
  if (!/\d|[A-Z]{2}/.test(run)) return to;
  anyPrefix.lastIndex = 0;
  let end = 0;
  for (let hit = anyPrefix.exec(run); hit !== null; hit = anyPrefix.exec(run)) {
    const found = findKey(text, from + hit.index, hit[0]);
    if (found?.isSecret) edit.replace(found);
    if (found !== null) end = found.to;
    if (end >= to) break;
    anyPrefix.lastIndex = found === null ? hit.index + 1 : end - from;
  }
  const named = end === 0 ? findNamedRun(text, from) : null;
  if (named !== null) edit.replace(named);
  return Math.max(end, named?.to ?? to);
}

/** Names before a value without a sign between them: an option, a variable of fish, the string before it in a list, a scheme, a sentence. */
const spacedName = new RegExp(
  String.raw`(?<=(--[\w-]{0,40}(?:token|key|secret|password|auth|pat)(?=[ \t])|(?<=set -[a-z]{1,4} )\w{0,40}(?:token|key|secret|password)(?= )|(?<=${mark})[\w-]{0,40}(?:token|key|secret|authorization|password)(?=${mark})|(?:\b|(?<=\\[nrtbf]))(?:(?<!authorization[\s\\:='\x22]{0,16})bearer|(?:token|(?:api|access|secret|private) key|secret)(?= is| was)))(?:${mark}\s?,\s{0,4}|[ \t](?:is|was)?:?[ \t]{0,2})(?:${mark})?)`,
  'iy',
);
const runValue = /[\w+/=.~%-]+/y;

function findNamedRun(text: string, from: number): Found | null {
  spacedName.lastIndex = from;
  const name = spacedName.exec(text)?.[1];
  if (name === undefined) return null;
  const kind = labelKinds.find(({ label }) => label.test(name));
  runValue.lastIndex = from;
  const value = runValue.exec(text)?.[0] ?? '';
  if (kind === undefined || openName.test(name) || !isToken(value, 'quoted')) return null;
  return { name: kind.name, from, to: from + value.length };
}

/** Not a secret if it only starts like one, and goes on like a name. */
function findKey(text: string, at: number, prefix: string): (Found & { isSecret: boolean }) | null {
  let found = null;
  for (const { name, pattern, isSecret } of kindsByPrefix.get(prefix) ?? []) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) continue;
    const { before = '', kept = '' } = match.groups ?? {};
    const from = at - before.length + kept.length;
    const body = kept === '' ? match[1] : undefined;
    found = { name, from, to: pattern.lastIndex, isSecret: body === undefined || isSecret(body) };
    if (found.isSecret) break;
  }
  return found;
}

function redactSigned(text: string, mark: ToMarker, kinds: readonly SignKind[] = signKinds): string {
  // Most texts have none of them, and one pattern says so in a fifth of the time that a search for each takes.
  if (!anySign.test(text)) return text;
  let left = text;
  for (const sign of signs) if (text.includes(sign)) left = redactBySign(left, sign, mark, kinds);
  return left;
}

const signs = [...new Set(signKinds.flatMap((kind) => kind.signs))];
const anySign = new RegExp(signs.map((sign) => sign.replace(/\W/g, '\\$&')).join('|'));

function redactBySign(text: string, sign: string, mark: ToMarker, kinds: readonly SignKind[]): string {
  let left = text;
  for (const { name, signs, within, pattern, isSecret, toMarked } of kinds) {
    if (!signs.includes(sign) || within?.some((word) => left.includes(word)) === false) continue;
    const toMarkerOf = (secret: string) => mark(name, secret);
    left = left.replace(pattern, (whole: string, kept: string, secret: string) =>
      isSecret?.(secret) === false ? whole : kept + (toMarked ?? ((all, by) => by(all)))(secret, toMarkerOf),
    );
  }
  return left;
}

/** How names end that may be those of secrets, and what may follow that. */
const labelEnds =
  'password passwort kennwort senha passwd passphrase passcode pass pwd pw secret secrets secret_key_base secretkeybase credential credentials token authorization auth jwt sig signature pat key bearer mnemonic phrase cookie cookies data value default thin';
const labelTails = 'prod production dev staging test live main old new';
const labelTail = `(?:[_-]?(?:${labelTails.replaceAll(' ', '|')}|v?\\d{1,2}))?`;
const labelPattern = new RegExp(`(?:${labelEnds.replaceAll(' ', '|')})(?=${labelTail}$)`, 'i');

/** The last two letters of each of these, as a quick look at what is before a colon. */
const endsLabel = new Uint8Array(0x1_0000);
for (const word of `${labelEnds} ${labelTails}`.split(' '))
  endsLabel[(word.charCodeAt(word.length - 2) << 8) | word.charCodeAt(word.length - 1)] = 1;
const isDigit = (code: number) => code >= 0x30 && code <= 0x39;

function mayEndLabel(units: Uint16Array, at: number): boolean {
  let to = at;
  while (to > 0 && at - to < maxAfterName && isAfterName[units[to - 1] as number] === 1) to--;
  let end = to;
  while (end > 0 && to - end < 2 && isDigit(units[end - 1] as number)) end--;
  if (end > 0 && end < to && isBeforeNumber[units[end - 1] as number] === 1) end--;
  if (end < 2) return false;
  return endsLabel[(((units[end - 2] as number) | 0x20) << 8) | (units[end - 1] as number) | 0x20] === 1;
}

/** From the sign of an assignment to the value; there may be a type, or the user of a password, between them. */
const assignment = new RegExp(
  String.raw`(?::[ \t]{0,2}(?:str|string|&str|&'static str)[ \t]{0,2}=|:=|=>|={1,3}|:|>)(?:\s|\\{1,7}[nt]){0,4}(?:\(\s{0,2}${mark}[^"'\\]{1,64}${mark},\s{0,2}(?=${mark}))?(?=[^\s=])`,
  'iy',
);
const scheme = `(?:(?:bearer|basic|token|digest|apikey|api-key|key|ssws|bot|negotiate|splunk|geniekey)(?: {1,4}|%20))?`;

/** Up to its quote; or up to where a shell, a URL or code would end it. */
const quotedValue = new RegExp(
  String.raw`(?:[bfru@]{0,2})(\\{0,7}(["'\x60]))${scheme}((?:(?!\2)[^\\\r\n\f\v]|\\{1,7}\/){1,200})`,
  'iy',
);
const bareValue = new RegExp(String.raw`${scheme}((?:[!#-&(-;=?-[\]^_a-~]|\\{1,7}\/){1,200})`, 'iy');
const restOfValue = /(?:[A-Za-z0-9+/=_.~%-]|\\{1,7}\/)*/y;

/** Every sign of an assignment is looked at: they are found faster than names, and few come after one that matters. */
function redactLabelled(text: string, mark: ToMarker): string {
  let left = text;
  let units = readCodeUnits(text);
  for (const sign of text.includes('</') ? [':', '=', '>'] : [':', '=']) {
    const edit = new Edit(left, mark);
    if (left !== text) units = readCodeUnits(left);
    for (let at = left.indexOf(sign); at >= 0; ) {
      const found = mayEndLabel(units, at) ? findLabelled(left, at) : null;
      if (found !== null) edit.replace(found);
      at = left.indexOf(sign, found?.to ?? at + 1);
    }
    left = edit.toString();
  }
  return left;
}

function findLabelled(text: string, at: number): Found | null {
  const to = findLabelEnd(text, at);
  const from = findNameStart(text, to);
  const before = text.slice(Math.max(0, from - 120), from);
  const written = text.slice(from, to);
  const name = /(?:^|\.)(?:value|default)$/i.test(written) ? (besideValue.exec(before)?.[1] ?? '') : written;
  if (!labelPattern.test(name)) return null;
  const bareName = name.replace(labelTailPattern, '');
  const kind = labelKinds.find(({ label }) => label.test(bareName));
  if (kind === undefined || openName.test(bareName) || openCamel.test(bareName)) return null;
  assignment.lastIndex = at;
  const separator = assignment.exec(text)?.[0];
  // What a test runner prints: `PASS: src/a.test.ts`.
  if (separator === undefined || (name === 'PASS' && separator.startsWith(':'))) return null;
  return findValue(text, kind, { name, before, separator, from: assignment.lastIndex });
}

/** Where the name before a sign ends, without its quote and white space. */
function findLabelEnd(text: string, at: number): number {
  let end = at;
  while (at - end < maxAfterName && isAfterName[text.charCodeAt(end - 1)] === 1) end--;
  return end;
}

function findNameStart(text: string, to: number): number {
  let start = to;
  while (to - start < 80 && isInName[text.charCodeAt(start - 1)] === 1) start--;
  // In JSON that was not read, `\\n` may be before it.
  return to - start > 2 && text[start - 1] === '\\' && 'nrtbf'.includes(text[start] as string)
    ? start + 1
    : start;
}

const labelTailPattern = new RegExp(`(?<=[A-Za-z])${labelTail}$`, 'i');

/** The name of something whose value is written beside it. */
const besideValue = new RegExp(
  String.raw`(?:(?:name|key)(?:${mark})?\s{0,4}[:=]\s{0,4}|variable )(?:${mark})?([\w.-]{2,80})(?:${mark})?(?:(?:[\s,{]|\\{1,7}n){1,20}|[^\n=]{0,20}\{[^{}]{0,60}(?:\s|\\{1,7}n))(?:${mark})?[\w.[\]]{0,60}$`,
  'i',
);

interface Assignment {
  readonly name: string;
  readonly before: string;
  readonly separator: string;
  /** Where the value starts, or its quote. */
  readonly from: number;
}

function findValue(text: string, kind: LabelKind, assigned: Assignment): Found | null {
  quotedValue.lastIndex = assigned.from;
  const quoted = quotedValue.exec(text)?.[3];
  if (quoted !== undefined) {
    const from = quotedValue.lastIndex - quoted.length;
    // A further assignment inside the value is found by its own name.
    if (innerLabel.test(quoted)) return null;
    const isSecret = assigned.separator.includes('(') ? isPassword : kind.isSecret;
    return isSecret(quoted, 'quoted') ? toFound(text, kind.name, from, quoted) : null;
  }
  bareValue.lastIndex = assigned.from;
  const value = bareValue.exec(text)?.[1];
  if (value === undefined) return null;
  const from = bareValue.lastIndex - value.length;
  const writing = readWriting(text, assigned, value, from);
  const whole = trimValue(value, writing);
  if (innerLabel.test(whole)) return null;
  if (writing !== 'quoted' && isReference(whole, 'bare') && !/^[A-Za-z0-9+/]{40,}={0,2}$/.test(whole))
    return null;
  return kind.isSecret(whole, writing) ? toFound(text, kind.name, from, whole) : null;
}

const innerLabel = new RegExp(`(?:${labelEnds.replaceAll(' ', '|')})\\s?[:=]`, 'i');

/** A value is looked at up to 200 characters; all of a longer one is removed. */
function toFound(text: string, name: string, from: number, value: string): Found {
  restOfValue.lastIndex = from + value.length;
  if (value.length >= 190) restOfValue.test(text);
  return { name, from, to: restOfValue.lastIndex };
}

/** Names of what is known to everybody, or is a key or a token of another sense. */
const openWords =
  'public publishable cache primary foreign partition sort idempotency page next continuation sync csrf xsrf cancellation max min num total count site anon verify reset';
const openList = openWords.split(' ').join('|');
const openName = new RegExp(`(?:^|[^A-Za-z])(?:${openList})[_-]?(?:token|key)$|^X-Amz-Credential$`, 'i');
const openCamel = new RegExp(
  `(?:${openWords.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()).replaceAll(' ', '|')})(?:Token|Key)$`,
);

/** A value without quotes may be written out, as in a file of settings, or be the name of something, as in code. */
function readWriting(
  text: string,
  { name, before, separator }: Assignment,
  value: string,
  from: number,
): Writing {
  const end = from + value.length;
  const isAtEnd = /^[ \t]*(?:[\r\n\\"'`]|$)/.test(text.slice(end, end + 4));
  if (separator === '=') {
    if (/^[A-Z][A-Z0-9_]+$/.test(name)) return isAtEnd && !/[,;)}\]]$/.test(value) ? 'line' : 'setting';
    return /[;&?]$|--$/.test(before) || name.startsWith('--') ? 'setting' : 'bare';
  }
  const isLine =
    /^:\s/.test(separator) && /(?:^|[\n\r]|\\n)[^\w\n]{0,20}(?:\d{1,6}[→\t:| ]\s{0,20})?$/.test(before);
  return isLine && isAtEnd && !/[,;)}\]]$/.test(value) && !isReference(value, 'bare') ? 'quoted' : 'bare';
}

/** On a line of its own a value may contain anything but spaces; elsewhere these end it. */
function trimValue(value: string, writing: Writing): string {
  return writing === 'quoted' || writing === 'line' ? value : (/^[^,;&|)}\]]*/.exec(value)?.[0] ?? '');
}

/** The start of a key with a prefix, or of what follows a label, at the end of a text. */
const cutKey = new RegExp(
  `(?<![A-Za-z0-9])(?:${escapeAll(prefixes.filter((prefix) => /^[A-Za-z].{2}/.test(prefix)).join('|'))})([A-Za-z0-9_.-]*)$`,
);
const cutValue = new RegExp(
  String.raw`(?:${labelEnds.replaceAll(' ', '|')})${labelTail}(?:${mark})?[ \t]{0,4}[:=][ \t]{0,4}(?:${mark})?${scheme}([^\s"'\x60\\<>]{1,400})$`,
  'i',
);

/** No text is cut to fewer characters than about this; a shorter one ends as it was written, with a port or a label, say. */
const minCutChars = 390;

/** The same for a text that may have been cut: the start of a secret at its end is removed too. */
export function redactCut(text: string): string {
  let left = redact(text);
  if (text.length >= minCutChars) {
    for (const { signs, cutPattern } of signKinds)
      if (cutPattern !== undefined && signs.some((sign) => left.includes(sign)))
        left = left.replace(cutPattern, '$1[redacted]');
    left = redactEnd(left, cutValue, isStartOfSecret);
  }
  return redactEnd(left, cutKey, (body) => !isName(body), true);
}

/** The last group of a pattern that ends where the text does, or all of its match. */
function redactEnd(
  text: string,
  pattern: RegExp,
  isSecret: (value: string) => boolean,
  isAll = false,
): string {
  const match = pattern.exec(text.slice(-1000));
  if (match === null || !isSecret(match[1] ?? '')) return text;
  return `${text.slice(0, -(match[isAll ? 0 : 1] as string).length)}[redacted]`;
}
