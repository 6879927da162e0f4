// Ranked sessions → the results that are shown: each session, its best passages, and how many there are.

import type { Store } from '../store/open/open-store.ts';
import type { CallRow, Matcher } from '../store/read/match.ts';
import { type MessageText, readMessages, readWork, type WorkRow } from '../store/read/read-matches.ts';
import { countCopies, type SessionInfo } from '../store/read/sessions.ts';
import { sessionFactor, toSessionId } from '../store/row-ids.ts';
import { findOccurrences, foldText } from '../text/occurrences.ts';
import type { Candidates } from './candidates.ts';
import { type FoundTerm, isStart, joinTerms } from './find-terms.ts';
import { type Ranked, rankPassages, type ScoreParts } from './rank.ts';

export interface Match {
  readonly message: MessageText;
  /** The subagent that said or did it, if it was not the session itself. */
  readonly subagent: SessionInfo | null;
  /** Where the match is in what a tool was given or answered; its text is in the transcript, and empty here. */
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
  return entries.map((entry, i) => {
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

export interface Reason {
  readonly message: MessageText;
  readonly call: CallRow | null;
}

/** One for each word that occurs in no message and in no text of a tool, in the order of the query. */
export function findReasons(
  session: SessionInfo,
  { session: ranked }: Ranked,
  terms: readonly FoundTerm[],
  matcher: Matcher,
): Reason[] {
  const reasons = new Map<string, Reason>();
  for (const [i, found] of terms.entries()) {
    const isInText = (ranked.messageCounts[i] ?? 0) + (ranked.workCounts[i] ?? 0) > 0;
    if (isInText || found.isCommon) continue;
    const reason =
      ((ranked.toolCounts[i] ?? 0) > 0 ? findCall(ranked.memberIds, found, matcher) : undefined) ??
      findName(session, found);
    if (reason !== undefined) reasons.set(`${reason.message.kind} ${reason.message.text}`, reason);
  }
  return [...reasons.values()];
}

function findCall(ids: readonly number[], { expression }: FoundTerm, matcher: Matcher): Reason | undefined {
  for (const id of ids) {
    const [call] = matcher.listCallsOf(id, expression, 1);
    if (call !== undefined)
      return { message: toMessage(call.sessionId, call.kind, call.target, call.messageId), call };
  }
  return undefined;
}

function findName(session: SessionInfo, { term }: FoundTerm): Reason | undefined {
  const names: readonly (readonly [kind: string, text: string | null])[] = [
    ['title', session.title],
    ['branch', session.branch],
    ['project', session.project],
    ['title', session.summary],
  ];
  const holds = (text: string | null) => findOccurrences(foldText(text ?? ''), term.forms).length > 0;
  const [kind, text] = names.find(([, name]) => holds(name)) ?? [];
  if (kind === undefined) return undefined;
  return { message: toMessage(session.id, kind, text ?? '', 0), call: null };
}

/** A session that is found by its filters alone, or by what cannot be shown, is shown by its name. */
export function toTitleReason(session: SessionInfo): Reason {
  const text = session.title ?? session.firstPrompt ?? '';
  const message = toMessage(session.id, 'title', text, 0);
  return { message: { ...message, timestamp: session.modifiedAt }, call: null };
}

/** As a message, so that it can be shown and referred to like one; id 0 is none of the session's messages. */
function toMessage(sessionId: number, kind: string, text: string, id: number): MessageText {
  const role = kind === 'file' || kind === 'command' ? 'assistant' : 'user';
  return { id, sessionId, uuid: null, role, kind, timestamp: null, text, isSidechain: 0 };
}
