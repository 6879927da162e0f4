// The text of the work: what a tool was pointed at, what it was given and what it answered, as it is searched. Long text is cut, and what
// machinery puts there for the model is left out.

import { withoutEscapes } from '../../text/escapes.ts';
import { markAsOnlyShown, withoutMarks } from '../../text/tool-text.ts';
import { isObject, type JsonObject, stringField, toExcerpt } from '../json/json-value.ts';
import { cutText } from './cut-text.ts';
import type { EntryToolCall } from './entry.ts';

/** Code that was written is worth more than what a tool printed, of which the start and the end say what happened. */
const maxInput = { head: 6000, tail: 2000 } as const;
const maxOutput = { head: 1400, tail: 600 } as const;

/** Values of one input; nobody writes so many, but a broken file may hold any number. */
const maxValues = 1000;

export function toToolCall(id: string | null, name: string, given: JsonObject): EntryToolCall {
  return { id, name, target: toToolTarget(given), input: toInputText(given), given };
}

/**
 * All strings that a tool was given. With the name of each value, unless there is only one, and with the values that are no
 * strings: both are shown and not searched. Empty where there is nothing to search.
 */
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
    // Between two texts that are searched there is a line end for both readers.
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
export function cutWork(text: string, isOutput: boolean): string {
  return isOutput ? cutText(text, maxOutput, withoutMarks) : cutText(text, maxInput);
}

const reminder = /<system-reminder>[\s\S]*?(?:<\/system-reminder>|$)/g;

interface GivenValue {
  /** With the names of what it is in: `edits[0].old`. */
  readonly name: string;
  /** Empty where there is nothing to search. */
  readonly text: string;
  /** In its place. */
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

/** What a tool may be pointed at. */
const targetFields = [
  'file_path',
  'filePath',
  'notebook_path',
  'path',
  'command',
  'pattern',
  'url',
  'query',
  'description',
  'skill',
  'subagent_type',
] as const;

/** Long enough for any path and for the part of a command that matters; a here-document is cut. */
const maxTargetChars = 400;

/** The one field of a tool's input that is kept as it is. */
export function toToolTarget(input: JsonObject): string | null {
  for (const name of targetFields) {
    const value = stringField(input, name);
    if (value !== null) return value;
  }
  return null;
}

/** What is stored of a target. Apart, for the same reason as cutWork. */
export function cutTarget(target: string): string {
  return toExcerpt(target, maxTargetChars);
}
