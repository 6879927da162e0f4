// What each work text offers to the ranking, from what FTS5 knows of it: its text is not stored. How often a term occurs in
// it follows from BM25, how close two terms are from asking for both within some words of each other.

import type { Matcher } from '../store/read/match.ts';
import { toSessionOfWork } from '../store/row-ids.ts';
import type { RankedTerm, RankedWork } from './evidence.ts';
import type { FoundTerm } from './find-terms.ts';
import { toNearExpression } from './query/forms.ts';

/** BM25 of one word without its rarity is at most this. */
const mostOfOne = 2.2;

/** Words apart, and what a pair of neighbours is then taken to be apart. */
const distances = [
  { within: 1, counts: 1 },
  { within: 8, counts: 3 },
] as const;

/** Pairs of neighbours that are asked for; a pasted page has hundreds. */
const maxPairs = 8;
const maxNear = 300;

/** By session. Only what holds a term that is not everywhere is worth a look, unless all of them are. */
export function weighWork(
  matcher: Matcher,
  terms: readonly FoundTerm[],
  weights: readonly RankedTerm[],
  workTexts: number,
): Map<number, RankedWork[]> {
  const found = new Map<number, { id: number; words: number; closeness: number }>();
  for (const [i, { work }] of terms.entries()) {
    const weight = weights[i]?.weight ?? 0;
    const rarity = toRarity(workTexts, work.size);
    for (const [id, bm25] of work) {
      const words = weight * (bm25 === null ? 1 : Math.min(mostOfOne, bm25 / rarity));
      const entry = found.get(id);
      if (entry === undefined) found.set(id, { id, words, closeness: 0 });
      else entry.words += words;
    }
  }
  for (const [id, closeness] of findClose(matcher, terms, weights)) {
    const entry = found.get(id);
    if (entry !== undefined) entry.closeness += closeness;
  }
  const bySession = new Map<number, RankedWork[]>();
  for (const work of found.values()) {
    const sessionId = toSessionOfWork(work.id);
    const texts = bySession.get(sessionId);
    if (texts === undefined) bySession.set(sessionId, [work]);
    else texts.push(work);
  }
  return bySession;
}

/** As FTS5 has it in BM25. */
function toRarity(total: number, count: number): number {
  return Math.max(0.1, Math.log((Math.max(total, count) - count + 0.5) / (count + 0.5)));
}

function findClose(
  matcher: Matcher,
  terms: readonly FoundTerm[],
  weights: readonly RankedTerm[],
): Map<number, number> {
  const close = new Map<number, number>();
  const findWords = (stem: string) => matcher.findForms(stem);
  for (const [a, b] of toNeighbours(terms).slice(0, maxPairs)) {
    const [first, second] = [terms[a], terms[b]];
    if (first === undefined || second === undefined) continue;
    const oldest = findOldestCommon(first, second);
    if (oldest === undefined) continue;
    const weight = Math.min(weights[a]?.weight ?? 0, weights[b]?.weight ?? 0);
    const seen = new Set<number>();
    for (const { within, counts } of distances) {
      const near = toNearExpression(first.term.forms, second.term.forms, within, findWords);
      if (near === null) continue;
      for (const id of matcher.listWorkIds(near, maxNear, oldest)) {
        if (seen.has(id)) continue;
        seen.add(id);
        close.set(id, (close.get(id) ?? 0) + weight / Math.sqrt(counts));
      }
    }
  }
  return close;
}

/**
 * Of the texts that were listed for both, the lowest id. Asking FTS5 how close two words are that never meet costs as much as
 * for two that do, and so do texts that are not listed.
 */
function findOldestCommon({ work: a }: FoundTerm, { work: b }: FoundTerm): number | undefined {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  let oldest: number | undefined;
  for (const id of few.keys()) if (many.has(id)) oldest = Math.min(oldest ?? id, id);
  return oldest;
}

/** A compound is close to its own words wherever it is. */
function toNeighbours(terms: readonly FoundTerm[]): [number, number][] {
  const words = terms.flatMap((_, i) => (terms[i + 1]?.term.isPart && !terms[i]?.term.isPart ? [] : [i]));
  return words.slice(1).map((b, n) => [words[n] ?? 0, b]);
}
