// Which messages are worth reading: the best by FTS5's own ranking where that is fast enough, and what the
// lists of common words offer where it is not.

import type { SessionSpan } from '../store/read/index-facts.ts';
import type { Matcher } from '../store/read/match.ts';
import { toSessionId } from '../store/row-ids.ts';
import { type FoundTerm, isFound, joinTerms } from './find-terms.ts';

/** How many messages are read; more than this change nothing in the first results. */
export const maxMessages = 600;

/** The share of the index that was covered before the list of a common word was full. */
export function toListedShare({ messages, isCommon }: FoundTerm, { first, last }: SessionSpan): number {
  if (!isCommon) return 1;
  const oldest = toSessionId(messages.at(-1) ?? 0);
  return Math.min(1, Math.max(0.001, (last - oldest + 1) / Math.max(1, last - first + 1)));
}

/** How many messages FTS5 ranks in one search. A rare word decides; our own ranking adds the common ones. */
const maxWeighed = 5000;

/**
 * 1. The best messages with any of the terms, adding terms from the rarest up until there are too
 *    many messages.
 * 2. If a term was left out for that reason, also the newest messages that contain all of the terms. To find
 *    the best of them, FTS5 would first have to go through every occurrence of each term.
 * 3. If all terms are common and no message contains all of them, the newest messages with any of them.
 */
export function matchMessages(
  matcher: Matcher,
  terms: readonly FoundTerm[],
  span: SessionSpan,
  maxOfCommon: number,
): number[] {
  const found = terms.filter(isFound);
  const weighed = chooseWeighed(found, (term) => term.messages.length / toListedShare(term, span));
  const matched = weighed.length === 0 ? [] : matcher.bestMessages(joinTerms(weighed, 'OR'), maxMessages);
  if (weighed.length === found.length) return matched;
  if (found.length > 1) matched.push(...matcher.listMessages(joinTerms(found, 'AND'), maxOfCommon).ids);
  if (matched.length === 0) matched.push(...found.flatMap((term) => term.messages.slice(0, maxOfCommon)));
  return matched;
}

/** `count` estimates how many messages contain a term. */
function chooseWeighed(terms: readonly FoundTerm[], count: (term: FoundTerm) => number): FoundTerm[] {
  let room = maxWeighed;
  return [...terms]
    .sort((a, b) => count(a) - count(b))
    .filter((term) => {
      room -= count(term);
      return room >= 0;
    });
}
