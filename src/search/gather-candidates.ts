// From the places where terms stand to what the ranking needs: the best messages with their features, the sessions
// they belong to, agents and saved histories folded into their session.

import { type Matcher, type MessageText, readMessages } from '../store/match.ts';
import type { Store } from '../store/open-store.ts';
import { readNewest, readSessions, type SessionInfo } from '../store/read-sessions.ts';
import { toSessionId } from '../store/row-ids.ts';
import { type IndexTotals, readSessionSpan, readTotals, type SessionSpan } from '../store/totals.ts';
import { isEcho } from './echo.ts';
import { toFeatures } from './features.ts';
import { type FoundTerm, joinTerms, maxSessionsPerTerm, strengthFactor } from './find-terms.ts';
import { matchMessages, maxMessages, toListedShare } from './match-messages.ts';
import { findOccurrences, foldText } from './occurrences.ts';
import type { Corpus, RankedMessage, RankedSession, RankedTerm } from './rank.ts';

/** Of messages that common words bring in, the newest: they are as good as any. For each result that is shown, some. */
const commonPerResult = 5;
/** Of messages with nothing but common words, those of one session that are looked at. */
const commonPerSession = 3;

export interface Candidates {
  readonly sessions: readonly RankedSession[];
  readonly weights: readonly RankedTerm[];
  readonly corpus: Corpus;
  readonly infos: ReadonlyMap<number, SessionInfo>;
  readonly texts: ReadonlyMap<number, MessageText>;
  readonly withWords: SessionsWithWords;
}

export interface SessionsWithWords {
  readonly any: ReadonlySet<number>;
  readonly all: ReadonlySet<number>;
}

export interface GatherOptions {
  readonly listAgents: boolean;
  readonly sort: 'relevance' | 'recent';
  readonly limit: number;
  readonly now: Date;
}

/**
 * 1. The best messages of all; a long session may take most of these places.
 * 2. So also sessions by the terms themselves: those with all words, those named by all of them, those named or touched by
 *    one, those with the rarest, and the newest where these are asked for; and for each its own best messages.
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
  const maxOfCommon = options.limit * commonPerResult;
  const matched = new Set(matchMessages(matcher, terms, span, maxOfCommon));
  const ids = new Set([...matched].map(toSessionId));
  const withWords = toSessions(terms);
  const more = [
    ...pickSessions(terms, withWords, maxOfCommon),
    ...(terms.length > 1 ? matcher.listNamed(joinTerms(terms, 'AND'), maxOfCommon) : []),
    ...(options.sort === 'recent' ? newest(store, withWords.any) : []),
  ];
  const added = new Set(more.filter((id) => !ids.has(id)));
  for (const id of added) ids.add(id);
  for (const id of pickMessages(terms, weights, added)) matched.add(id);
  const texts = new Map(readMessages(store.db, [...matched]).map((text) => [text.id, text]));
  const infos = withOwners(store, ids);
  const groups = foldIntoOwners(ids, infos, options.listAgents, matcher);
  const bySession = groupBySession(texts.values());
  const sessions = [...groups].map(([ownerId, members]) =>
    toRankedSession(ownerId, members, { terms, weights, infos, texts: bySession, now: options.now }),
  );
  return { sessions, weights, corpus: toCorpus(size), infos, texts, withWords };
}

function toWeights(terms: readonly FoundTerm[], size: IndexTotals, span: SessionSpan): RankedTerm[] {
  return terms.map((found) => {
    const { term, messages, bySession } = found;
    const share = toListedShare(found, span);
    const strength = strengthFactor[term.strength];
    return {
      weight: toIdf(Math.max(1, size.messages), messages.length / share) * strength,
      sessionWeight: toIdf(Math.max(1, size.spokenSessions), bySession.size / share) * strength,
      isStrong: term.strength === 'strong',
    };
  });
}

/** Of the sessions that came in by other ways, the messages with the most telling words. */
function pickMessages(
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

function groupBySession(texts: Iterable<MessageText>): Map<number, MessageText[]> {
  const groups = new Map<number, MessageText[]>();
  for (const text of texts) {
    const group = groups.get(text.sessionId);
    if (group === undefined) groups.set(text.sessionId, [text]);
    else group.push(text);
  }
  return groups;
}

/** Sessions that hold any of the terms, and those that hold every strong one. A common one is taken to be everywhere. */
function toSessions(terms: readonly FoundTerm[]): SessionsWithWords {
  const strongTerms = terms.filter(({ term }) => term.strength === 'strong');
  const areAllCommon = strongTerms.every((term) => term.isCommon);
  const sets = terms.map((term) => ({
    isStrong: term.term.strength === 'strong' && (areAllCommon || !term.isCommon),
    ids: new Set([...term.bySession.keys(), ...term.toolCalls.keys(), ...term.named]),
  }));
  const any = new Set(sets.flatMap(({ ids }) => [...ids]));
  const strong = sets.filter((set) => set.isStrong).sort((a, b) => a.ids.size - b.ids.size);
  const all = [...(strong[0]?.ids ?? [])].filter((id) => strong.every(({ ids }) => ids.has(id)));
  return { any, all: new Set(all) };
}

function pickSessions(
  terms: readonly FoundTerm[],
  { all }: SessionsWithWords,
  maxOfCommon: number,
): number[] {
  const telling = terms.filter((term) => !term.isCommon);
  const rarest = [...telling].sort((a, b) => a.bySession.size - b.bySession.size)[0];
  const maxOfAll = telling.length === 0 ? maxOfCommon : maxSessionsPerTerm;
  return [
    // The newest of them have the highest ids.
    ...[...all].sort((a, b) => b - a).slice(0, maxOfAll),
    ...telling.flatMap((term) => best(term.toolCalls, maxSessionsPerTerm)),
    // Of several words a common one names nothing by itself.
    ...(terms.length === 1 ? terms : telling).flatMap((term) => [...term.named]),
    ...(rarest === undefined ? [] : best(rarest.bySession, maxSessionsPerTerm)),
  ];
}

function newest(store: Store, ids: ReadonlySet<number>): number[] {
  return readNewest(store.db, ids, maxSessionsPerTerm);
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

/** Under its parent, unless the filters leave the parent out: then an agent stands for itself. */
function foldIntoOwners(
  ids: ReadonlySet<number>,
  infos: ReadonlyMap<number, SessionInfo>,
  listAgents: boolean,
  matcher: Matcher,
): Map<number, number[]> {
  const owners = [...infos.values()].filter((info) => info.ownerId !== info.id).map((info) => info.ownerId);
  const inScope = listAgents || owners.length === 0 ? new Set<number>() : matcher.keepInScope(owners);
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

interface RankContext {
  readonly terms: readonly FoundTerm[];
  readonly weights: readonly { weight: number }[];
  readonly infos: ReadonlyMap<number, SessionInfo>;
  readonly texts: ReadonlyMap<number, readonly MessageText[]>;
  readonly now: Date;
}

function toRankedSession(ownerId: number, members: readonly number[], context: RankContext): RankedSession {
  const { terms, texts, infos, now } = context;
  const owner = infos.get(ownerId) as SessionInfo;
  const messages = members.flatMap((id) =>
    (texts.get(id) ?? []).map((text) => toRankedMessage(text, context)),
  );
  const modifiedAt = owner.modifiedAt ?? '';
  const inText = (text: string | null) => {
    const folded = foldText(text ?? '');
    return terms.map(({ term }) => findOccurrences(folded, term.forms).length > 0);
  };
  const isTitleOwn = owner.titleSource !== 'first-prompt';
  const agents = members.flatMap((id) => infos.get(id) ?? []);
  const surroundings = [
    owner.project,
    owner.branch,
    owner.prRepository,
    owner.prNumber === null ? null : `#${owner.prNumber}`,
    ...[owner, ...agents].flatMap(({ agentType, agentDescription }) => [agentType, agentDescription]),
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
    isGone: owner.isGone === 1,
    memberIds: members,
    messages,
    ownMatches: texts.get(ownerId)?.length ?? 0,
    // Of a common word not all places are known, but those in the messages at hand are.
    messageCounts: terms.map((term, i) =>
      Math.max(
        sumOf(members.map((id) => term.bySession.get(id) ?? 0)),
        messages.filter((message) => (message.counts[i] ?? 0) > 0).length,
      ),
    ),
    toolCounts: terms.map((term) => sumOf(members.map((id) => term.toolCalls.get(id) ?? 0))),
    inTitle: inText(isTitleOwn ? `${owner.title ?? ''}\n${owner.summary ?? ''}` : null),
    inFirstPrompt: inText(owner.firstPrompt),
    inContext: inText(surroundings),
  };
}

function toRankedMessage(text: MessageText, { terms, weights, infos }: RankContext): RankedMessage {
  const features = toFeatures(
    text.text,
    terms.map(({ term }) => term),
    weights.map(({ weight }) => weight),
  );
  const isAgents = text.isSidechain === 1 || infos.get(text.sessionId)?.kind === 'agent';
  const speaker =
    text.kind === 'recap' ? 'recap' : isAgents ? 'agent' : text.role === 'user' ? 'person' : 'assistant';
  return {
    id: text.id,
    text: text.text,
    speaker,
    chars: text.text.length,
    ...features,
    isEcho: isEcho(text.kind, text.text),
  };
}

function toCorpus({ spokenSessions, messages, textChars }: IndexTotals): Corpus {
  const mean = (count: number) => Math.max(1, textChars / Math.max(1, count));
  return { meanMessageChars: mean(messages), meanSessionChars: mean(spokenSessions) };
}

function sumOf(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
