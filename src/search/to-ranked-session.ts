// What the ranking needs to know about a session: its messages with their features, and where else the terms
// occur.

import type { MessageText } from '../store/read/read-matches.ts';
import type { SessionInfo } from '../store/read/read-sessions.ts';
import { findOccurrences, foldText } from '../text/occurrences.ts';
import { isEcho } from './echo.ts';
import type { RankedMessage, RankedSession, RankedWork } from './evidence.ts';
import { toFeatures } from './features.ts';
import type { FoundTerm } from './find-terms.ts';

interface RankContext {
  readonly terms: readonly FoundTerm[];
  readonly weights: readonly { weight: number }[];
  readonly infos: ReadonlyMap<number, SessionInfo>;
  /** The messages of each session that hold some of the words, and those of them that were read. */
  readonly matched: ReadonlyMap<number, readonly number[]>;
  readonly texts: ReadonlyMap<number, readonly MessageText[]>;
  readonly work: ReadonlyMap<number, readonly RankedWork[]>;
  readonly now: Date;
}

export function toRankedSession(
  ownerId: number,
  members: readonly number[],
  context: RankContext,
): RankedSession {
  const { terms, matched, texts, infos, now } = context;
  const owner = infos.get(ownerId) as SessionInfo;
  const messages: RankedMessage[] = [];
  const work: RankedWork[] = [];
  for (const id of members) {
    for (const text of texts.get(id) ?? []) messages.push(toRankedMessage(text, context));
    work.push(...(context.work.get(id) ?? []));
  }
  const counts = terms.map((term, i) => countPlaces(term, i, members, messages));
  const isNamed = terms.map(
    ({ named, isNamedCut }) => isNamedCut || named.has(ownerId) || members.some((id) => named.has(id)),
  );
  const modifiedAt = owner.modifiedAt ?? '';
  return {
    id: ownerId,
    conversationId: owner.conversationId,
    modifiedAt,
    ageDays:
      modifiedAt === '' ? Number.POSITIVE_INFINITY : (now.getTime() - Date.parse(modifiedAt)) / 86_400_000,
    messageCount: Math.max(1, owner.messageCount),
    chars: owner.textChars,
    isSubagent: owner.kind === 'subagent',
    isGone: owner.isGone === 1,
    memberIds: members,
    messages,
    ownMatches: matched.get(ownerId)?.length ?? 0,
    work,
    toolCallCount: owner.toolCallCount,
    workCounts: counts.map(({ done }) => done),
    messageCounts: counts.map(({ said }) => said),
    occurrences: counts.map(({ occurrences }) => occurrences),
    toolCounts: counts.map(({ calls }) => calls),
    ...findInNames(owner, members, terms, isNamed, infos),
  };
}

/** In how many messages, work texts and tool calls of a session a term is, and how often it is said. */
function countPlaces(
  term: FoundTerm,
  i: number,
  members: readonly number[],
  messages: readonly RankedMessage[],
) {
  let [listed, done, calls, read, occurrences] = [0, 0, 0, 0, 0];
  for (const id of members) {
    listed += term.bySession.get(id) ?? 0;
    done += term.workBySession.get(id) ?? 0;
    calls += term.toolCalls.get(id) ?? 0;
  }
  for (const { counts } of messages) {
    const count = counts[i] ?? 0;
    if (count > 0) read++;
    occurrences += count;
  }
  // Of a common word not all places are known, but those in the messages at hand are. In messages that were not read it
  // is counted once each.
  const said = Math.max(listed, read);
  return { said, done, calls, occurrences: occurrences + said - read };
}

/** Which terms the session is called by, of those that it may be called by. */
function findInNames(
  owner: SessionInfo,
  members: readonly number[],
  terms: readonly FoundTerm[],
  isNamed: readonly boolean[],
  infos: ReadonlyMap<number, SessionInfo>,
) {
  if (!isNamed.includes(true)) return { inTitle: none, inFirstPrompt: none, inContext: none };
  const inText = (text: string | null) => {
    if (text === null) return none;
    const folded = foldText(text);
    return terms.map(({ term }, i) => isNamed[i] === true && findOccurrences(folded, term.forms).length > 0);
  };
  const isTitleOwn = owner.titleSource !== 'first-prompt';
  const subagents = members.flatMap((id) => infos.get(id) ?? []);
  const surroundings = [
    owner.prRepository,
    owner.prNumber === null ? null : `#${owner.prNumber}`,
    // A subagent may work in a tree, and on a branch, of its own.
    ...[owner, ...subagents].flatMap(({ project, branch, subagentType, subagentDescription }) => [
      project,
      branch,
      subagentType,
      subagentDescription,
    ]),
  ].join('\n');
  return {
    inTitle: inText(isTitleOwn ? `${owner.title ?? ''}\n${owner.summary ?? ''}` : null),
    inFirstPrompt: inText(owner.firstPrompt),
    inContext: inText(surroundings),
  };
}

const none: readonly boolean[] = [];

function toRankedMessage(text: MessageText, { terms, weights, infos }: RankContext): RankedMessage {
  const features = toFeatures(
    text.text,
    terms.map(({ term }) => term),
    weights.map(({ weight }) => weight),
  );
  const isSubagents = text.isSidechain === 1 || infos.get(text.sessionId)?.kind === 'subagent';
  const speaker =
    text.kind === 'recap'
      ? 'recap'
      : isSubagents
        ? 'subagent'
        : text.role === 'user'
          ? 'person'
          : 'assistant';
  return {
    id: text.id,
    text: text.text,
    speaker,
    chars: text.text.length,
    ...features,
    isEcho: isEcho(text.kind, text.text),
  };
}
