// Cuts a long text to what it is likely to be searched by: its head and its tail, and of what is between them the names and
// the lines that report trouble. Most of what was not found had been cut off: docs/ranking.md has the figures.

import { closeEnd, closeStart, joinCut, toSearchedText } from '../../text/tool-text.ts';

export interface Extent {
  readonly head: number;
  readonly tail: number;
}

/** Of what is between head and tail, so much is looked at. */
const maxBetween = 16_000;
const maxNames = 60;
const maxLines = 8;

/**
 * As it is stored: what was left out is counted where it was, and what was found there is only searched. `clean` is applied to
 * what stays, which is less than the whole.
 */
export function cutText(text: string, { head, tail }: Extent, clean = (part: string) => part): string {
  if (text.length <= head + tail) return clean(text);
  // Both end between words where there is a space near.
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

/** Lines that report trouble, each once. */
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
