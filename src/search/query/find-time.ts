// A time in a question: "what did I do last week". On its own it says which sessions are meant; among other words it stays
// words, since dates are often part of what was said.

import { parseDate } from './parse-date.ts';
import type { Query } from './parse-query.ts';
import { toStrength } from './weak-words.ts';

export interface TypedTime {
  /** As typed: `last week`. */
  readonly phrase: string;
  /** The rest of the question asks for nothing else. */
  readonly isAlone: boolean;
  /** As a filter takes it: `2025-06`, `last week`. */
  readonly value: string;
}

/** What people call what they did, and their sessions. */
const wordsForAnything = new Set(
  'work worked working session sessions conversation conversations chat chats happen happened everything anything stuff show list'.split(
    ' ',
  ),
);

/** `Mon, Oct 6 2025` has the most words. */
const maxWords = 4;

export function findTime({ terms, excluded, filters }: Query, now: Date): TypedTime | undefined {
  if (filters.since !== undefined || filters.until !== undefined || excluded.length > 0) return undefined;
  const words = terms.filter((term) => !term.isPart).map(({ text }) => text.replace(/[?!.,;:]+$/, ''));
  // A phrase in quotes is to be found as it is.
  if (words.some((word) => /\s/.test(word))) return undefined;
  for (let count = Math.min(maxWords, words.length); count > 0; count--) {
    for (let at = 0; at + count <= words.length; at++) {
      const phrase = words.slice(at, at + count).join(' ');
      const range = isWord(phrase) ? null : parseDate(phrase, now);
      if (range === null) continue;
      const rest = [...words.slice(0, at), ...words.slice(at + count)].map((word) => word.toLowerCase());
      const isAlone = rest.every((word) => toStrength(word) !== 'strong' || wordsForAnything.has(word));
      return { phrase, isAlone, value: toValue(phrase, range) };
    }
  }
  return undefined;
}

/** `2025`, `7d` and `3m` may be anything. */
function isWord(phrase: string): boolean {
  return /^\d+[a-z]?$/i.test(phrase);
}

/** A month of a year is shorter as a number. */
function toValue(
  phrase: string,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): string {
  if (!/^[a-z]+ \d{4}$/i.test(phrase)) return phrase;
  const [from, to] = [new Date(fromMs), new Date(toMs)];
  const isMonth = from.getDate() === 1 && to.getMonth() === from.getMonth();
  return isMonth ? `${from.getFullYear()}-${String(from.getMonth() + 1).padStart(2, '0')}` : phrase;
}
