// What the ranking knows about one message: how often each term occurs in it, and how close together they
// are.

import { commandNames, resultsFooters } from '../hints.ts';
import type { MessageText } from '../store/read/read-matches.ts';
import type { SessionInfo } from '../store/read/sessions.ts';
import { findOccurrences, foldText, type Occurrence } from '../text/occurrences.ts';
import type { FoundTerm } from './find-terms.ts';
import type { Term } from './query/parse-query.ts';
import type { RankedMessage, RankedSession, RankedWork } from './rank.ts';

export interface TextFeatures {
  readonly counts: readonly number[];
  readonly exactCounts: readonly number[];
  readonly closeness: number;
}

/** Query words that are further apart than this are unrelated. */
const nearChars = 8 * 6;
/** Average characters per word, for distances. */
const charsPerWord = 6;

/** `weights` is parallel to `terms`. */
export function toFeatures(text: string, terms: readonly Term[], weights: readonly number[]): TextFeatures {
  const folded = foldText(text);
  const occurrences = terms.map((term) => findOccurrences(folded, term.forms));
  return {
    counts: occurrences.map((found) => found.length),
    exactCounts: occurrences.map(countExact),
    closeness: toCloseness(terms, occurrences, weights),
  };
}

function countExact(occurrences: readonly Occurrence[]): number {
  let count = 0;
  for (let i = 0; i < occurrences.length; i++) if (occurrences[i]?.isExact) count++;
  return count;
}

/**
 * Only neighbours in the query count, and only the closest occurrence of each pair: `counts` covers
 * repetition.
 */
function toCloseness(
  terms: readonly Term[],
  occurrences: readonly Occurrence[][],
  weights: readonly number[],
): number {
  // A compound is close to its own words wherever it is.
  const strong = terms.flatMap((term, i) =>
    term.strength === 'weak' || (!term.isPart && terms[i + 1]?.isPart) ? [] : [i],
  );
  let closeness = 0;
  for (let n = 1; n < strong.length; n++) {
    const [a = 0, b = 0] = [strong[n - 1], strong[n]];
    const distance = closestDistance(occurrences[a] ?? [], occurrences[b] ?? []);
    if (distance > nearChars) continue;
    closeness += Math.min(weights[a] ?? 0, weights[b] ?? 0) / Math.sqrt(Math.max(1, distance / charsPerWord));
  }
  return closeness;
}

function closestDistance(first: readonly Occurrence[], second: readonly Occurrence[]): number {
  let closest = Number.POSITIVE_INFINITY;
  let j = 0;
  for (const a of first) {
    while (j > 0 && (second[j]?.start ?? 0) > a.start) j--;
    for (; j < second.length; j++) {
      const b = second[j];
      if (b === undefined) break;
      closest = Math.min(closest, Math.abs(b.start - a.start));
      if (b.start > a.start) break;
    }
    if (j >= second.length) j = Math.max(0, second.length - 1);
  }
  return closest;
}

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

const ownCommand = new RegExp(`^\\s*(?:npx )?recall (?:${commandNames.join('|')})\\b`);
/** Part of the line printed under a list: the current one, and the one from before it mentioned `show`. */
const printed = ['recall open <number>', resultsFooters[1]];

export function isEcho(kind: string, text: string): boolean {
  if (kind === 'shell' && ownCommand.test(text)) return true;
  return printed.some((footer) => text.includes(footer));
}
