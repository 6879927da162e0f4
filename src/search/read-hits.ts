// Ranked sessions → the results that are shown: each session, its best passages, and how many there are.

import type { Store } from '../store/open/open-store.ts';
import type { CallRow, Matcher } from '../store/read/match.ts';
import { type MessageText, readMessages, readWork, type WorkRow } from '../store/read/read-matches.ts';
import { countCopies, type SessionInfo } from '../store/read/read-sessions.ts';
import { readToolTexts } from '../store/read/tool-texts.ts';
import { sessionFactor, toSessionId } from '../store/row-ids.ts';
import { findReasons, toTitleReason } from './find-reasons.ts';
import { type FoundTerm, isStart, joinTerms } from './find-terms.ts';
import type { Candidates } from './gather-candidates.ts';
import { type Ranked, rankPassages, type ScoreParts } from './rank.ts';

export interface Match {
  readonly message: MessageText;
  /** The subagent that said or did it, if it was not the session itself. */
  readonly subagent: SessionInfo | null;
  /** The match is in what a tool was given or answered: in this; its text is empty if it is not in the index. */
  readonly work: WorkRow | null;
  /** The tool call that was pointed at the match. */
  readonly call: CallRow | null;
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

const matchesPerHit = 3;
/** How many of the best passages are read for these: copies of one text are shown once. */
const maxPassages = 12;

/** Texts of tools and numbers of copies are read for all of them at once. */
export function readHits(
  store: Store,
  entries: readonly Ranked[],
  candidates: Candidates,
  matcher: Matcher,
  terms: readonly FoundTerm[],
): Hit[] {
  const { infos, weights, corpus } = candidates;
  const texts = new Map(candidates.texts);
  const found = entries.map((entry) => {
    const further = findPassages(store, entry, matcher, terms);
    for (const message of further) texts.set(message.id, message);
    return [
      ...rankPassages(entry.session, weights, corpus).slice(0, maxPassages),
      ...further.map(({ id }) => ({ id, isWork: false })),
      ...findWork(entry, matcher, terms).map((id) => ({ id, isWork: true })),
    ];
  });
  const work = readWork(
    store.db,
    found.flat().flatMap(({ id, isWork }) => (isWork ? [id] : [])),
  );
  const sessions = entries.map(({ session }) => infos.get(session.id) as SessionInfo);
  const copiesOf = countCopies(store.db, sessions);
  const hits = entries.map((entry, i) => {
    const session = sessions[i] as SessionInfo;
    const said = toMatches(session, found[i] ?? [], { infos, texts, work });
    const reasons = findReasons(session, entry, terms, matcher);
    if (said.length === 0 && reasons.length === 0) reasons.push(toTitleReason(session));
    const matches = [
      ...said,
      ...reasons.map(({ message, call }) => ({
        ...{ message, work: null, call },
        subagent: findSubagent(session, message, infos),
      })),
    ];
    return {
      session,
      copies: copiesOf(session),
      score: entry.score,
      parts: entry.parts,
      matchCount: Math.max(matches.length, ...entry.session.messageCounts, ...entry.session.workCounts),
      matches,
    };
  });
  return withToolTexts(store, hits);
}

function withToolTexts({ db }: Store, hits: readonly Hit[]): Hit[] {
  const ids = hits.flatMap(({ matches }) => matches.flatMap(({ work }) => work?.id ?? []));
  const texts = readToolTexts(db, ids);
  const withText = (match: Match) =>
    match.work === null
      ? match
      : { ...match, message: { ...match.message, text: texts.get(match.work.id) ?? '' } };
  return hits.map((hit) => ({ ...hit, matches: hit.matches.map(withText) }));
}

interface Read {
  readonly infos: ReadonlyMap<number, SessionInfo>;
  readonly texts: ReadonlyMap<number, MessageText>;
  readonly work: ReadonlyMap<number, WorkRow>;
}

/** The first of the passages. A history saved before a compaction contains the same ones again. */
function toMatches(
  session: SessionInfo,
  found: readonly { readonly id: number; readonly isWork: boolean }[],
  { infos, texts, work }: Read,
): Match[] {
  const seen = new Set<string>();
  const matches: Match[] = [];
  for (const { id, isWork } of found) {
    const row = isWork ? work.get(id) : undefined;
    const message = row === undefined ? texts.get(id) : toWorkMessage(row);
    if (message === undefined || matches.length === matchesPerHit) continue;
    const key = row === undefined ? message.text : `${row.kind} ${row.tool} ${row.target}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const subagent = findSubagent(session, message, infos);
    matches.push({ message, subagent, work: row ?? null, call: null });
  }
  return matches;
}

/** Who said or did it, if not the session itself. */
function findSubagent(
  session: SessionInfo,
  { sessionId }: MessageText,
  infos: Read['infos'],
): SessionInfo | null {
  return sessionId === session.id ? null : (infos.get(sessionId) ?? null);
}

/** As a message on the line of the call or of its answer, so that it can be referred to. */
function toWorkMessage({ sessionId, seq, kind, atMs }: WorkRow): MessageText {
  return {
    id: sessionId * sessionFactor + seq,
    sessionId,
    uuid: null,
    role: 'assistant',
    kind,
    timestamp: atMs === null ? null : new Date(atMs).toISOString(),
    text: '',
    isSidechain: 0,
  };
}

/**
 * Not every occurrence of a common word was read: a session may have more passages than those known so far.
 */
function findPassages(
  store: Store,
  { session }: Ranked,
  matcher: Matcher,
  terms: readonly FoundTerm[],
): MessageText[] {
  const { memberIds, messages } = session;
  if (messages.length >= matchesPerHit || !terms.some((term) => term.isCommon)) return [];
  const known = new Set(messages.map(({ id }) => id));
  const listed = new Set(terms.flatMap((term) => memberIds.flatMap((id) => messagesOf(term, id))));
  const hasNone = messages.length === 0 && listed.size === 0;
  const expression = joinTerms(toAskable(terms), 'OR');
  const ids = hasNone
    ? memberIds.flatMap((id) => matcher.listMessagesOf(id, expression, matchesPerHit))
    : [...listed].filter((id) => !known.has(id));
  return readMessages(store.db, ids.slice(0, matchesPerHit - messages.length));
}

/** Without starts of words, where there are others. */
function toAskable(terms: readonly FoundTerm[]): readonly FoundTerm[] {
  const whole = terms.filter((term) => !isStart(term));
  return whole.length > 0 ? whole : terms;
}

/** Nor is every text of a tool with a common word listed. */
function findWork({ session }: Ranked, matcher: Matcher, terms: readonly FoundTerm[]): number[] {
  const { memberIds, messages, work } = session;
  if (messages.length + work.length > 0 || !terms.some((term) => term.isCommonInWork)) return [];
  const expression = joinTerms(toAskable(terms), 'OR');
  return memberIds.flatMap((id) => matcher.listWorkOf(id, expression, matchesPerHit)).slice(0, matchesPerHit);
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
