// From the places where terms occur to what the ranking needs: which sessions are worth ranking, which of their messages and
// tool texts are worth reading, and what these say. Subagents and saved histories are folded into their session.

import type {
  Expression,
  IndexTotals,
  MessageText,
  Place,
  SessionInfo,
  ToolText,
  WordIndex,
  WordScope,
} from '../store/word-index.ts';
import { describeSession } from './features.ts';
import { type FoundTerm, isCut, isFound, maxSessionsPerTerm, strengthFactor } from './find-terms.ts';
import { type Corpus, groupBy, type RankedSession, type RankedTerm } from './rank.ts';

export interface Candidates {
  readonly sessions: readonly RankedSession[];
  readonly weights: readonly RankedTerm[];
  readonly corpus: Corpus;
  readonly infos: ReadonlyMap<number, SessionInfo>;
  readonly messages: ReadonlyMap<number, MessageText>;
  readonly toolTexts: ReadonlyMap<number, ToolText>;
  readonly withWords: SessionsWithWords;
}

interface GatherRequest {
  readonly index: WordIndex;
  readonly scope: WordScope;
  readonly totals: IndexTotals;
  readonly listsSubagents: boolean;
  readonly sort: 'relevance' | 'recent';
  readonly limit: number;
  readonly now: Date;
}

/** How many messages with only common words are taken, per result shown. They are the newest, which are as good as any. */
const commonPerResult = 5;
/** How many messages are considered; more than this change nothing in the first results. */
const maxMessages = 600;
/** How many messages of a session are read: the best decide, and a long session about one thing has hundreds with its words. */
const messagesPerSession = 12;
/** The same of tool texts, of which three count at most. */
const toolTextsPerSession = 5;
const maxToolTexts = 160;

/**
 * 1. Take the best messages overall, and the newest that hold all terms. One long session may take most of these places.
 * 2. So also take sessions by the terms themselves: those with all words, those with all words in their name, those with
 *    one of them in their name, tool calls or tool texts, those with the rarest word, and the newest if sorting by time.
 * 3. Keep the most promising of them by what is known without reading them.
 * 4. Read these sessions, their best messages and their best tool texts.
 */
export async function gatherCandidates(
  terms: readonly FoundTerm[],
  request: GatherRequest,
): Promise<Candidates> {
  const { index, scope, totals, limit } = request;
  const weights = weighTerms(terms, totals);
  const maxOfCommon = limit * commonPerResult;
  const withWords = findSessionsWithWords(terms);
  const isRecent = request.sort === 'recent';
  const [best, newest, recent] = await Promise.all([
    findBestMessages(terms, scope),
    findNewest(terms, scope, maxOfCommon),
    isRecent ? index.newestOf([...withWords.any], maxSessionsPerTerm) : [],
  ]);
  const found = distinctPlaces([...best.places, ...newest.messages]);
  // All terms are common, and no message contains all of them.
  const areAllCommon = found.length === 0 && !best.isWhole;
  const matched = areAllCommon
    ? distinctPlaces(terms.flatMap(({ messages }) => messages.slice(0, maxOfCommon)))
    : found;
  const toolTexts = pickToolTexts(terms, weights, newest.toolTexts);

  const more = [...pickSessions(terms, withWords, maxOfCommon), ...newest.named, ...recent];
  const ofMessages = new Set(matched.map(({ sessionId }) => sessionId));
  const all = new Set([...ofMessages, ...more]);
  const ids = isRecent ? all : keepBest({ ids: all, matched, terms, weights, toolTexts, limit });
  const added = new Set(more.filter((id) => !ofMessages.has(id) && ids.has(id)));
  const places = distinctPlaces([...matched, ...pickMessages(terms, weights, added)]);
  const kept = places.filter(({ sessionId }) => ids.has(sessionId));
  const bySession = groupBy(kept, ({ sessionId }) => sessionId);
  const read = [...bySession.values()].flatMap((some) => some.slice(0, messagesPerSession));
  const promising = [...ids].flatMap((id) => (toolTexts.get(id) ?? []).slice(0, toolTextsPerSession));
  const toolTextIds = promising
    .sort((a, b) => b.words - a.words || b.id - a.id)
    .slice(0, maxToolTexts)
    .map(({ id }) => id);
  const [messages, texts, { infos, inScope }] = await Promise.all([
    index.messages(read.map(({ id }) => id)),
    index.toolTexts(toolTextIds),
    scope.sessions([...ids]),
  ]);

  const groups = foldIntoOwners(ids, infos, request.listsSubagents ? new Set() : inScope);
  const context = {
    terms,
    weights,
    infos,
    now: request.now,
    matched: bySession,
    messages: groupBy(messages, ({ sessionId }) => sessionId),
    toolTexts: groupBy(texts, ({ sessionId }) => sessionId),
  };
  return {
    sessions: [...groups].map(([ownerId, members]) => describeSession(ownerId, members, context)),
    weights,
    corpus: describeCorpus(totals, texts),
    infos,
    messages: new Map(messages.map((message) => [message.id, message])),
    toolTexts: new Map(texts.map((text) => [text.id, text])),
    withWords,
  };
}

/** In so many tool texts a word is taken to be that is in more of them than are listed. */
const commonToolTexts = 1000;

function weighTerms(terms: readonly FoundTerm[], totals: IndexTotals): RankedTerm[] {
  return terms.map((found) => {
    const strength = strengthFactor[found.term.strength];
    const inMessages = found.messages.length / found.coveredShare;
    const inToolTexts = found.areToolTextsCut ? commonToolTexts : found.toolTexts.length;
    // A word that only tools use is rare in the conversation, and still says little where every tool uses it.
    const ofBoth = rarity(totals.messages + totals.toolCalls * 2, inMessages + inToolTexts);
    const sessions = new Set([...found.messageCounts.keys(), ...found.toolTextCounts.keys()]);
    return {
      weight: Math.min(rarity(Math.max(1, totals.messages), inMessages), ofBoth) * strength,
      sessionWeight:
        rarity(Math.max(1, totals.spokenSessions), sessions.size / found.coveredShare) * strength,
      isStrong: isRequired(found),
      isCut: isCut(found),
    };
  });
}

/** Inverse document frequency. */
function rarity(total: number, count: number): number {
  return Math.log(1 + (total - Math.min(count, total) + 0.5) / (Math.min(count, total) + 0.5));
}

function isRequired({ term }: FoundTerm): boolean {
  return term.strength === 'strong' && !term.isPart;
}

/** How many messages the engine ranks in one search. A rare word decides; our own ranking adds the common ones. */
const maxWeighed = 5000;

async function findBestMessages(terms: readonly FoundTerm[], scope: WordScope) {
  const found = terms.filter(isFound);
  let room = maxWeighed;
  const estimate = ({ messages, coveredShare }: FoundTerm) => messages.length / coveredShare;
  const weighed = found
    .toSorted((a, b) => estimate(a) - estimate(b))
    .filter((term) => {
      room -= estimate(term);
      return room >= 0;
    });
  const any = { any: weighed.map(({ term }) => term) };
  const places = weighed.length === 0 ? [] : await scope.best(any, maxMessages);
  return { places, isWhole: weighed.length === found.length };
}

/** The best of common terms would take a look at every occurrence; tool texts with only these are found in no other way. */
async function findNewest(terms: readonly FoundTerm[], scope: WordScope, limit: number) {
  const found = terms.filter(isFound);
  if (found.length < 2) return { messages: [], toolTexts: [], named: [] };
  const all: Expression = { all: found.map(({ term }) => term) };
  const areMessagesKnown = found.reduce((sum, term) => sum + term.messages.length / term.coveredShare, 0);
  return scope.newest(all, {
    messages: areMessagesKnown <= maxWeighed ? 0 : limit,
    toolTexts: found.every((term) => term.areToolTextsCut) ? limit : 0,
    named: limit,
  });
}

/** In the order in which each comes first. */
function distinctPlaces(places: readonly Place[]): Place[] {
  const byId = new Map<number, Place>();
  for (const place of places) if (!byId.has(place.id)) byId.set(place.id, place);
  return [...byId.values()];
}

interface PromisingText extends Place {
  /** The weights of the terms that it is known to hold, added up. */
  words: number;
}

/** Best first, by session. Where every term is common: those that hold all of them and the newest of the rarest one. */
export function pickToolTexts(
  terms: readonly FoundTerm[],
  weights: readonly RankedTerm[],
  withAll: readonly Place[],
): Map<number, PromisingText[]> {
  const found = new Map<number, PromisingText>();
  const add = (places: readonly Place[], weight: number, addsNew: boolean) => {
    for (const place of places) {
      const known = found.get(place.id);
      if (known !== undefined) known.words += weight;
      else if (addsNew) found.set(place.id, { ...place, words: weight });
    }
  };
  const rare = terms.filter((term) => !term.areToolTextsCut && term.toolTexts.length > 0);
  const common = terms.filter((term) => term.areToolTextsCut);
  const [rarest] = common.toSorted((a, b) => a.messages.length - b.messages.length);
  const adding = rare.length > 0 || rarest === undefined ? rare : [rarest];
  // Texts are found by the rare terms first; the common ones then count in them.
  for (const term of [...adding, ...terms.filter((each) => !adding.includes(each))])
    add(term.toolTexts, weights[terms.indexOf(term)]?.weight ?? 0, adding.includes(term));
  const all = weights.reduce((sum, { weight }) => sum + weight, 0);
  for (const place of withAll) found.set(place.id, { ...place, words: all });
  const groups = groupBy(found.values(), ({ sessionId }) => sessionId);
  for (const texts of groups.values()) texts.sort((a, b) => b.words - a.words || b.id - a.id);
  return groups;
}

/** How many messages with only common words are read per session; more are read for the results that are shown. */
const commonPerSession = 1;

/** From the sessions that were found in other ways, the messages with the most significant words. */
function pickMessages(
  terms: readonly FoundTerm[],
  weights: readonly RankedTerm[],
  wanted: ReadonlySet<number>,
): Place[] {
  if (wanted.size === 0) return [];
  const picked = new Map<number, Place & { score: number; isTelling: boolean }>();
  for (const [i, { messages, areMessagesCut }] of terms.entries()) {
    const weight = weights[i]?.weight ?? 0;
    for (const place of messages) {
      if (!wanted.has(place.sessionId)) continue;
      const message = picked.get(place.id) ?? { ...place, score: 0, isTelling: false };
      message.score += weight;
      message.isTelling ||= !areMessagesCut;
      picked.set(place.id, message);
    }
  }
  const taken = new Map<number, number>();
  return [...picked.values()]
    .sort((a, b) => b.score - a.score || b.id - a.id)
    .filter(({ sessionId, isTelling }) => {
      if (isTelling) return true;
      const before = taken.get(sessionId) ?? 0;
      taken.set(sessionId, before + 1);
      return before < commonPerSession;
    })
    .slice(0, maxMessages);
}

type SessionsWithWords = Readonly<Record<'any' | 'all', ReadonlySet<number>>>;

/** A common term is assumed to be everywhere. */
function findSessionsWithWords(terms: readonly FoundTerm[]): SessionsWithWords {
  const areAllCommon = terms.filter(isRequired).every(isCut);
  const sets = terms.map((term) => ({
    isStrong: isRequired(term) && (areAllCommon || !isCut(term)),
    ids: new Set([
      ...term.messageCounts.keys(),
      ...term.callCounts.keys(),
      ...term.named,
      ...term.toolTextCounts.keys(),
    ]),
  }));
  const any = new Set(sets.flatMap(({ ids }) => [...ids]));
  const strong = sets.filter((set) => set.isStrong).sort((a, b) => a.ids.size - b.ids.size);
  const all = [...(strong[0]?.ids ?? [])].filter((id) => strong.every(({ ids }) => ids.has(id)));
  return { any, all: new Set(all) };
}

function pickSessions(terms: readonly FoundTerm[], { all }: SessionsWithWords, maxOfCommon: number) {
  const telling = terms.filter((term) => !term.areMessagesCut);
  const rarest = telling.toSorted((a, b) => a.messageCounts.size - b.messageCounts.size)[0];
  const maxOfAll = telling.length === 0 ? maxOfCommon : maxSessionsPerTerm;
  return [
    ...[...all].sort((a, b) => b - a).slice(0, maxOfAll),
    ...telling.flatMap((term) => highest(term.callCounts)),
    ...telling.flatMap((term) => highest(term.toolTextCounts)),
    // Among several words, a common one does not identify a session by its name.
    ...(terms.length === 1 ? terms : telling).flatMap((term) => [...term.named]),
    ...(rarest === undefined ? [] : highest(rarest.messageCounts)),
  ];
}

/** The sessions with the highest counts, so that a common path does not bring in the whole index. */
function highest(counts: ReadonlyMap<number, number>): number[] {
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, maxSessionsPerTerm)
    .map(([id]) => id);
}

/** At least, and per result shown. Ranking all of them finds at most half a point more (docs/ranking.md). */
const leastRanked = 40;
const rankedPerResult = 4;

interface Promising {
  readonly ids: ReadonlySet<number>;
  /** Best first. */
  readonly matched: readonly Place[];
  readonly terms: readonly FoundTerm[];
  readonly weights: readonly RankedTerm[];
  readonly toolTexts: ReadonlyMap<number, readonly PromisingText[]>;
  readonly limit: number;
}

/** By how many of the words they hold, their best message by the engine's measure, and their best tool text. */
export function keepBest({ ids, matched, terms, weights, toolTexts, limit }: Promising): ReadonlySet<number> {
  const count = Math.max(leastRanked, limit * rankedPerResult);
  if (ids.size <= count) return ids;
  const best = new Map<number, number>();
  for (const [i, { sessionId }] of matched.entries())
    if (!best.has(sessionId)) best.set(sessionId, 1 - i / matched.length);
  const rough = [...ids].map((id) => ({
    id,
    message: best.get(id) ?? 0,
    words: sumOfWords(id, terms, weights),
    toolText: toolTexts.get(id)?.[0]?.words ?? 0,
  }));
  const mostWords = rough.reduce((most, { words }) => Math.max(most, words), Number.MIN_VALUE);
  const mostToolText = rough.reduce((most, each) => Math.max(most, each.toolText), Number.MIN_VALUE);
  const scored = rough.map(({ id, words, message, toolText }) => ({
    id,
    score: words / mostWords + Math.max(message, toolText / mostToolText),
  }));
  scored.sort((a, b) => b.score - a.score || b.id - a.id);
  return new Set(scored.slice(0, count).map(({ id }) => id));
}

/** A word counts more where it is said more often, up to twice; the most where it names the session. */
function sumOfWords(id: number, terms: readonly FoundTerm[], weights: readonly RankedTerm[]): number {
  let total = 0;
  for (let i = 0; i < terms.length; i++) {
    const term = terms[i] as FoundTerm;
    const times = (term.messageCounts.get(id) ?? 0) + (term.toolTextCounts.get(id) ?? 0) / 4;
    const named = term.namedSessions.has(id) ? 2 : 0;
    total += (weights[i]?.weight ?? 0) * (named + (times * 2.2) / (times + 1.2));
  }
  return total;
}

/** Under its parent, unless the filters exclude the parent: then a subagent is its own result. */
function foldIntoOwners(
  ids: ReadonlySet<number>,
  infos: ReadonlyMap<number, SessionInfo>,
  inScope: ReadonlySet<number>,
): Map<number, number[]> {
  const known = [...ids].filter((id) => infos.has(id));
  return groupBy(known, (id) => {
    const { ownerId } = infos.get(id) as SessionInfo;
    return inScope.has(ownerId) ? ownerId : id;
  });
}

function describeCorpus(totals: IndexTotals, toolTexts: readonly ToolText[]): Corpus {
  const mean = (total: number, count: number) => Math.max(1, total / Math.max(1, count));
  const { spokenSessions, messages, textChars, toolCalls } = totals;
  const toolTextChars = toolTexts.reduce((sum, { text }) => sum + (text?.length ?? 0), 0);
  return {
    meanMessageChars: mean(textChars, messages),
    meanSessionChars: mean(textChars, spokenSessions),
    meanToolCalls: mean(toolCalls, spokenSessions),
    meanToolTextChars: mean(toolTextChars, toolTexts.length),
  };
}
