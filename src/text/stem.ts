// The stem of a word: what its forms have in common.

import { stemmer } from 'stemmer';

const knownStems = new Map<string, string>();
const maxKnownStems = 10_000;

/** FTS5 removes accents from Latin letters only, but people omit them in these scripts too. */
const accented = /[\u0390\u03ac-\u03b0\u03c2\u03ca-\u03ce\u0451\u1f00-\u1fff]/g;

function toPlainLetter(letter: string): string {
  return letter === 'ς' ? 'σ' : (letter.normalize('NFD')[0] ?? letter);
}

/**
 * The Porter stem of a lower-case English-looking word; a Greek or Russian word without its accents; any
 * other word itself.
 */
export function toStem(lower: string): string {
  if (!/^[a-z]+$/.test(lower)) return lower.replace(accented, toPlainLetter);
  if (lower.length < 4 || lower.length > 32) return lower;
  let stem = knownStems.get(lower);
  if (stem === undefined) {
    stem = stemmer(lower);
    if (knownStems.size >= maxKnownStems) knownStems.clear();
    knownStems.set(lower, stem);
  }
  return stem;
}
