// From the places where terms occur to what the ranking needs: the best messages with their features and the
// sessions they belong to, with subagents and saved histories folded into their session.

import type { Store } from '../store/open/open-store.ts';
import {
  type IndexTotals,
  readSessionSpan,
  readTotals,
  type SessionSpan,
} from '../store/read/index-facts.ts';
import type { Matcher } from '../store/read/match.ts';
import { type MessageText, readMessages } from '../store/read/read-matches.ts';
import { readNewest, readSessions, type SessionInfo } from '../store/read/sessions.ts';
import { toSessionId, toSessionOfWork } from '../store/row-ids.ts';
import { toRankedSession } from './features.ts';
import {
  countRuns,
  type FoundTerm,
  isCut,
  isFound,
  joinTerms,
  maxSessionsPerTerm,
  strengthFactor,
} from './find-terms.ts';
import { toNearExpression } from './query/forms.ts';
import type { Corpus, RankedSession, RankedTerm, RankedWork } from './rank.ts';

/**
 * How many messages to take for a common word, per result shown. They are the newest, which are as good as
 * any.
 */
const commonPerResult = 5;

export interface Candidates {
  readonly sessions: readonly RankedSession[];
  readonly weights: readonly RankedTerm[];
  readonly corpus: Corpus;
  readonly infos: ReadonlyMap<number, SessionInfo>;
  readonly texts: ReadonlyMap<number, MessageText>;
  readonly withWords: SessionsWithWords;
}

export interface GatherOptions {
  readonly listSubagents: boolean;
  readonly sort: 'relevance' | 'recent';
  readonly limit: number;
  readonly now: Date;
}

/**
 * 1. Take the best messages overall. One long session may take most of these places.
 * 2. So also take sessions by the terms themselves: those with all words, those with all words in their name,
 *    those with one of them in their name or tool calls, those with the rarest word, and the newest if sorting
 *    by time; and for each of them its own best messages.
 */
export function gatherCandidates(
  store: Store,
  matcher: Matcher,
  terms: readonly FoundTerm[],
  options: GatherOptions,
): Candidates {
  const size = readTotals(store.db);
  const span = readSessionSpan(store.db);
  const weights = toWeights(terms, size, span);
  const work = weighWork(matcher, terms, weights, size.toolCalls * 2);
  const maxOfCommon = options.limit * commonPerResult;
  const best = matchMessages(matcher, terms, span, maxOfCommon);
  const found = new Set(best.map(toSessionId));
  const withWords = toSessions(terms);
  const more = [
    ...pickSessions(terms, withWords, maxOfCommon),
    ...(terms.length > 1 ? matcher.listNamed(joinTerms(terms, 'AND'), maxOfCommon) : []),
    ...(options.sort === 'recent' ? newest(store, withWords.any) : []),
  ];
  const all = new Set([...found, ...more]);
  const ids = options.sort === 'recent' ? all : keepBest(all, best, terms, weights, work, options.limit);
  const added = new Set(more.filter((id) => !found.has(id) && ids.has(id)));
  const matched = groupBySession(
    new Set([...best.filter((id) => ids.has(toSessionId(id))), ...pickMessages(terms, weights, added)]),
    toSessionId,
  );
  const read = [...matched.values()].flatMap((messages) => messages.slice(0, readPerSession));
  const texts = new Map(readMessages(store.db, read).map((text) => [text.id, text]));
  const infos = withOwners(store, ids);
  const groups = foldIntoOwners(ids, infos, options.listSubagents, matcher);
  const bySession = groupBySession(texts.values(), (text) => text.sessionId);
  const context = { terms, weights, infos, matched, texts: bySession, work, now: options.now };
  const sessions = [...groups].map(([ownerId, members]) => toRankedSession(ownerId, members, context));
  return { sessions, weights, corpus: toCorpus(size), infos, texts, withWords };
}

/**
 * How many messages of a session are read: the best decide, and a long session about one thing has hundreds with its words.
 */
const readPerSession = 12;

function toWeights(terms: readonly FoundTerm[], size: IndexTotals, span: SessionSpan): RankedTerm[] {
  return terms.map((found) => {
    const { term, messages, bySession } = found;
    const share = toListedShare(found, span);
    const strength = strengthFactor[term.strength];
    const inMessages = messages.length / share;
    const inWork = found.isCommonInWork ? maxCommonListed : found.work.size;
    // A word that only tools use is rare in the conversation, and still says little where every tool uses it.
    const ofBoth = toIdf(size.messages + size.toolCalls * 2, inMessages + inWork);
    const sessions = new Set([...bySession.keys(), ...found.workBySession.keys()]);
    return {
      weight: Math.min(toIdf(Math.max(1, size.messages), inMessages), ofBoth) * strength,
      sessionWeight: toIdf(Math.max(1, size.spokenSessions), sessions.size / share) * strength,
      isStrong: term.strength === 'strong' && !term.isPart,
      isCut: isCut(found),
    };
  });
}

function groupBySession<T>(items: Iterable<T>, toSession: (item: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const item of items) {
    const group = groups.get(toSession(item));
    if (group === undefined) groups.set(toSession(item), [item]);
    else group.push(item);
  }
  return groups;
}

function newest(store: Store, ids: ReadonlySet<number>): number[] {
  return readNewest(store.db, ids, maxSessionsPerTerm);
}

function toIdf(total: number, count: number): number {
  return Math.log(1 + (total - Math.min(count, total) + 0.5) / (Math.min(count, total) + 0.5));
}

function withOwners(store: Store, ids: ReadonlySet<number>): Map<number, SessionInfo> {
  const infos = readSessions(store.db, ids);
  const owners = [...infos.values()].map((info) => info.ownerId).filter((id) => !infos.has(id));
  for (const [id, info] of readSessions(store.db, new Set(owners))) infos.set(id, info);
  return infos;
}

/** Under its parent, unless the filters exclude the parent: then a subagent is its own result. */
function foldIntoOwners(
  ids: ReadonlySet<number>,
  infos: ReadonlyMap<number, SessionInfo>,
  listSubagents: boolean,
  matcher: Matcher,
): Map<number, number[]> {
  const owners = [...infos.values()].filter((info) => info.ownerId !== info.id).map((info) => info.ownerId);
  const inScope = listSubagents || owners.length === 0 ? new Set<number>() : matcher.keepInScope(owners);
  const groups = new Map<number, number[]>();
  for (const id of ids) {
    const info = infos.get(id);
    if (info === undefined) continue;
    const owner = inScope.has(info.ownerId) ? info.ownerId : id;
    const members = groups.get(owner);
    if (members === undefined) groups.set(owner, [id]);
    else members.push(id);
  }
  return groups;
}

function toCorpus({ spokenSessions, messages, textChars, toolCalls }: IndexTotals): Corpus {
  const mean = (total: number, count: number) => Math.max(1, total / Math.max(1, count));
  return {
    meanMessageChars: mean(textChars, messages),
    meanSessionChars: mean(textChars, spokenSessions),
    meanToolCalls: mean(toolCalls, spokenSessions),
  };
}

/**
 * How many messages with only common words are read per session; more are read for the results that are
 * shown.
 */
const commonPerSession = 1;

export interface SessionsWithWords {
  readonly any: ReadonlySet<number>;
  readonly all: ReadonlySet<number>;
}

/** From the sessions that were found in other ways, the messages with the most significant words. */
export function pickMessages(
  terms: readonly FoundTerm[],
  weights: readonly RankedTerm[],
  sessions: ReadonlySet<number>,
): number[] {
  if (sessions.size === 0) return [];
  const scores = new Map<number, number>();
  const telling = new Set<number>();
  for (const [i, { messages, isCommon }] of terms.entries()) {
    const weight = weights[i]?.weight ?? 0;
    for (const id of messages) {
      if (!sessions.has(toSessionId(id))) continue;
      scores.set(id, (scores.get(id) ?? 0) + weight);
      if (!isCommon) telling.add(id);
    }
  }
  const taken = new Map<number, number>();
  const isWanted = ([id]: readonly [number, number]) => {
    if (telling.has(id)) return true;
    const before = taken.get(toSessionId(id)) ?? 0;
    taken.set(toSessionId(id), before + 1);
    return before < commonPerSession;
  };
  return [...scores]
    .sort(([idA, a], [idB, b]) => b - a || idB - idA)
    .filter(isWanted)
    .slice(0, maxMessages)
    .map(([id]) => id);
}

/**
 * Sessions that contain any of the terms, and those that contain every strong one. A common term is assumed
 * to be everywhere.
 */
export function toSessions(terms: readonly FoundTerm[]): SessionsWithWords {
  const isRequired = ({ term }: FoundTerm) => term.strength === 'strong' && !term.isPart;
  const strongTerms = terms.filter(isRequired);
  const areAllCommon = strongTerms.every(isCut);
  const sets = terms.map((term) => ({
    isStrong: isRequired(term) && (areAllCommon || !isCut(term)),
    ids: new Set([
      ...term.bySession.keys(),
      ...term.toolCalls.keys(),
      ...term.named,
      ...term.workBySession.keys(),
    ]),
  }));
  const any = new Set(sets.flatMap(({ ids }) => [...ids]));
  const strong = sets.filter((set) => set.isStrong).sort((a, b) => a.ids.size - b.ids.size);
  const all = [...(strong[0]?.ids ?? [])].filter((id) => strong.every(({ ids }) => ids.has(id)));
  return { any, all: new Set(all) };
}

export function pickSessions(
  terms: readonly FoundTerm[],
  { all }: SessionsWithWords,
  maxOfCommon: number,
): number[] {
  const telling = terms.filter((term) => !term.isCommon);
  const rarest = [...telling].sort((a, b) => a.bySession.size - b.bySession.size)[0];
  const maxOfAll = telling.length === 0 ? maxOfCommon : maxSessionsPerTerm;
  return [
    // The newest sessions have the highest ids.
    ...[...all].sort((a, b) => b - a).slice(0, maxOfAll),
    ...telling.flatMap((term) => best(term.toolCalls, maxSessionsPerTerm)),
    ...telling.flatMap((term) => best(term.workBySession, maxSessionsPerTerm)),
    // Among several words, a common one does not identify a session by its name.
    ...(terms.length === 1 ? terms : telling).flatMap((term) => [...term.named]),
    ...(rarest === undefined ? [] : best(rarest.bySession, maxSessionsPerTerm)),
  ];
}

/** The sessions with the highest counts, so that a common path does not bring in the whole index. */
function best(counts: ReadonlyMap<number, number>, limit: number): number[] {
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, limit)
    .map(([id]) => id);
}

/**
 * How many sessions are ranked, at least and per result shown. Ranking all of them finds at most half a point more
 * (docs/ranking.md); the rough measure orders well enough for that.
 */
const leastRanked = 40;
const rankedPerResult = 4;

/**
 * The best of many sessions by what is known without reading them: how many of the words they hold, how good their best
 * message is by FTS5's measure (`matched` is best first), and their best work text.
 */
export function keepBest(
  ids: ReadonlySet<number>,
  matched: readonly number[],
  terms: readonly FoundTerm[],
  weights: readonly RankedTerm[],
  work: ReadonlyMap<number, readonly RankedWork[]>,
  limit: number,
): ReadonlySet<number> {
  const count = Math.max(leastRanked, limit * rankedPerResult);
  if (ids.size <= count) return ids;
  const best = new Map<number, number>();
  for (const [place, id] of matched.entries()) {
    const sessionId = toSessionId(id);
    if (!best.has(sessionId)) best.set(sessionId, 1 - place / matched.length);
  }
  const rough = [...ids].map((id) => ({
    id,
    message: best.get(id) ?? 0,
    words: sumOfWords(id, terms, weights),
    work: (work.get(id) ?? []).reduce((most, text) => Math.max(most, text.words + 2 * text.closeness), 0),
  }));
  const mostWords = rough.reduce((most, { words }) => Math.max(most, words), Number.MIN_VALUE);
  const mostWork = rough.reduce((most, each) => Math.max(most, each.work), Number.MIN_VALUE);
  const toScore = (each: (typeof rough)[number]) =>
    each.words / mostWords + Math.max(each.message, each.work / mostWork);
  const scored = rough.map((each) => ({ id: each.id, score: toScore(each) }));
  scored.sort((a, b) => b.score - a.score || b.id - a.id);
  return new Set(scored.slice(0, count).map(({ id }) => id));
}

/** A word counts more where it is said more often, up to twice; the most where it names the session. */
function sumOfWords(id: number, terms: readonly FoundTerm[], weights: readonly RankedTerm[]): number {
  let total = 0;
  for (let i = 0; i < terms.length; i++) {
    const term = terms[i] as FoundTerm;
    const times = (term.bySession.get(id) ?? 0) + (term.workBySession.get(id) ?? 0) / 4;
    const named = term.named.has(id) ? 2 : 0;
    total += (weights[i]?.weight ?? 0) * (named + (times * 2.2) / (times + 1.2));
  }
  return total;
}

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
