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
import { readNewest, readSessions, type SessionInfo } from '../store/read/read-sessions.ts';
import { toSessionId } from '../store/row-ids.ts';
import { maxCommonListed } from './common-work.ts';
import type { Corpus, RankedSession, RankedTerm } from './evidence.ts';
import { type FoundTerm, isCut, joinTerms, maxSessionsPerTerm, strengthFactor } from './find-terms.ts';
import { matchMessages, toListedShare } from './match-messages.ts';
import {
  keepBest,
  pickMessages,
  pickSessions,
  type SessionsWithWords,
  toSessions,
} from './pick-candidates.ts';
import { toRankedSession } from './to-ranked-session.ts';
import { weighWork } from './weigh-work.ts';

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
