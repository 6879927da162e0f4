// Which texts of tools are ranked for a word that is in very many of them, and which sessions have it.

import type { Matcher } from '../store/read/match.ts';
import { toSessionOfWork } from '../store/row-ids.ts';
import { countRuns, type FoundTerm, joinTerms } from './find-terms.ts';

export const maxCommonListed = 1000;
/** Texts that are counted for a word that is everywhere: FTS5 goes through 100,000 in some ten milliseconds. */
const maxWorkCounted = 20_000;

/**
 * Of words that are in very many texts, those texts are ranked that also hold a rarer word, which FTS5 finds quickly; where all
 * words are that common, the newest of the rarest. Which sessions hold the word at all has to be known where every word has to
 * be in a session; in a sentence every word is a hint, and some of them will do.
 */
export function withCommonWork(
  matcher: Matcher,
  terms: readonly FoundTerm[],
  countsAll: boolean,
): FoundTerm[] {
  const common = terms.filter((term) => term.isCommonInWork);
  if (common.length === 0) return [...terms];
  const rare = terms.filter((term) => !term.isCommonInWork && term.work.size > 0);
  const rarest = common.reduce((a, b) => (b.messages.length < a.messages.length ? b : a));
  const kept = rare.length > 0 ? rare : [rarest];
  return terms.map((term) => {
    if (!term.isCommonInWork) return term;
    const beside = `(${term.expression}) AND (${joinTerms(kept, 'OR')})`;
    const ids = kept.includes(term) ? [...term.work.keys()] : matcher.listWorkIds(beside, maxCommonListed);
    return {
      ...term,
      work: new Map(ids.map((id) => [id, null])),
      ...(countsAll ? countWork(matcher, term) : { workBySession: countRuns(ids, toSessionOfWork) }),
    };
  });
}

function countWork(matcher: Matcher, { expression }: FoundTerm) {
  const counts = matcher.countWork(expression, maxWorkCounted);
  const counted = counts.reduce((sum, [, count]) => sum + count, 0);
  return { workBySession: new Map(counts), isWorkCut: counted === maxWorkCounted };
}
