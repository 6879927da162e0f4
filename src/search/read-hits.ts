// Ranked sessions → the results that are shown: each session, its best passages, how many there are; and where no passage
// says why it was found, the file or command that a tool was pointed at, the project, the branch or the title that does.

import type {
  MessageText,
  Passages,
  PointedCall,
  SessionInfo,
  ToolText,
  WordIndex,
  WordScope,
} from '../store/word-index.ts';
import { findOccurrences, foldText } from '../text/occurrences.ts';
import type { Candidates } from './candidates.ts';
import { type FoundTerm, isStart } from './find-terms.ts';
import { type Passage, type Ranked, rankPassages } from './rank.ts';
import type { Hit, Match } from './search-result.ts';

type AskedIndex = { readonly index: WordIndex; readonly scope: WordScope };

const matchesPerHit = 3;
/** How many of the best passages are looked at for these: copies of one text are shown once. */
const maxPassages = 12;

/** Everything that is still unknown is asked for at once, for all of the results. */
export async function readHits(
  entries: readonly Ranked[],
  { terms, infos, corpus, messages, toolTexts }: Candidates,
  asked: AskedIndex,
): Promise<Hit[]> {
  const { index, scope } = asked;
  const sessions = entries.map(({ session }) => infos.get(session.id) as SessionInfo);
  const unnamed = entries.map((entry) => findUnexplained(entry, terms));
  const [further, calls, copies] = await Promise.all([
    readFurther(entries, terms, asked),
    scope.calls(
      entries.flatMap(({ session }, i) =>
        (unnamed[i] ?? [])
          .filter((n) => (session.callCounts[n] ?? 0) > 0)
          .map((n) => ({ sessions: session.memberIds, terms: [(terms[n] as FoundTerm).term] })),
      ),
    ),
    index.countCopies(sessions.map(({ conversationId }) => conversationId)),
  ]);
  return entries.map((entry, i) => {
    const session = sessions[i] as SessionInfo;
    const more = further.get(entry);
    const passages = [
      ...findPassages(rankPassages(entry.session, terms, corpus), messages, toolTexts),
      ...(more?.messages ?? []).map((message) => ({ message, toolText: null })),
      ...(more?.toolTexts ?? []).map(describeToolText),
    ];
    const reasons = new Map<string, Reason>();
    for (const n of unnamed[i] ?? []) {
      const call = (entry.session.callCounts[n] ?? 0) > 0 ? calls.shift() : undefined;
      const reason = call === undefined ? findName(session, terms[n] as FoundTerm) : describeCall(call);
      if (reason !== undefined) reasons.set(`${reason.message.kind} ${reason.message.text}`, reason);
    }
    const matches: Match[] = [
      ...distinct(passages).map((passage) => ({ ...passage, call: null })),
      ...[...reasons.values()].map((reason) => ({ ...reason, toolText: null })),
    ].map((match) => {
      const { sessionId } = match.message;
      return { ...match, subagent: sessionId === session.id ? null : (infos.get(sessionId) ?? null) };
    });
    if (matches.length === 0) matches.push(describeTitle(session));
    return {
      session,
      copies: copies.get(session.conversationId) ?? 0,
      score: entry.score,
      parts: entry.parts,
      matchCount: Math.max(matches.length, ...entry.session.messageCounts, ...entry.session.toolTextCounts),
      matches,
    };
  });
}

/** A session that is found by its filters alone, or by what cannot be shown, is shown by its name. */
export function describeTitle(session: SessionInfo): Match {
  const text = session.title ?? session.firstPrompt ?? '';
  const message = { ...describeName(session.id, 'title', text), timestamp: session.modifiedAt };
  return { message, subagent: null, toolText: null, call: null };
}

type Shown = Pick<Match, 'message' | 'toolText'>;

function findPassages(
  ranked: readonly Passage[],
  messages: ReadonlyMap<number, MessageText>,
  toolTexts: ReadonlyMap<number, ToolText>,
): Shown[] {
  return ranked.slice(0, maxPassages).flatMap(({ id, isToolText }): Shown[] => {
    if (isToolText) return [describeToolText(toolTexts.get(id) as ToolText)];
    return [{ message: messages.get(id) as MessageText, toolText: null }];
  });
}

/** A history saved before a compaction says the same again, and a command that was run again prints the same again. */
function distinct(passages: readonly Shown[]): Shown[] {
  const seen = new Set<string>();
  const isNew = ({ message, toolText }: Shown) => {
    const keys = toolText === null ? [] : [`${toolText.kind} ${toolText.tool} ${toolText.target}`];
    if (message.text !== '') keys.push(message.text);
    const wasSeen = keys.some((key) => seen.has(key));
    for (const key of keys) seen.add(key);
    return !wasSeen;
  };
  return passages.filter(isNew).slice(0, matchesPerHit);
}

/** As a message on the line of the call or of its result, so that it can be referred to. */
function describeToolText(toolText: ToolText): Shown {
  const { messageId: id, sessionId, kind, timestamp, text } = toolText;
  const message = { id, sessionId, uuid: null, role: 'assistant', kind, timestamp } as const;
  return { message: { ...message, text: text ?? '', isSidechain: false }, toolText };
}

/** Of a common word one message was read, and not every place is listed. Starts of words are slow: others go first. */
async function readFurther(
  entries: readonly Ranked[],
  terms: readonly FoundTerm[],
  { index, scope }: AskedIndex,
): Promise<Map<Ranked, Passages>> {
  if (!terms.some((term) => term.areMessagesCut || term.areToolTextsCut)) return new Map();
  const listed = new Map(entries.map((entry) => [entry, findListed(entry, terms)]));
  const isUnknown = (entry: Ranked) =>
    entry.session.messages.length + entry.session.toolTexts.length + (listed.get(entry)?.length ?? 0) === 0;
  const unknown = entries.filter(isUnknown);
  const whole = terms.filter((term) => !isStart(term));
  const asked = (whole.length > 0 ? whole : terms).map(({ term }) => term);
  const questions = unknown.map(({ session }) => ({ sessions: session.memberIds, terms: asked }));
  const [messages, passages] = await Promise.all([
    index.messages([...listed.values()].flat()),
    scope.passages(questions, matchesPerHit),
  ]);
  const byId = new Map(messages.map((message) => [message.id, message]));
  const further = new Map(unknown.map((entry, i) => [entry, passages[i] as Passages]));
  for (const [entry, ids] of listed)
    if (ids.length > 0)
      further.set(entry, { messages: ids.flatMap((id) => byId.get(id) ?? []), toolTexts: [] });
  return further;
}

/** Messages of a session in which a term was found and that were not read, as many as there is room for. */
function findListed({ session }: Ranked, terms: readonly FoundTerm[]): number[] {
  const room = matchesPerHit - session.messages.length;
  if (room <= 0) return [];
  const members = new Set(session.memberIds);
  const known = new Set(session.messages.map(({ id }) => id));
  const listed = new Set<number>();
  for (const { messages } of terms)
    for (const { id, sessionId } of messages) {
      if (listed.size === room) return [...listed];
      if (members.has(sessionId) && !known.has(id)) listed.add(id);
    }
  return [...listed];
}

type Reason = Pick<Match, 'message' | 'call'>;

/** The terms that occur in no message and in no tool text of a session, by their place in the query. */
function findUnexplained({ session }: Ranked, terms: readonly FoundTerm[]): number[] {
  return terms.flatMap(({ areMessagesCut }, i) => {
    const isInText = (session.messageCounts[i] ?? 0) + (session.toolTextCounts[i] ?? 0) > 0;
    return isInText || areMessagesCut ? [] : [i];
  });
}

function describeCall(call: PointedCall): Reason {
  return { message: { ...describeName(call.sessionId, call.kind, call.target), id: call.messageId }, call };
}

function findName(session: SessionInfo, { term }: FoundTerm): Reason | undefined {
  const names: readonly (readonly [kind: string, text: string | null])[] = [
    ['title', session.title],
    ['branch', session.branch],
    ['project', session.project],
    ['title', session.summary],
    ...session.labels.tags.map((tag) => ['tag', tag] as const),
    ...session.labels.notes.map((note) => ['note', note.text] as const),
  ];
  const holds = (text: string | null) => findOccurrences(foldText(text ?? ''), term.forms).length > 0;
  const [kind, text] = names.find(([, name]) => holds(name)) ?? [];
  return kind === undefined ? undefined : { message: describeName(session.id, kind, text ?? ''), call: null };
}

/** As a message, so that it can be shown like one; id 0 is none of the session's messages. */
function describeName(sessionId: number, kind: string, text: string): MessageText {
  const role = kind === 'file' || kind === 'command' ? 'assistant' : 'user';
  return { id: 0, sessionId, uuid: null, role, kind, timestamp: null, text, isSidechain: false };
}
