// The messages of some sessions that match a query, by the rules of a search: words by their stem, phrases,
// prefixes, and near spellings if a word occurs nowhere; and of a tool's text the lines that hold the words.

import type { Role } from '../../records.ts';
import { findTerms, messagesWith } from '../../search/find-terms.ts';
import type { Query, Term } from '../../search/query/parse-query.ts';
import type { Store } from '../../store/open/open-store.ts';
import { Matcher, noLimit } from '../../store/read/match.ts';
import { toSessionsScope } from '../../store/read/scope.ts';
import { toMessageIdOfWork, toSeq, toSessionId } from '../../store/row-ids.ts';
import { findOccurrences, foldText } from '../../text/occurrences.ts';
import { type MarkedTerm, toSnippet } from '../../text/snippet.ts';

export interface Matches {
  /** The lines that match, by session. */
  readonly lines: ReadonlyMap<number, ReadonlySet<number>>;
  /** The texts of tools on these lines that hold some of the words. */
  readonly work: ReadonlySet<number>;
  /** The terms as they were searched for, for highlighting. */
  readonly terms: readonly Term[];
  /** No message contains all of the words. */
  readonly isPartial: boolean;
  readonly corrections: readonly (readonly [string, string])[];
}

export const noMatches: Matches = {
  ...{ lines: new Map(), work: new Set<number>(), terms: [], isPartial: false, corrections: [] },
};

/** Messages that contain all of the words; if there are none, those that contain any. */
export function findMatches(
  store: Store,
  sessionIds: readonly number[],
  query: Query,
  role: Role | null,
): Matches {
  const matcher = new Matcher(store.db, toSessionsScope(sessionIds, role));
  const found = findTerms(store, matcher, query.terms);
  const terms = found.terms.map(({ term }) => term);
  const inWork = new Set<number>();
  const byTerm = found.terms.map(({ term, expression, messages, work, isCommon, isCommonInWork }) => {
    const texts = isCommonInWork ? matcher.listWorkIds(expression, noLimit) : [...work.keys()];
    for (const id of texts) inWork.add(id);
    const ids = isCommon ? messagesWith(matcher, term) : messages;
    return [...new Set([...ids, ...texts.map(toMessageIdOfWork)])];
  });
  const counts = new Map<number, number>();
  for (const id of byTerm.flat()) counts.set(id, (counts.get(id) ?? 0) + 1);
  for (const id of query.excluded.flatMap((term) => messagesWith(matcher, term))) counts.delete(id);
  const isWhole = [...counts.values()].some((count) => count === byTerm.length);
  const needed = isWhole ? byTerm.length : 1;
  const lines = new Map<number, Set<number>>();
  for (const [id, count] of counts) {
    if (count < needed) continue;
    const sessionId = toSessionId(id);
    lines.set(sessionId, (lines.get(sessionId) ?? new Set()).add(toSeq(id)));
  }
  for (const id of inWork) {
    const messageId = toMessageIdOfWork(id);
    if (!lines.get(toSessionId(messageId))?.has(toSeq(messageId))) inWork.delete(id);
  }
  return { lines, work: inWork, terms, isPartial: !isWhole, corrections: found.corrections };
}

const maxLines = 5;
const maxLineChars = 240;

/** Those with the most of the words, in order; null if there are none. */
export function toMatchingLines(text: string, terms: readonly MarkedTerm[]): string | null {
  const lines = text
    .split('\n')
    .map((line, at) => ({ line, at, count: countTerms(line, terms) }))
    .filter(({ count }) => count > 0);
  if (lines.length === 0) return null;
  return lines
    .sort((a, b) => b.count - a.count || a.at - b.at)
    .slice(0, maxLines)
    .sort((a, b) => a.at - b.at)
    .map(({ line }) =>
      toSnippet(line, terms, maxLineChars)
        .map((piece) => piece.text)
        .join(''),
    )
    .join('\n');
}

function countTerms(line: string, terms: readonly MarkedTerm[]): number {
  const folded = foldText(line);
  return terms.filter(({ forms }) => findOccurrences(folded, forms).length > 0).length;
}
