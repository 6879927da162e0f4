// Which messages are worth a look at their text: the best by FTS5's own measure where that can be had in time, and what
// common words can tell where it cannot.

import type { SessionSpan } from '../store/read/index-facts.ts';
import type { Matcher } from '../store/read/match.ts';
import { toSessionId } from '../store/row-ids.ts';
import { type FoundTerm, isFound, joinTerms } from './find-terms.ts';

/** Messages whose text is looked at; past these, more change nothing in the first results. */
export const maxMessages = 600;

/** What part of the index was gone through before the list of a common word was full. */
export function toListedShare({ messages, isCommon }: FoundTerm, { first, last }: SessionSpan): number {
  if (!isCommon) return 1;
  const oldest = toSessionId(messages.at(-1) ?? 0);
  return Math.min(1, Math.max(0.001, (last - oldest + 1) / Math.max(1, last - first + 1)));
}

/** Messages that FTS5 weighs for one search. A rare word decides; what a common one adds, the ranking adds. */
const maxWeighed = 10_000;

/**
 * 0. All messages with any of the terms, where they are few.
 * 1. Else the best messages with any of the terms, the rarest of them first as long as there are not too many.
 * 2. Where a term was left out for that, also the newest messages that hold all of the terms. FTS5 would first go through
 *    every place of each term to say which of them are best.
 * 3. Where all terms are common and no message holds them together, the newest with any of them.
 */
export function matchMessages(
  matcher: Matcher,
  terms: readonly FoundTerm[],
  span: SessionSpan,
  maxOfCommon: number,
): number[] {
  const found = terms.filter(isFound);
  const listed = found.reduce((sum, term) => sum + term.messages.length, 0);
  if (listed <= maxMessages) return found.flatMap((term) => term.messages);
  const weighed = chooseWeighed(found, (term) => term.messages.length / toListedShare(term, span));
  const matched = weighed.length === 0 ? [] : matcher.bestMessages(joinTerms(weighed, 'OR'), maxMessages);
  if (weighed.length === found.length) return matched;
  const all = joinTerms(found, 'AND');
  matched.push(...matcher.listMessages(all, maxOfCommon).ids);
  if (matched.length === 0) matched.push(...found.flatMap((term) => term.messages.slice(0, maxOfCommon)));
  return matched;
}

/** `count` says in how many messages a term stands, about. */
function chooseWeighed(terms: readonly FoundTerm[], count: (term: FoundTerm) => number): FoundTerm[] {
  let room = maxWeighed;
  return [...terms]
    .sort((a, b) => count(a) - count(b))
    .filter((term) => {
      room -= count(term);
      return room >= 0;
    });
}
