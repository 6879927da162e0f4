// Near spellings of a word that stands nowhere: words of the index that differ in one letter, or two in a long word.

import type Database from 'better-sqlite3';
import { readVocabulary } from '../store/vocabulary.ts';
import type { Term } from './parse-query.ts';

const maxSpellings = 3;

/** The likeliest first; empty for phrases, prefixes, numbers and short words. */
export function findSpellings(db: Database.Database, term: Term): string[] {
  const [form] = term.forms;
  const word = form?.tokens[0] ?? '';
  if (term.forms.length !== 1 || form?.match !== 'stem' || word.length < 4 || /\d/.test(word)) return [];
  const allowed = word.length < 8 ? 1 : 2;
  return readVocabulary(db, word, allowed)
    .map(({ term: candidate, documents }) => ({
      candidate,
      documents,
      distance: editDistance(word, candidate, allowed),
    }))
    .filter(({ distance }) => distance <= allowed)
    .sort(
      (a, b) => a.distance - b.distance || b.documents - a.documents || (a.candidate < b.candidate ? -1 : 1),
    )
    .slice(0, maxSpellings)
    .map(({ candidate }) => candidate);
}

/** Letters added, left out, changed or swapped with their neighbour; gives up past `limit`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        value = Math.min(value, (beforeLast[j - 2] ?? 0) + 1);
      row.push(value);
    }
    if (Math.min(...row) > limit) return limit + 1;
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
