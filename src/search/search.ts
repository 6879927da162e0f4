// A query → ranked sessions, in one function over the stages: terms, matches, features, rank.
//  1. Ask the index where each term occurs; how rare a term is decides what it is worth.
//  2. If a word occurs nowhere, widen it: to a prefix, then to a near spelling.
//  3. Take the best messages, read their text, and fold subagents and saved histories into their session.
//  4. Rank. A query of a few keywords means all of them, so if any session has them all, those that lack one
//     are dropped. A sentence or a long list is a description in which every word is a hint: requiring all of
//     them there costs 2 to 14 points of hit@1.

import type { SessionFilters, WordIndex, WordScope } from '../store/word-index.ts';
import { compareText } from '../text/compare.ts';
import { gatherCandidates, type WeighedTerm } from './candidates.ts';
import { findTerms, isFound, isStart } from './find-terms.ts';
import { meansAll, type Query } from './query/parse-query.ts';
import { type Ranked, rankSessions } from './rank.ts';
import { describeTitle, readHits } from './read-hits.ts';
import type { Hit, SearchResult } from './search-result.ts';

export interface SearchRequest {
  readonly query: Query;
  readonly filters: SessionFilters;
  readonly limit: number;
  readonly sort: 'relevance' | 'recent';
  readonly listsSubagents: boolean;
  readonly now: Date;
}

export async function search(index: WordIndex, request: SearchRequest): Promise<SearchResult> {
  const { query, filters, limit, listsSubagents } = request;
  const scope = index.scope({ filters, excluded: query.excluded, listsSubagents });
  if (query.terms.length === 0) return listRecent(index, scope, request);
  const prefix = findIdPrefix(query);
  const isConjunction = meansAll(query.terms);
  const narrowing = Object.keys({ ...filters.only, ...filters.without }).length + query.excluded.length;
  const everything = { filters: { ...filters, only: {}, without: {} }, excluded: [], listsSubagents };
  const unfiltered = narrowing > 0 ? index.scope(everything) : null;
  const [named, totals, found] = await Promise.all([
    prefix === '' ? [] : scope.startingWith(prefix, limit),
    index.totals(),
    findTerms(query.terms, { index, scope, unfiltered, isConjunction }),
  ]);
  if (named.length > 0) return { ...(await readList(index, named, named.length)), matchingIds: named };
  const hidden = found.hidden.filter((term) => !term.isPart);
  const gathering = { ...request, index, scope, totals, isConjunction };
  const candidates = await gatherCandidates(found.terms, gathering);
  const { terms } = candidates;
  const ranked = rankSessions(candidates.sessions, terms, candidates.corpus);
  const ordered = request.sort === 'recent' ? [...ranked].sort(byRecency) : ranked;
  // A corrected word took two rounds more, and the answer is a guess anyway.
  const isChecked = isConjunction && found.corrections.length === 0;
  const complete = await findComplete(ordered, terms, { scope, limit, isChecked });
  const isAllOnly = isConjunction && complete.size > 0;
  const kept = isAllOnly ? ordered.filter((entry) => complete.has(entry)) : ordered;
  const isComplete = isAllOnly || (ranked.length > 0 && complete.size === ranked.length);
  const conversations = candidates.conversations[isAllOnly ? 'all' : 'any'];
  const shown = kept.slice(0, limit);
  const hits = await readHits(shown, candidates, { index, scope });
  return {
    tier: found.tier ?? (isComplete ? 'all' : 'any'),
    total: Math.max(kept.length, conversations.count),
    isTotalExact: !terms.some((term) => term.isCut || term.isNamedCut),
    hits,
    completeHits: shown.filter((entry) => complete.has(entry)).length,
    terms: terms.map((term) => term.term),
    corrections: found.corrections,
    shortened: found.shortened,
    lengthened: found.lengthened,
    missing: terms
      .filter((each) => !each.term.isPart && !isFound(each) && !hidden.includes(each.term))
      .map(({ term }) => term.text),
    hidden,
    begun: found.begun,
    matchingIds: conversations.sessions,
  };
}

/** A query that is an id, or too much of one to be a word, goes straight to that session. */
function findIdPrefix({ text }: Query): string {
  const id = text.trim();
  return /^(?=.*\d)[0-9a-f]{6,8}$/i.test(id) || /^[0-9a-f]{8}-[0-9a-f-]*$/i.test(id) ? id.toLowerCase() : '';
}

/** Among keywords the first sessions that seem to lack a common word are checked; starts of words would take too long. */
async function findComplete(
  ranked: readonly Ranked[],
  terms: readonly WeighedTerm[],
  options: { readonly scope: WordScope; readonly limit: number; readonly isChecked: boolean },
): Promise<Set<Ranked>> {
  const { scope, limit, isChecked } = options;
  const lackingOf = (entry: Ranked) => entry.lacking.map((i) => terms[i] as WeighedTerm);
  const possible = ranked.filter((entry) => lackingOf(entry).every(({ isCut }) => isCut));
  if (!isChecked) return new Set(possible);
  const questions = possible.map((entry) => ({
    sessions: entry.session.memberIds,
    terms: lackingOf(entry)
      .filter((term) => !isStart(term))
      .map(({ term }) => term),
  }));
  if (questions.every((question) => question.terms.length === 0)) return new Set(possible);
  const held = await scope.hold(questions, limit);
  return new Set(possible.filter((_, i) => held[i]));
}

function byRecency(a: Ranked, b: Ranked): number {
  return compareText(b.session.modifiedAt, a.session.modifiedAt) || b.score - a.score;
}

/** A query of only filters lists the most recent sessions that pass them; one that asks for nothing gets nothing. */
async function listRecent(
  index: WordIndex,
  scope: WordScope,
  { query, listsSubagents, limit }: SearchRequest,
): Promise<SearchResult> {
  const hasFilters = Object.keys({ ...query.filters, ...query.excludedFilters }).length > 0;
  const isAsking = query.text.trim() === '' || hasFilters || query.excluded.length > 0;
  if (!isAsking) return { ...(await readList(index, [], 0)), matchingIds: [] };
  const { ids, total } = await scope.recent(limit, listsSubagents);
  return readList(index, ids, total);
}

async function readList(index: WordIndex, ids: readonly number[], total: number): Promise<SearchResult> {
  const listed = await index.listedSessions(ids);
  const asListed = { score: 0, parts: null, matchCount: 1 };
  const hits = listed.map((each): Hit => ({ ...each, ...asListed, matches: [describeTitle(each.session)] }));
  return {
    tier: 'all',
    total,
    isTotalExact: true,
    hits,
    completeHits: hits.length,
    terms: [],
    corrections: [],
    shortened: [],
    lengthened: [],
    missing: [],
    hidden: [],
    begun: null,
    matchingIds: null,
  };
}
