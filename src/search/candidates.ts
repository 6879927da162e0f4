// From the places where terms occur to what the ranking needs: which sessions are worth ranking, which of their messages and
// tool texts are worth reading, and what these say. Subagents and saved histories are folded into their session.

import type {
  Expression,
  IndexTotals,
  MessageText,
  Place,
  Relation,
  SessionInfo,
  ToolText,
  WordIndex,
  WordScope,
} from '../store/word-index.ts';
import { compareText } from '../text/compare.ts';
import { describeSession } from './features.ts';
import { type FoundTerm, isCut, isFound, strengthFactor, type TermUse } from './find-terms.ts';
import {
  type Corpus,
  groupBy,
  type RankedSession,
  type RankedTerm,
  weights as scoreWeights,
} from './rank.ts';

export type WeighedTerm = FoundTerm & RankedTerm;

interface Conversations {
  readonly count: number;
  /** Copies and subagents each on their own. */
  readonly sessions: readonly number[];
}

export interface Candidates {
  readonly sessions: readonly RankedSession[];
  readonly terms: readonly WeighedTerm[];
  readonly corpus: Corpus;
  readonly infos: ReadonlyMap<number, SessionInfo>;
  readonly messages: ReadonlyMap<number, MessageText>;
  readonly toolTexts: ReadonlyMap<number, ToolText>;
  /** The conversations that have some of the words, and those that may have all that are required. */
  readonly conversations: Readonly<Record<'any' | 'all', Conversations>>;
}

interface GatherRequest {
  readonly index: WordIndex;
  readonly scope: WordScope;
  readonly totals: IndexTotals;
  readonly listsSubagents: boolean;
  /** Every word has to be in a session, if any session has them all. */
  readonly isConjunction: boolean;
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
/** How many tool texts of a session are read; at most three of them count. */
const toolTextsPerSession = 5;
const maxToolTexts = 160;

/**
 * 1. Take the best messages overall, and the newest that hold all terms. One long session may take most of these places.
 * 2. So also take every session in which a term is known to be, unless it is common, and ask what these are shown under: subagents and saved
 *    histories under their session, copies under one of them.
 * 3. Where every word has to be in a session and is in some, keep these. Of them the most promising by what is known without
 *    reading them.
 * 4. Read these sessions, their best messages and their best tool texts.
 */
export async function gatherCandidates(
  found: readonly FoundTerm[],
  request: GatherRequest,
): Promise<Candidates> {
  const { index, scope, totals, limit } = request;
  const terms = found.map((term) => weighTerm(term, totals));
  const maxOfCommon = limit * commonPerResult;
  const [best, newest] = await Promise.all([
    findBestMessages(terms, scope),
    findNewest(terms, scope, maxOfCommon),
  ]);
  const ranked = distinctPlaces([...best.places, ...newest.messages]);
  // All terms are common, and no message contains all of them.
  const areAllCommon = ranked.length === 0 && !best.isWhole;
  const matched = areAllCommon
    ? distinctPlaces(terms.flatMap(({ messages }) => messages.slice(0, maxOfCommon)))
    : ranked;
  const toolTexts = pickToolTexts(terms, newest.toolTexts);

  const ofMessages = new Set(matched.map(({ sessionId }) => sessionId));
  const all = new Set([
    ...ofMessages,
    ...toolTexts.keys(),
    ...newest.named,
    ...listKnown(terms, maxOfCommon),
  ]);
  const relations = await scope.relations([...all], request.listsSubagents);
  const groups = groupBy(relations, ({ ownerId }) => ownerId);
  const complete = findComplete(groups, terms);
  const related =
    request.isConjunction && complete.isAnySure ? [...complete.groups.values()].flat() : relations;
  const ids =
    request.sort === 'recent'
      ? takeConversations(related.toSorted(byRecency), limit)
      : keepBest({ relations: related, matched, terms, toolTexts, limit });
  const added = new Set([...ids].filter((id) => !ofMessages.has(id)));
  const places = distinctPlaces([...matched, ...pickMessages(terms, added)]);
  const kept = places.filter(({ sessionId }) => ids.has(sessionId));
  const bySession = groupBy(kept, ({ sessionId }) => sessionId);
  const read = [...bySession.values()].flatMap((some) => some.slice(0, messagesPerSession));
  const toolTextIds = [...ids]
    .flatMap((id) => (toolTexts.get(id) ?? []).slice(0, toolTextsPerSession))
    .sort((a, b) => b.words - a.words || b.id - a.id)
    .slice(0, maxToolTexts)
    .map(({ id }) => id);
  const owners = new Set(related.filter(({ id }) => ids.has(id)).map(({ ownerId }) => ownerId));
  const [messages, texts, infos] = await Promise.all([
    index.messages(read.map(({ id }) => id)),
    index.toolTexts(toolTextIds),
    index.sessions([...new Set([...ids, ...owners])]),
  ]);

  const context = {
    terms,
    infos,
    now: request.now,
    matched: bySession,
    messages: groupBy(messages, ({ sessionId }) => sessionId),
    toolTexts: groupBy(texts, ({ sessionId }) => sessionId),
  };
  return {
    sessions: [...owners].map((ownerId) => {
      const members = (groups.get(ownerId) ?? []).map(({ id }) => id);
      return describeSession(ownerId, members, context);
    }),
    terms,
    corpus: describeCorpus(totals, texts),
    infos,
    messages: new Map(messages.map((message) => [message.id, message])),
    toolTexts: new Map(texts.map((text) => [text.id, text])),
    conversations: { any: listConversations(groups), all: listConversations(complete.groups) },
  };
}

/** In so many tool texts a word is taken to be that is in more of them than are listed. */
const commonToolTexts = 1000;

function weighTerm(found: FoundTerm, totals: IndexTotals): WeighedTerm {
  const strength = strengthFactor[found.term.strength];
  const inMessages = found.messages.length / found.coveredShare;
  const inToolTexts = found.areToolTextsCut ? commonToolTexts : found.toolTexts.length;
  // A word that only tools use is rare in the conversation, and still says little where every tool uses it.
  const ofBoth = rarity(totals.messages + totals.toolCalls * 2, inMessages + inToolTexts);
  const withTexts = [...found.sessions.values()].filter(({ said, done }) => said + done > 0).length;
  return {
    ...found,
    weight: Math.min(rarity(Math.max(1, totals.messages), inMessages), ofBoth) * strength,
    sessionWeight: rarity(Math.max(1, totals.spokenSessions), withTexts / found.coveredShare) * strength,
    isStrong: found.term.strength === 'strong' && !found.term.isPart,
    isCut: isCut(found),
  };
}

/** Inverse document frequency. */
function rarity(total: number, count: number): number {
  return Math.log(1 + (total - Math.min(count, total) + 0.5) / (Math.min(count, total) + 0.5));
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
  terms: readonly WeighedTerm[],
  withAll: readonly Place[],
): Map<number, PromisingText[]> {
  const found = new Map<number, PromisingText>();
  const rare = terms.filter((term) => !term.areToolTextsCut && term.toolTexts.length > 0);
  const common = terms.filter((term) => term.areToolTextsCut);
  const [rarest] = common.toSorted((a, b) => a.messages.length - b.messages.length);
  const adding = rare.length > 0 || rarest === undefined ? rare : [rarest];
  // Texts are found by the rare terms first; the common ones then count in them.
  for (const term of [...adding, ...terms.filter((each) => !adding.includes(each))])
    for (const place of term.toolTexts) {
      const known = found.get(place.id);
      if (known !== undefined) known.words += term.weight;
      else if (adding.includes(term)) found.set(place.id, { ...place, words: term.weight });
    }
  const all = sumOfWeights(terms);
  for (const place of withAll) found.set(place.id, { ...place, words: all });
  const groups = groupBy(found.values(), ({ sessionId }) => sessionId);
  for (const texts of groups.values()) texts.sort((a, b) => b.words - a.words || b.id - a.id);
  return groups;
}

function sumOfWeights(terms: readonly WeighedTerm[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0);
}

/** How many messages with only common words are read per session; more are read for the results that are shown. */
const commonPerSession = 1;

/** From the sessions that were found in other ways, the messages with the most significant words. */
function pickMessages(terms: readonly WeighedTerm[], wanted: ReadonlySet<number>): Place[] {
  const picked = new Map<number, Place & { score: number; isTelling: boolean }>();
  for (const { messages, areMessagesCut, weight } of wanted.size === 0 ? [] : terms)
    for (const place of messages) {
      if (!wanted.has(place.sessionId)) continue;
      const message = picked.get(place.id) ?? { ...place, score: 0, isTelling: false };
      message.score += weight;
      message.isTelling ||= !areMessagesCut;
      picked.set(place.id, message);
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

/** At least, and per result shown. Ranking all of them finds at most half a point more (docs/ranking.md). */
const leastRanked = 40;
const rankedPerResult = 4;
/** How many of the subagents, saved histories and copies of one conversation are read. */
const sessionsPerConversation = 12;

interface Promising {
  readonly relations: readonly Relation[];
  /** Best first. */
  readonly matched: readonly Place[];
  readonly terms: readonly WeighedTerm[];
  readonly toolTexts: ReadonlyMap<number, readonly PromisingText[]>;
  readonly limit: number;
}

/** By how many of the words they hold and are called by, their best message by the engine's measure, and their best tool text. */
export function keepBest(promising: Promising): ReadonlySet<number> {
  const { relations, matched, terms, toolTexts, limit } = promising;
  if (relations.length <= leastRanked) return new Set(relations.map(({ id }) => id));
  const best = new Map<number, number>();
  for (const [i, { sessionId }] of matched.entries())
    if (!best.has(sessionId)) best.set(sessionId, 1 - i / matched.length);
  const rough = relations.map((relation) => ({
    relation,
    message: best.get(relation.id) ?? 0,
    ...sumOfWords(relation.id, terms),
    toolText: toolTexts.get(relation.id)?.[0]?.words ?? 0,
  }));
  const all = sumOfWeights(terms) || 1;
  const mostWords = rough.reduce((most, { words }) => Math.max(most, words), Number.MIN_VALUE);
  const mostToolText = rough.reduce((most, each) => Math.max(most, each.toolText), Number.MIN_VALUE);
  const scored = rough.map(({ relation, words, message, toolText, called }) => ({
    relation,
    score:
      words / mostWords +
      Math.max(message, toolText / mostToolText) +
      scoreWeights.title * (called / all) ** 2,
  }));
  scored.sort((a, b) => b.score - a.score || b.relation.id - a.relation.id);
  return takeConversations(
    scored.map(({ relation }) => relation),
    limit,
  );
}

/** In the order in which they are given. One that has hundreds of subagents or copies does not take the place of others. */
function takeConversations(relations: readonly Relation[], limit: number): ReadonlySet<number> {
  const most = Math.max(leastRanked, limit * rankedPerResult);
  const taken = new Map<number, number>();
  const kept = relations.filter(({ conversationId }) => {
    const before = taken.get(conversationId) ?? 0;
    const isTaken = before < sessionsPerConversation && (before > 0 || taken.size < most);
    if (isTaken) taken.set(conversationId, before + 1);
    return isTaken;
  });
  return new Set(kept.map(({ id }) => id));
}

/** A word counts more where it is said more often, up to twice; the most where it names the session. */
function sumOfWords(id: number, terms: readonly WeighedTerm[]) {
  let [words, called] = [0, 0];
  for (const { weight, sessions } of terms) {
    const held = sessions.get(id);
    if (held === undefined) continue;
    const times = held.said + held.done / 4;
    words += weight * ((held.isNamed ? 2 : 0) + (times * 2.2) / (times + 1.2));
    if (held.isCalled) called += weight;
  }
  return { words, called };
}

type Groups = ReadonlyMap<number, readonly Relation[]>;

/** The sessions, with what is folded into them, that may have every required term; and whether any surely has. */
function findComplete(groups: Groups, terms: readonly WeighedTerm[]): { groups: Groups; isAnySure: boolean } {
  const required = terms.filter(({ isStrong }) => isStrong);
  let isAnySure = false;
  const complete = [...groups].filter(([ownerId, members]) => {
    const lacking = required.filter(
      ({ sessions }) => !sessions.get(ownerId)?.isNamed && !members.some(({ id }) => sessions.has(id)),
    );
    if (lacking.length === 0) isAnySure = true;
    return lacking.every((term) => term.isCut || term.isNamedCut);
  });
  return { groups: new Map(complete), isAnySure };
}

/**
 * Where a common word is, is not known of all sessions, and those with nothing else are not what is meant; if all words are
 * common, the newest that have all of them.
 */
function listKnown(terms: readonly WeighedTerm[], maxOfCommon: number): number[] {
  const telling = terms.filter((term) => isFound(term) && !term.areMessagesCut);
  if (telling.length > 0) return telling.flatMap(({ sessions }) => [...sessions.keys()]);
  const [first, ...others] = terms.filter(({ isStrong }) => isStrong).map(({ sessions }) => sessions);
  const withAll = [...(first?.keys() ?? [])].filter((id) => others.every((sessions) => sessions.has(id)));
  // Among several words, a common one does not identify a session by its name.
  const isNamed = ([, held]: readonly [number, TermUse]) => held.isNamed;
  const named = terms.length === 1 ? [...(terms[0]?.sessions ?? [])].filter(isNamed).map(([id]) => id) : [];
  return [...named, ...withAll.sort((a, b) => b - a).slice(0, Math.max(leastOfCommon, maxOfCommon))];
}

const leastOfCommon = 200;

function listConversations(groups: Groups): Conversations {
  const relations = [...groups.values()];
  return {
    count: new Set(relations.map(([first]) => first?.conversationId)).size,
    sessions: relations.flatMap((members) => members.map(({ id }) => id)),
  };
}

function byRecency(a: Relation, b: Relation): number {
  return compareText(b.modifiedAt ?? '', a.modifiedAt ?? '') || b.id - a.id;
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
