// What the ranking knows about one message: how often each term occurs in it, and how close together they
// are.

import { findOccurrences, foldText, type Occurrence } from '../text/occurrences.ts';
import type { Term } from './query/parse-query.ts';

export interface TextFeatures {
  readonly counts: readonly number[];
  readonly exactCounts: readonly number[];
  readonly closeness: number;
}

/** Query words that are further apart than this are unrelated. */
const nearChars = 8 * 6;
/** Average characters per word, for distances. */
const charsPerWord = 6;

/** `weights` is parallel to `terms`. */
export function toFeatures(text: string, terms: readonly Term[], weights: readonly number[]): TextFeatures {
  const folded = foldText(text);
  const occurrences = terms.map((term) => findOccurrences(folded, term.forms));
  return {
    counts: occurrences.map((found) => found.length),
    exactCounts: occurrences.map(countExact),
    closeness: toCloseness(terms, occurrences, weights),
  };
}

function countExact(occurrences: readonly Occurrence[]): number {
  let count = 0;
  for (let i = 0; i < occurrences.length; i++) if (occurrences[i]?.isExact) count++;
  return count;
}

/**
 * Only neighbours in the query count, and only the closest occurrence of each pair: `counts` covers
 * repetition.
 */
function toCloseness(
  terms: readonly Term[],
  occurrences: readonly Occurrence[][],
  weights: readonly number[],
): number {
  // A compound is close to its own words wherever it is.
  const strong = terms.flatMap((term, i) =>
    term.strength === 'weak' || (!term.isPart && terms[i + 1]?.isPart) ? [] : [i],
  );
  let closeness = 0;
  for (let n = 1; n < strong.length; n++) {
    const [a = 0, b = 0] = [strong[n - 1], strong[n]];
    const distance = closestDistance(occurrences[a] ?? [], occurrences[b] ?? []);
    if (distance > nearChars) continue;
    closeness += Math.min(weights[a] ?? 0, weights[b] ?? 0) / Math.sqrt(Math.max(1, distance / charsPerWord));
  }
  return closeness;
}

function closestDistance(first: readonly Occurrence[], second: readonly Occurrence[]): number {
  let closest = Number.POSITIVE_INFINITY;
  let j = 0;
  for (const a of first) {
    while (j > 0 && (second[j]?.start ?? 0) > a.start) j--;
    for (; j < second.length; j++) {
      const b = second[j];
      if (b === undefined) break;
      closest = Math.min(closest, Math.abs(b.start - a.start));
      if (b.start > a.start) break;
    }
    if (j >= second.length) j = Math.max(0, second.length - 1);
  }
  return closest;
}
