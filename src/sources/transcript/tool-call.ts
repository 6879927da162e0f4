// Tool text: what a tool was pointed at, what it was given and what it answered, as it is searched. Of a long text the head and the
// tail stay, and of what is between them the names and the lines that report trouble: docs/ranking.md has the figures.

import { withoutEscapes } from '../../text/printable.ts';
import {
  closeEnd,
  closeStart,
  joinCut,
  markAsOnlyShown,
  toSearchedText,
  withoutMarks,
} from '../../text/tool-text.ts';
import { isObject, type JsonObject, stringField, toExcerpt } from '../json/json-value.ts';
import { type EntryToolCall, toNames } from './entry.ts';

/** Code that was written is worth more than what a tool printed, of which the start and the end say what happened. */
const maxInput = { head: 6000, tail: 2000 } as const;
const maxOutput = { head: 1400, tail: 600 } as const;

/** Values of one input; nobody writes so many, but a broken file may hold any number. */
const maxValues = 1000;

export function toToolCall(id: string | null, name: string, input: JsonObject | null): EntryToolCall {
  const given = input ?? {};
  return { id, name, target: toToolTarget(given), input: toInputText(given), given };
}

/** None where it has no name. */
export function toToolCalls(id: string | null, name: string | null, input: JsonObject | null) {
  return name === null ? [] : [toToolCall(id, name, input)];
}

/** With the names of several values, and with values that are no strings: both are shown and not searched. */
export function toInputText(given: unknown): string {
  const values: GivenValue[] = [];
  gather('', given, values, 0);
  if (!values.some(({ text }) => text !== '')) return '';
  if (values.length === 1) return values[0]?.text ?? '';
  let isFirst = true;
  let stored = '';
  for (const { name, text, shown } of values) {
    const named = `${name}:${text.includes('\n') ? '\n' : ' '}${shown}`;
    const lineEnd = stored === '' ? '' : '\n';
    // Two searched texts are separated by a line end, whether or not the names between them are shown.
    stored += isFirst || text === '' ? markAsOnlyShown(`${lineEnd}${named}`) : `\n${markAsOnlyShown(named)}`;
    stored += text;
    if (text !== '') isFirst = false;
  }
  return stored;
}

export function toOutputText(output: string): string {
  const bare = withoutEscapes(output);
  const plain = bare.includes('<system-reminder>') ? bare.replace(reminder, '') : bare;
  return isEncoded(plain) ? '' : plain;
}

/** What is stored and searched. Apart from gathering, because secrets are taken out before: half of one would not be recognised. */
export function cutToolText(text: string, isOutput: boolean): string {
  return isOutput ? cutText(text, maxOutput, withoutMarks) : cutText(text, maxInput);
}

const reminder = /<system-reminder>[\s\S]*?(?:<\/system-reminder>|$)/g;

interface GivenValue {
  /** With the names of what it is in: `edits[0].old`. */
  readonly name: string;
  /** Empty where there is nothing to search. */
  readonly text: string;
  readonly shown: string;
}

function gather(path: string, value: unknown, values: GivenValue[], depth: number): void {
  if (values.length >= maxValues || depth > 8) return;
  if (Array.isArray(value))
    for (const [i, item] of value.entries()) gather(`${path}[${i}]`, item, values, depth + 1);
  else if (isObject(value))
    for (const [key, item] of Object.entries(value))
      gather(path === '' ? key : `${path}.${key}`, item, values, depth + 1);
  else {
    const name = withoutMarks(path);
    if (typeof value !== 'string') values.push({ name, text: '', shown: String(value) });
    else if (isEncoded(value)) values.push({ name, text: '', shown: '(encoded)' });
    else values.push({ name, text: withoutMarks(value), shown: '' });
  }
}

/** An image or another file as base64: no words. */
function isEncoded(text: string): boolean {
  return text.length > 400 && /^[\w+/=-]{400}/.test(text);
}

const targetFields =
  toNames(`file_path filePath notebook_path path command pattern url query description skill
  subagent_type`);

/** Long enough for any path and for the part of a command that matters; a here-document is cut. */
const maxTargetChars = 400;

export function toToolTarget(input: JsonObject): string | null {
  for (const name of targetFields) {
    const value = stringField(input, name);
    if (value !== null) return value;
  }
  return null;
}

/** What is stored of a target. Apart, for the same reason as cutToolText. */
export function cutTarget(target: string): string {
  return toExcerpt(target, maxTargetChars);
}

/** How many characters between head and tail are searched for names and trouble. */
const maxBetween = 16_000;
const maxNames = 60;
const maxLines = 8;

/** What was left out is counted where it was, and what was found there is only searched. `clean` is for what stays. */
export function cutText(
  text: string,
  { head, tail }: { readonly head: number; readonly tail: number },
  clean = (part: string) => part,
): string {
  if (text.length <= head + tail) return clean(text);
  // Cut between words where there is a space nearby.
  const start = closeStart(clean(text.slice(0, head)).replace(/\S{0,40}$/, ''));
  const end = closeEnd(clean(text.slice(-tail)).replace(/^\S{0,40}/, ''));
  const between = text.slice(start.length, text.length - end.length);
  const looked = toSearchedText(clean(between.slice(0, maxBetween)));
  const found = [findNames(looked).join(' '), ...findTrouble(looked)].filter((line) => line !== '');
  return joinCut(start, between.length, found, end).toWellFormed();
}

/** Longer ones are hashes or encoded data. */
const maxNameChars = 64;

/** What shows that a word is a name: a capital after a small letter, or something after an underscore. */
const sign = /[a-zß-ÿ][A-ZÀ-Þ]|_[\dA-Za-zÀ-ÿ]/g;
const notInName = /[^\wÀ-ÿ]/;

/** Names that only code has, such as get_user and getUser, each once. */
function findNames(text: string): string[] {
  const names = new Set<string>();
  sign.lastIndex = 0;
  for (let found = sign.exec(text); found !== null && names.size < maxNames; found = sign.exec(text)) {
    let [from, to] = [found.index, sign.lastIndex];
    while (from > 0 && !notInName.test(text.charAt(from - 1))) from--;
    while (to < text.length && !notInName.test(text.charAt(to))) to++;
    if (to - from <= maxNameChars) names.add(text.slice(from, to));
    sign.lastIndex = to;
  }
  return [...names];
}

const trouble = /error|exception|fail(?:ed|ure)|not found|cannot|denied|fatal|panic|warning/gi;
/** What is taken of a long line, before and after the word. */
const charsBefore = 80;
const charsAfter = 120;

function findTrouble(text: string): string[] {
  const lines = new Set<string>();
  trouble.lastIndex = 0;
  for (let found = trouble.exec(text); found !== null && lines.size < maxLines; found = trouble.exec(text)) {
    const from = Math.max(text.lastIndexOf('\n', found.index) + 1, found.index - charsBefore);
    const lineEnd = text.indexOf('\n', found.index);
    const to = Math.min(lineEnd < 0 ? text.length : lineEnd, found.index + charsAfter);
    lines.add(text.slice(from, to));
    trouble.lastIndex = to;
  }
  return [...lines];
}
