// Which words of a long text are searched for. A pasted error names a file, an error and some functions; the rest of it is
// what every error says.

import type { Term } from './parse-query.ts';

const file = /[^\s/\\]\.[A-Za-z]\w{0,9}(?:[:#(]L?\d+.*)?["'`)\],;:.]*$/;
const errorName =
  /^[^\w]*(?:\w+[.:])*[A-Z]\w*(?:Error|Exception|Warning|Fault|Panic)\b|^[^\w]*(?:E[A-Z]{3,}|[A-Z]+\d{3,})\b/;
const identifier = /[a-z][A-Z]|\w_\w|\w\.\w|::/;

/** In the order in which they were typed. */
export function pickTerms(terms: readonly Term[], most: number): readonly Term[] {
  if (terms.length <= most) return terms;
  return terms
    .map((term, i) => ({ term, i, worth: toWorth(term) }))
    .sort((a, b) => b.worth - a.worth || a.i - b.i)
    .slice(0, most)
    .sort((a, b) => a.i - b.i)
    .map(({ term }) => term);
}

/** The words of a compound come last: the compound itself is there. */
function toWorth({ text, strength, isPart }: Term): number {
  if (isPart) return 1;
  if (file.test(text)) return 5;
  if (errorName.test(text)) return 4;
  if (strength !== 'strong') return 0;
  return identifier.test(text) ? 3 : 2;
}
