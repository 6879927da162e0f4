// A query → ranked sessions, in one function over the stages: terms, matches, features, rank.
//
//  1. Ask the index where each term occurs; how rare a term is decides what it is worth.
//  2. If a word occurs nowhere, widen it: to a prefix, then to a near spelling.
//  3. Take the best messages, read their text, and fold subagents and saved histories into their session.
//  4. Rank. A query of a few keywords means all of them, so if any session has them all, those that lack one
//     are dropped. A sentence or a long list is a description in which every word is a hint: requiring all of
//     them there costs 2 to 14 points of hit@1.

import type { Store } from '../store/open/open-store.ts';
import { Matcher, type MessageText, readMessages, readWork, type WorkRow } from '../store/read/match.ts';
import {
  countConversations,
  countCopies,
  findIdsStartingWith,
  readListed,
  readRecentIds,
  type SessionInfo,
} from '../store/read/read-sessions.ts';
import {
  readScope,
  type Scope,
  type SessionFilters,
  withFamilies,
  withoutSessions,
} from '../store/read/scope.ts';
import { sessionFactor, toSessionId } from '../store/row-ids.ts';
import { type FoundTerm, findTerms, joinTerms, sessionsWith } from './find-terms.ts';
import { type Candidates, gatherCandidates } from './gather-candidates.ts';
import type { Query, Term } from './parse-query.ts';
import { type Ranked, rankSessions, type ScoreParts } from './rank.ts';

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

export interface Match {
  readonly message: MessageText;
  /** The subagent that said or did it, if it was not the session itself. */
  readonly subagent: SessionInfo | null;
  /** Where the match is in what a tool was given or answered; its text is in the transcript, and empty here. */
  readonly work: WorkRow | null;
}

export interface Hit {
  readonly session: SessionInfo;
  readonly copies: number;
  readonly score: number;
  readonly parts: ScoreParts | null;
  /** How many messages contain some of the words; the best of them are in `matches`. */
  readonly matchCount: number;
  readonly matches: readonly Match[];
}

export interface SearchResult {
  readonly tier: Tier;
  readonly total: number;
  /** False if there may be more: not every occurrence of a very common word is listed. */
  readonly isTotalExact: boolean;
  readonly hits: readonly Hit[];
  /** The terms as they were searched for, for highlighting. */
  readonly terms: readonly Term[];
  /** Misspelt word → what was searched for instead. */
  readonly corrections: readonly (readonly [string, string])[];
}

const matchesPerHit = 3;
/** How many of the best passages are read for these: copies of one text are shown once. */
const maxPassages = 12;
/** How many sessions are checked for a common word, per result shown. */
const checkedPerResult = 20;
/** A query of up to this many words, none of them weak, means all of them. */
const conjunctionWords = 3;

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
  const found = findTerms(store, matcher, query.terms);
  const candidates = gatherCandidates(store, matcher, found.terms, request);
  const ranked = rankSessions(candidates.sessions, candidates.weights, candidates.corpus);
  const ordered = request.sort === 'recent' ? [...ranked].sort(byRecency) : ranked;
  const { kept, isComplete } = narrow(ordered, query, found.terms, matcher, request.limit);
  const matching = isComplete ? candidates.withWords.all : candidates.withWords.any;
  return {
    tier: found.tier ?? (isComplete ? 'all' : 'any'),
    total: Math.max(kept.length, countConversations(store.db, matching)),
    isTotalExact: !found.terms.some((term) => term.isCommon),
    hits: kept
      .slice(0, request.limit)
      .map((entry) => readHit(store, entry, candidates, matcher, found.terms)),
    terms: found.terms.map((term) => term.term),
    corrections: found.corrections,
  };
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
): { kept: readonly Ranked[]; isComplete: boolean } {
  const typed = query.terms.filter((term) => !term.isPart);
  const isConjunction = typed.length <= conjunctionWords && typed.every((term) => term.strength === 'strong');
  let checksLeft = limit * checkedPerResult;
  const complete: Ranked[] = [];
  const isIn = (entry: Ranked, i: number) => {
    if (!terms[i]?.isCommon) return false;
    // Beyond the results that are shown, each check would cost milliseconds only to be counted.
    if (!isConjunction || complete.length >= limit || checksLeft-- <= 0) return true;
    return entry.session.memberIds.some(
      (id) => matcher.listMessagesOf(id, terms[i]?.expression ?? '', 1).length > 0,
    );
  };
  for (const entry of ranked) if (entry.lacking.every((i) => isIn(entry, i))) complete.push(entry);
  if (complete.length > 0 && isConjunction) return { kept: complete, isComplete: true };
  return { kept: ranked, isComplete: ranked.length > 0 && complete.length === ranked.length };
}

function byRecency(a: Ranked, b: Ranked): number {
  return a.session.modifiedAt < b.session.modifiedAt
    ? 1
    : a.session.modifiedAt > b.session.modifiedAt
      ? -1
      : b.score - a.score;
}

function readHit(
  store: Store,
  entry: Ranked,
  { infos, texts }: Candidates,
  matcher: Matcher,
  terms: readonly FoundTerm[],
): Hit {
  const session = infos.get(entry.session.id) as SessionInfo;
  const further = findPassages(store, entry, matcher, terms);
  const found = [
    ...entry.passages.slice(0, maxPassages),
    ...further.map(({ id }) => ({ id, isWork: false })),
  ];
  const work = readWork(
    store.db,
    found.flatMap(({ id, isWork }) => (isWork ? [id] : [])),
  );
  const furtherTexts = new Map(further.map((message) => [message.id, message]));
  // A history saved before a compaction contains the same passages again.
  const seen = new Set<string>();
  const matches: Match[] = [];
  for (const { id, isWork } of found) {
    const row = isWork ? work.get(id) : undefined;
    const message = row === undefined ? (texts.get(id) ?? furtherTexts.get(id)) : toWorkMessage(row);
    if (message === undefined || matches.length === matchesPerHit) continue;
    const key = row === undefined ? message.text : `${row.kind} ${row.tool} ${row.target}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const subagent = message.sessionId === session.id ? null : (infos.get(message.sessionId) ?? null);
    matches.push({ message, subagent, work: row ?? null });
  }
  return {
    session,
    copies: countCopies(store.db, session),
    score: entry.score,
    parts: entry.parts,
    matchCount: Math.max(matches.length, ...entry.session.messageCounts, ...entry.session.workCounts),
    matches: matches.length > 0 ? matches : [toTitleMatch(session)],
  };
}

/** A session that is found by its name, project or files alone is shown by its name. */
function toTitleMatch(session: SessionInfo): Match {
  const message: MessageText = {
    id: 0,
    sessionId: session.id,
    uuid: null,
    role: 'user',
    kind: 'title',
    timestamp: session.modifiedAt,
    text: session.title ?? session.firstPrompt ?? '',
    isSidechain: 0,
  };
  return { message, subagent: null, work: null };
}

/** As a message on the line of the call or of its answer, so that it can be referred to. */
function toWorkMessage({ sessionId, seq, kind }: WorkRow): MessageText {
  return {
    id: sessionId * sessionFactor + seq,
    sessionId,
    uuid: null,
    role: 'assistant',
    kind,
    timestamp: null,
    text: '',
    isSidechain: 0,
  };
}

/**
 * Not every occurrence of a common word was read: a session may have more passages than those known so far.
 */
function findPassages(
  store: Store,
  { session, messages }: Ranked,
  matcher: Matcher,
  terms: readonly FoundTerm[],
): MessageText[] {
  if (messages.length >= matchesPerHit || !terms.some((term) => term.isCommon)) return [];
  const { memberIds } = session;
  const known = new Set(messages.map(({ id }) => id));
  const listed = new Set(terms.flatMap((term) => memberIds.flatMap((id) => messagesOf(term, id))));
  const hasNone = messages.length === 0 && listed.size === 0;
  const expression = joinTerms(terms, 'OR');
  const ids = hasNone
    ? memberIds.flatMap((id) => matcher.listMessagesOf(id, expression, matchesPerHit))
    : [...listed].filter((id) => !known.has(id));
  return readMessages(store.db, ids.slice(0, matchesPerHit - messages.length));
}

/**
 * The last messages of a session in which the term was found. The list is sorted, so they are next to each
 * other.
 */
function messagesOf({ messages }: FoundTerm, sessionId: number): number[] {
  let [low, high] = [0, messages.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (toSessionId(messages[middle] ?? 0) > sessionId) low = middle + 1;
    else high = middle;
  }
  return messages.slice(low, low + matchesPerHit * 2).filter((id) => toSessionId(id) === sessionId);
}

/**
 * A query of only filters lists the most recent sessions that pass them. A query that asks for nothing gets
 * nothing.
 */
function listRecent(
  store: Store,
  { query, listSubagents, limit }: SearchRequest,
  scope: Scope,
): SearchResult {
  const hasFilters = Object.keys({ ...query.filters, ...query.excludedFilters }).length > 0;
  if (query.text.trim() !== '' && !hasFilters) return readList(store, [], 0);
  const { ids, total } = readRecentIds(store.db, scope, limit, listSubagents);
  return readList(store, ids, total);
}

function readList(store: Store, ids: readonly number[], total: number): SearchResult {
  const hits = readListed(store.db, ids).map(
    (listed): Hit => ({
      ...listed,
      score: 0,
      parts: null,
      matchCount: 0,
      matches: [toTitleMatch(listed.session)],
    }),
  );
  return { tier: 'all', total, isTotalExact: true, hits, terms: [], corrections: [] };
}
