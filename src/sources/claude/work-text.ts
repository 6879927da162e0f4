// The text of the work: what a tool was given and what it answered, as it is searched. Long text is cut to its head and
// tail, and what machinery puts there for the model is left out.

import { isObject } from '../json/json-value.ts';

/**
 * Code that was written is worth more than what a tool printed, of which the start and the end say what happened. Most of
 * what is not found was cut off here: with 800 + 400 characters of output, and none of files that were read, work items
 * have 64.5/79.0 (hit@1/hit@5) instead of 70.0/84.0; the index of a real home is a tenth smaller.
 */
const maxInput = { head: 6000, tail: 2000 } as const;
const maxOutput = { head: 1400, tail: 600 } as const;

/** Strings of one input; nobody writes so many, but a broken file may hold any number. */
const maxStrings = 1000;

/** All strings that a tool was given. */
export function toInputText(input: unknown): string {
  const texts: string[] = [];
  gather(input, texts, 0);
  return texts.join('\n');
}

export function toOutputText(output: string): string {
  const plain = output.includes('<system-reminder>') ? output.replace(reminder, '') : output;
  return isEncoded(plain) ? '' : plain;
}

/** Apart from gathering, because secrets are taken out before: half of one would not be recognised. */
export function cutWork(text: string, isOutput: boolean): string {
  return cut(text, isOutput ? maxOutput : maxInput);
}

const reminder = /<system-reminder>[\s\S]*?(?:<\/system-reminder>|$)/g;

function gather(value: unknown, texts: string[], depth: number): void {
  if (texts.length >= maxStrings || depth > 8) return;
  if (typeof value === 'string') {
    if (value !== '' && !isEncoded(value)) texts.push(value);
  } else if (Array.isArray(value)) for (const item of value) gather(item, texts, depth + 1);
  else if (isObject(value)) for (const item of Object.values(value)) gather(item, texts, depth + 1);
}

/** An image or another file as base64: no words. */
function isEncoded(text: string): boolean {
  return text.length > 400 && /^[\w+/=-]{400}/.test(text);
}

/** Between words where there is one near. */
function cut(text: string, { head, tail }: { readonly head: number; readonly tail: number }): string {
  if (text.length <= head + tail) return text;
  const start = text.slice(0, head).replace(/\S{0,40}$/, '');
  const end = text.slice(-tail).replace(/^\S{0,40}/, '');
  return `${start}\n${end}`.toWellFormed();
}
