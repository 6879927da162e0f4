// What the ranking needs to know about a session: its messages with their features, and where else the terms
// occur.

import type { MessageText } from '../store/read/match.ts';
import type { SessionInfo } from '../store/read/read-sessions.ts';
import { findOccurrences, foldText } from '../text/occurrences.ts';
import { isEcho } from './echo.ts';
import { toFeatures } from './features.ts';
import type { FoundTerm } from './find-terms.ts';
import type { RankedMessage, RankedSession, RankedWork } from './rank.ts';

interface RankContext {
  readonly terms: readonly FoundTerm[];
  readonly weights: readonly { weight: number }[];
  readonly infos: ReadonlyMap<number, SessionInfo>;
  readonly texts: ReadonlyMap<number, readonly MessageText[]>;
  readonly work: ReadonlyMap<number, readonly RankedWork[]>;
  readonly now: Date;
}

export function toRankedSession(
  ownerId: number,
  members: readonly number[],
  context: RankContext,
): RankedSession {
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
  const subagents = members.flatMap((id) => infos.get(id) ?? []);
  // Of a common word not all places are known, but those in the messages at hand are.
  const messageCounts = terms.map((term, i) =>
    Math.max(sumOf(members.map((id) => term.bySession.get(id) ?? 0)), countHolding(messages, i)),
  );
  const surroundings = [
    owner.project,
    owner.branch,
    owner.prRepository,
    owner.prNumber === null ? null : `#${owner.prNumber}`,
    ...[owner, ...subagents].flatMap(({ subagentType, subagentDescription }) => [
      subagentType,
      subagentDescription,
    ]),
  ].join('\n');
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
    ownMatches: texts.get(ownerId)?.length ?? 0,
    work: members.flatMap((id) => context.work.get(id) ?? []),
    toolCallCount: owner.toolCallCount,
    workCounts: terms.map((term) => sumOf(members.map((id) => term.workBySession.get(id) ?? 0))),
    messageCounts,
    // In messages that were not read, once each.
    occurrences: messageCounts.map(
      (count, i) =>
        sumOf(messages.map((message) => message.counts[i] ?? 0)) + count - countHolding(messages, i),
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

function countHolding(messages: readonly RankedMessage[], term: number): number {
  return messages.filter((message) => (message.counts[term] ?? 0) > 0).length;
}

function sumOf(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
