// A query → ranked sessions, in one function over the stages: terms, matches, features, rank.
//
//  1. Ask the index where each term occurs; how rare a term is decides what it is worth.
//  2. If a word occurs nowhere, widen it: to a prefix, then to a near spelling.
//  3. Take the best messages, read their text, and fold subagents and saved histories into their session.
//  4. Rank. A query of a few keywords means all of them, so if any session has them all, those that lack one
//     are dropped. A sentence or a long list is a description in which every word is a hint: requiring all of
//     them there costs 2 to 14 points of hit@1.

import type { Store } from '../store/open/open-store.ts';
import { Matcher } from '../store/read/match.ts';
import {
  readScope,
  type Scope,
  type SessionFilters,
  withFamilies,
  withoutSessions,
} from '../store/read/scope.ts';
import {
  countConversations,
  findIdsStartingWith,
  readListed,
  readRecentIds,
} from '../store/read/sessions.ts';
import { gatherCandidates, withCommonWork } from './candidates.ts';
import { type FoundTerm, findTerms, isCut, isFound, isStart, sessionsWith } from './find-terms.ts';
import { meansAll, type Query, type Term } from './query/parse-query.ts';
import { type Ranked, rankSessions } from './rank.ts';
import { type Hit, readHits, toTitleReason } from './read-hits.ts';

export type Tier = 'all' | 'prefix' | 'any' | 'fuzzy';

export interface SearchRequest {
  readonly query: Query;
  readonly filters: SessionFilters;
  readonly limit: number;
  readonly sort: 'relevance' | 'recent';
  /** List subagents on their own instead of under their session. */
  readonly listSubagents: boolean;
  readonly now: Date;
}

export interface SearchResult {
  readonly tier: Tier;
  readonly total: number;
  /** False if there may be more: not every occurrence of a very common word is listed. */
  readonly isTotalExact: boolean;
  readonly hits: readonly Hit[];
  /** How many of the hits contain all of the words, as far as is known. */
  readonly completeHits: number;
  /** The terms as they were searched for, for highlighting. */
  readonly terms: readonly Term[];
  /** Misspelt word → what was searched for instead. */
  readonly corrections: readonly (readonly [string, string])[];
  /** Path, address or name that occurs nowhere → the part of it that was searched for instead. */
  readonly shortened: readonly (readonly [string, string])[];
  /** Words that occur nowhere, not even in another form, as typed. */
  readonly missing: readonly string[];
  /** Words that occur only in what the filters leave out. */
  readonly hidden: readonly Term[];
  /** The word that is being typed, where it was left out: it occurs nowhere, and is too short to look for words that start with it. */
  readonly begun: string | null;
}

/** How many sessions are checked for a common word, per result shown. */
const checkedPerResult = 20;

export function search(store: Store, request: SearchRequest): SearchResult {
  const { query } = request;
  const unrestricted = readScope(store.db, request.filters);
  const holding = query.excluded.flatMap((term) => sessionsWith(new Matcher(store.db, unrestricted), term));
  const excluded = request.listSubagents ? holding : withFamilies(store.db, holding);
  const scope = withoutSessions(unrestricted, excluded);
  if (query.terms.length === 0) return listRecent(store, request, scope);
  const named = findIdsStartingWith(store.db, toIdPrefix(query), scope, request.limit);
  if (named.length > 0) return readList(store, named, named.length);
  const matcher = new Matcher(store.db, scope);
  const unfiltered =
    hasFilters(request.filters) || excluded.length > 0
      ? new Matcher(store.db, readScope(store.db, { ...request.filters, only: {}, without: {} }))
      : null;
  const found = findTerms(store, matcher, query.terms, unfiltered);
  const terms = withCommonWork(matcher, found.terms, meansAll(query.terms));
  const hidden = found.hidden.filter((term) => !term.isPart);
  const candidates = gatherCandidates(store, matcher, terms, request);
  const ranked = rankSessions(candidates.sessions, candidates.weights, candidates.corpus);
  const ordered = request.sort === 'recent' ? [...ranked].sort(byRecency) : ranked;
  const { kept, isComplete, complete } = narrow(ordered, query, terms, matcher, request.limit);
  const matching = isComplete ? candidates.withWords.all : candidates.withWords.any;
  return {
    tier: found.tier ?? (isComplete ? 'all' : 'any'),
    total: Math.max(kept.length, countConversations(store.db, matching, request.listSubagents)),
    isTotalExact: !terms.some(isCut),
    hits: readHits(store, kept.slice(0, request.limit), candidates, matcher, terms),
    completeHits: kept.slice(0, request.limit).filter((entry) => complete.has(entry)).length,
    terms: terms.map((term) => term.term),
    corrections: found.corrections,
    shortened: found.shortened,
    missing: terms
      .filter((each) => !each.term.isPart && !isFound(each) && !hidden.includes(each.term))
      .map(({ term }) => term.text),
    hidden,
    begun: found.begun,
  };
}

function hasFilters({ only, without }: SessionFilters): boolean {
  return Object.keys({ ...only, ...without }).length > 0;
}

/** A query that is an id, or too much of one to be a word, goes straight to that session. */
function toIdPrefix({ text }: Query): string {
  const id = text.trim();
  return /^(?=.*\d)[0-9a-f]{6,8}$/i.test(id) || /^[0-9a-f]{8}-[0-9a-f-]*$/i.test(id) ? id.toLowerCase() : '';
}

/**
 * If any session has all the words of a short list of keywords, those that lack one are dropped. Not every
 * occurrence of a common word is known: the first sessions that seem to lack it are checked, the rest are
 * assumed to contain it.
 */
function narrow(
  ranked: readonly Ranked[],
  query: Query,
  terms: readonly FoundTerm[],
  matcher: Matcher,
  limit: number,
): { kept: readonly Ranked[]; isComplete: boolean; complete: ReadonlySet<Ranked> } {
  const isConjunction = meansAll(query.terms);
  let checksLeft = limit * checkedPerResult;
  const complete: Ranked[] = [];
  const isIn = (entry: Ranked, i: number) => {
    const term = terms[i] as FoundTerm;
    if (!isCut(term)) return false;
    // Beyond the results that are shown, each check would cost milliseconds only to be counted; of the start of a word, many more.
    if (!isConjunction || isStart(term) || complete.length >= limit || checksLeft-- <= 0) return true;
    return entry.session.memberIds.some(
      (id) =>
        matcher.listMessagesOf(id, term.expression, 1).length > 0 ||
        matcher.listWorkOf(id, term.expression, 1).length > 0 ||
        (term.areCallsCut && matcher.hasCall(id, term.expression)),
    );
  };
  for (const entry of ranked) if (entry.lacking.every((i) => isIn(entry, i))) complete.push(entry);
  const isNarrowed = complete.length > 0 && isConjunction;
  return {
    kept: isNarrowed ? complete : ranked,
    isComplete: isNarrowed || (ranked.length > 0 && complete.length === ranked.length),
    complete: new Set(complete),
  };
}

function byRecency(a: Ranked, b: Ranked): number {
  return a.session.modifiedAt < b.session.modifiedAt
    ? 1
    : a.session.modifiedAt > b.session.modifiedAt
      ? -1
      : b.score - a.score;
}

/**
 * A query of only filters lists the most recent sessions that pass them, without those that have an excluded word. A query
 * that asks for nothing gets nothing.
 */
function listRecent(
  store: Store,
  { query, listSubagents, limit }: SearchRequest,
  scope: Scope,
): SearchResult {
  const hasFilters = Object.keys({ ...query.filters, ...query.excludedFilters }).length > 0;
  const isAsking = query.text.trim() === '' || hasFilters || query.excluded.length > 0;
  if (!isAsking) return readList(store, [], 0);
  const { ids, total } = readRecentIds(store.db, scope, limit, listSubagents);
  return readList(store, ids, total);
}

function readList(store: Store, ids: readonly number[], total: number): SearchResult {
  const hits = readListed(store.db, ids).map(
    (listed): Hit => ({
      ...listed,
      score: 0,
      parts: null,
      matchCount: 1,
      matches: [{ ...toTitleReason(listed.session), subagent: null, work: null }],
    }),
  );
  return {
    tier: 'all',
    total,
    isTotalExact: true,
    hits,
    completeHits: hits.length,
    terms: [],
    corrections: [],
    shortened: [],
    missing: [],
    hidden: [],
    begun: null,
  };
}
