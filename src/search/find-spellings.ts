// Near spellings of a word that occurs nowhere: words of the index that differ by one letter, or by two in a
// long word.

import type { Database } from '../store/open/database.ts';
import { readVocabulary } from '../store/read/vocabulary.ts';
import { editDistance } from '../text/compare.ts';
import type { Term } from './query/parse-query.ts';

const maxSpellings = 3;

/** Most likely first; empty for phrases, prefixes, numbers and short words. */
export function findSpellings(db: Database, term: Term): string[] {
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
