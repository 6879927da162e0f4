// A query → ranked sessions, in one function over the stages: terms, matches, features, rank.
//
//  1. Ask the index where each term stands; what a term is worth follows from how rare it is.
//  2. Where a word stands nowhere, widen: as a prefix, then by a near spelling.
//  3. Take the best messages, look at their text, and fold agents and saved histories into their session.
//  4. Rank. A few keywords mean all of them, so sessions that lack one are left out while any has all. A sentence or a
//     long list is a description, and every word is a hint: requiring all of them there costs 2 to 14 points of hit@1.

import { type CorpusSize, Matcher, type MessageText, readCorpusSize, readMessages } from '../store/match.ts';
import type { Store } from '../store/open-store.ts';
import type { SessionInfo } from '../store/read-sessions.ts';
import { readRecentIds, readSessions } from '../store/read-sessions.ts';
import { type SessionFilters, toScope } from '../store/scope.ts';
import { isEcho } from './echo.ts';
import { toFeatures } from './features.ts';
import { findSpellings } from './find-spellings.ts';
import { toForms, toMatchExpression } from './forms.ts';
import { findOccurrences, foldText } from './occurrences.ts';
import type { Query, Term } from './parse-query.ts';
import {
  type Corpus,
  type Ranked,
  type RankedMessage,
  type RankedSession,
  type RankedTerm,
  rankSessions,
  type ScoreParts,
} from './rank.ts';

export type Tier = 'all' | 'prefix' | 'any' | 'fuzzy';

export interface SearchRequest {
  readonly query: Query;
  readonly filters: SessionFilters;
  readonly limit: number;
  readonly sort: 'relevance' | 'recent';
  /** List agents on their own instead of under their session. */
  readonly listAgents: boolean;
  readonly now: Date;
}

export interface Match {
  readonly message: MessageText;
  /** The agent that said it, when it was not the session itself. */
  readonly agent: SessionInfo | null;
}

export interface Hit {
  readonly session: SessionInfo;
  readonly score: number;
  readonly parts: ScoreParts | null;
  /** Messages that hold some of the words; the best of them are in `matches`. */
  readonly matchCount: number;
  readonly matches: readonly Match[];
}

export interface SearchResult {
  readonly tier: Tier;
  readonly total: number;
  readonly hits: readonly Hit[];
  /** The terms as they were looked for, for highlighting. */
  readonly terms: readonly Term[];
  /** Misspelt word → what was looked for instead. */
  readonly corrections: readonly (readonly [string, string])[];
}

/** Messages whose text is looked at; past these, more change nothing in the first results. */
const messageCandidates = 300;
const sessionCandidates = 200;
const matchesPerHit = 3;
/** Up to this many words, and none of them weak, a query means all of them. */
const conjunctionWords = 3;

const strengthFactor = { strong: 1, asking: 0.2, weak: 0 } as const;

export function search(store: Store, request: SearchRequest): SearchResult {
  const scope = toScope(request.filters);
  const { query } = request;
  if (query.terms.length === 0) return listRecent(store, request);
  const matcher = new Matcher(store.db, scope);
  const found = findTerms(store, matcher, query.terms);
  const excluded = new Set(query.excluded.flatMap((term) => sessionsWith(matcher, term)));
  const candidates = gather(store, matcher, found.terms, excluded, request);
  const ranked = rankSessions(candidates.sessions, candidates.weights, candidates.corpus);
  const { kept, isComplete } = narrow(ranked, query);
  const ordered = request.sort === 'recent' ? [...kept].sort(byRecency) : kept;
  const tier = found.tier ?? (isComplete ? 'all' : 'any');
  const hits = ordered.slice(0, request.limit).map((entry) => toHit(entry, candidates));
  return {
    tier,
    total: kept.length,
    hits,
    terms: found.terms.map((term) => term.term),
    corrections: found.corrections,
  };
}

interface FoundTerm {
  readonly term: Term;
  readonly expression: string;
  /** Messages that hold it, by session. */
  readonly bySession: ReadonlyMap<number, number>;
  readonly toolCalls: ReadonlyMap<number, number>;
  readonly named: ReadonlySet<number>;
}

function findTerms(store: Store, matcher: Matcher, terms: readonly Term[]) {
  const corrections: [string, string][] = [];
  let tier: Tier | null = null;
  const found = terms
    .filter((term) => strengthFactor[term.strength] > 0)
    .map((term) => {
      const asTyped = findTerm(matcher, term);
      if (isFound(asTyped)) return asTyped;
      const asPrefix = findTerm(matcher, { ...term, forms: toPrefixForms(term) });
      if (isFound(asPrefix)) {
        tier ??= 'prefix';
        return asPrefix;
      }
      for (const spelling of findSpellings(store.db, term)) {
        const corrected = findTerm(matcher, { ...term, forms: toForms(spelling, 'word') });
        if (!isFound(corrected)) continue;
        corrections.push([term.text, spelling]);
        tier = 'fuzzy';
        return corrected;
      }
      return asTyped;
    });
  return { terms: found, tier, corrections };
}

function toPrefixForms(term: Term) {
  return term.forms.map((form) =>
    form.match === 'stem' || form.match === 'exact' ? { ...form, match: 'prefix' as const } : form,
  );
}

function findTerm(matcher: Matcher, term: Term): FoundTerm {
  const expression = toMatchExpression(term.forms);
  return {
    term,
    expression,
    bySession: toCounts(matcher.countBySession(expression)),
    toolCalls: toCounts(matcher.countToolCalls(expression)),
    named: new Set(matcher.matchSessions(expression, sessionCandidates)),
  };
}

function toCounts(rows: readonly { sessionId: number; count: number }[]): Map<number, number> {
  return new Map(rows.map((row) => [row.sessionId, row.count]));
}

function isFound(term: FoundTerm): boolean {
  return term.bySession.size > 0 || term.toolCalls.size > 0 || term.named.size > 0;
}

function sessionsWith(matcher: Matcher, term: Term): number[] {
  const found = findTerm(matcher, term);
  return [...found.bySession.keys(), ...found.named];
}

interface Candidates {
  readonly sessions: readonly RankedSession[];
  readonly weights: readonly RankedTerm[];
  readonly corpus: Corpus;
  readonly infos: ReadonlyMap<number, SessionInfo>;
  readonly texts: ReadonlyMap<number, MessageText>;
}

function gather(
  store: Store,
  matcher: Matcher,
  terms: readonly FoundTerm[],
  excluded: ReadonlySet<number>,
  request: SearchRequest,
): Candidates {
  const size = readCorpusSize(store.db);
  const weights = terms.map(({ term, bySession }) => ({
    weight: toIdf(Math.max(1, size.messages), sumOf(bySession.values())) * strengthFactor[term.strength],
    sessionWeight: toIdf(Math.max(1, size.sessions), bySession.size) * strengthFactor[term.strength],
    isStrong: term.strength === 'strong',
  }));
  const expression = terms
    .filter(isFound)
    .map((term) => `(${term.expression})`)
    .join(' OR ');
  const matched = expression === '' ? [] : matcher.matchMessages(expression, messageCandidates);
  const texts = new Map(
    readMessages(
      store.db,
      matched.map((message) => message.id),
    ).map((text) => [text.id, text]),
  );
  const ids = new Set(matched.map((message) => message.sessionId));
  for (const term of terms) for (const id of best(term.toolCalls, sessionCandidates)) ids.add(id);
  for (const term of terms) for (const id of term.named) ids.add(id);
  const infos = withOwners(store, ids);
  const groups = foldIntoOwners(ids, infos, request.listAgents, excluded);
  const sessions = [...groups].map(([ownerId, members]) =>
    toRankedSession(ownerId, members, { terms, weights, infos, texts, now: request.now }),
  );
  return { sessions, weights, corpus: toCorpus(size), infos, texts };
}

function toIdf(total: number, count: number): number {
  return Math.log(1 + (total - Math.min(count, total) + 0.5) / (Math.min(count, total) + 0.5));
}

/** The sessions with the most tool calls, so that a common path does not bring in the whole index. */
function best(counts: ReadonlyMap<number, number>, limit: number): number[] {
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, limit)
    .map(([id]) => id);
}

function withOwners(store: Store, ids: ReadonlySet<number>): Map<number, SessionInfo> {
  const infos = readSessions(store.db, ids);
  const owners = [...infos.values()].map((info) => info.ownerId).filter((id) => !infos.has(id));
  for (const [id, info] of readSessions(store.db, new Set(owners))) infos.set(id, info);
  return infos;
}

function foldIntoOwners(
  ids: ReadonlySet<number>,
  infos: ReadonlyMap<number, SessionInfo>,
  listAgents: boolean,
  excluded: ReadonlySet<number>,
): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const id of ids) {
    const info = infos.get(id);
    if (info === undefined || excluded.has(id)) continue;
    const owner = listAgents ? id : info.ownerId;
    if (excluded.has(owner)) continue;
    const members = groups.get(owner);
    if (members === undefined) groups.set(owner, [id]);
    else members.push(id);
  }
  return groups;
}

interface RankContext {
  readonly terms: readonly FoundTerm[];
  readonly weights: readonly { weight: number }[];
  readonly infos: ReadonlyMap<number, SessionInfo>;
  readonly texts: ReadonlyMap<number, MessageText>;
  readonly now: Date;
}

function toRankedSession(ownerId: number, members: readonly number[], context: RankContext): RankedSession {
  const owner = context.infos.get(ownerId) as SessionInfo;
  const { terms, texts, now } = context;
  const own = new Set(members);
  const modifiedAt = owner.modifiedAt ?? '';
  const inText = (text: string | null) => {
    const folded = foldText(text ?? '');
    return terms.map(({ term }) => findOccurrences(folded, term.forms).length > 0);
  };
  const isTitleOwn = owner.titleSource !== 'first-prompt';
  const context_ = [
    owner.project,
    owner.branch,
    owner.agentType,
    owner.agentDescription,
    owner.prRepository,
  ].join('\n');
  return {
    id: ownerId,
    conversationId: owner.conversationId,
    modifiedAt,
    ageDays:
      modifiedAt === '' ? Number.POSITIVE_INFINITY : (now.getTime() - Date.parse(modifiedAt)) / 86_400_000,
    messageCount: Math.max(1, owner.messageCount),
    chars: owner.textChars,
    isAgent: owner.kind === 'agent',
    messages: [...texts.values()]
      .filter((text) => own.has(text.sessionId))
      .map((text) => toRankedMessage(text, owner, context)),
    messageCounts: terms.map((term) => sumOf(members.map((id) => term.bySession.get(id) ?? 0))),
    toolCounts: terms.map((term) => sumOf(members.map((id) => term.toolCalls.get(id) ?? 0))),
    inTitle: inText(isTitleOwn ? `${owner.title ?? ''}\n${owner.summary ?? ''}` : null),
    inFirstPrompt: inText(owner.firstPrompt),
    inContext: inText(context_),
  };
}

function toRankedMessage(
  text: MessageText,
  owner: SessionInfo,
  { terms, weights }: RankContext,
): RankedMessage {
  const features = toFeatures(
    text.text,
    terms.map(({ term }) => term),
    weights.map(({ weight }) => weight),
  );
  const isAgents =
    text.isSidechain === 1 ||
    (text.sessionId !== owner.id && text.kind === 'task') ||
    text.sessionId !== owner.id;
  const speaker =
    text.kind === 'recap' ? 'recap' : isAgents ? 'agent' : text.role === 'user' ? 'person' : 'assistant';
  return { id: text.id, speaker, chars: text.text.length, ...features, isEcho: isEcho(text.kind, text.text) };
}

function toCorpus({ sessions, messages, chars }: CorpusSize): Corpus {
  const mean = (count: number) => Math.max(1, chars / Math.max(1, count));
  return { meanMessageChars: mean(messages), meanSessionChars: mean(sessions) };
}

/** While any session has all the words of a short list of keywords, those that lack one are left out. */
function narrow(ranked: readonly Ranked[], query: Query): { kept: readonly Ranked[]; isComplete: boolean } {
  const complete = ranked.filter((entry) => entry.hasAllWords);
  const isConjunction =
    query.terms.length <= conjunctionWords && query.terms.every((term) => term.strength === 'strong');
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

function toHit(entry: Ranked, candidates: Candidates): Hit {
  const { infos, texts } = candidates;
  const session = infos.get(entry.session.id) as SessionInfo;
  // A history saved before a compaction holds the same passages once more.
  const seen = new Set<string>();
  const matches: Match[] = [];
  for (const ranked of entry.messages) {
    const message = texts.get(ranked.id) as MessageText;
    if (matches.length === matchesPerHit || seen.has(message.text)) continue;
    seen.add(message.text);
    const agent = message.sessionId === session.id ? null : (infos.get(message.sessionId) ?? null);
    matches.push({ message, agent });
  }
  return {
    session,
    score: entry.score,
    parts: entry.parts,
    matchCount: entry.session.messages.length,
    matches,
  };
}

/** A query of nothing but filters: what was going on there lately. */
function listRecent(store: Store, request: SearchRequest): SearchResult {
  const scope = toScope({
    ...request.filters,
    kind: request.filters.kind ?? (request.listAgents ? null : 'main'),
  });
  const { ids, total } = readRecentIds(store.db, scope, request.limit);
  const infos = readSessions(store.db, ids);
  const hits = ids.map(
    (id): Hit => ({
      session: infos.get(id) as SessionInfo,
      score: 0,
      parts: null,
      matchCount: 0,
      matches: [],
    }),
  );
  return { tier: 'all', total, hits, terms: [], corrections: [] };
}

function sumOf(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
