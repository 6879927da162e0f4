// Orders sessions by how well they answer the query. One pure function over what was found; the order of its
// input makes no difference. docs/ranking.md describes how the weights were measured and what else was tried.

import { compareText } from '../text/compare-text.ts';
import { foldCopies } from './fold-copies.ts';

/** What a term is worth: rare words say more than common ones, weak words almost nothing. */
export interface RankedTerm {
  /** Inverse document frequency, times the strength of the word. */
  readonly weight: number;
  /** The same by sessions: a word that is in every session does not distinguish any of them. */
  readonly sessionWeight: number;
  readonly isStrong: boolean;
}

/** One message that contains some of the words. Arrays are parallel to the terms. */
export interface RankedMessage {
  readonly id: number;
  /** To recognise copies of a conversation, which repeat it word for word. */
  readonly text: string;
  readonly speaker: 'person' | 'assistant' | 'recap' | 'subagent';
  readonly chars: number;
  readonly counts: readonly number[];
  readonly exactCounts: readonly number[];
  /** Sum of weight ÷ √distance over neighbouring query words that occur within a few words of each other. */
  readonly closeness: number;
  /** The message is recall's own printed output. */
  readonly isEcho: boolean;
}

/** What a tool was given or answered, of which only FTS5 knows the words. Arrays run parallel to the terms. */
export interface RankedWork {
  readonly id: number;
  /** BM25 of each term without its rarity: 0 where it does not occur. */
  readonly saturations: readonly number[];
  /** As in a message. */
  readonly closeness: number;
}

/** A place where the words are, best first among those of its session. */
export interface Passage {
  readonly id: number;
  readonly isWork: boolean;
}

/** One conversation: a session with its subagents and earlier histories folded in. */
export interface RankedSession {
  readonly id: number;
  /** Shared by the copies of one conversation; only one copy is shown. */
  readonly conversationId: number;
  readonly modifiedAt: string;
  readonly ageDays: number;
  readonly messageCount: number;
  readonly chars: number;
  readonly isSubagent: boolean;
  /** Its transcript was deleted. */
  readonly isGone: boolean;
  /** The sessions that are folded into it, including itself if it matched. */
  readonly memberIds: readonly number[];
  readonly messages: readonly RankedMessage[];
  readonly work: readonly RankedWork[];
  readonly toolCallCount: number;
  /** In how many work texts each term occurs. */
  readonly workCounts: readonly number[];
  /** How many of the messages are its own, not a subagent's. */
  readonly ownMatches: number;
  /** In how many of its messages each term occurs, and how often in all. */
  readonly messageCounts: readonly number[];
  readonly occurrences: readonly number[];
  readonly toolCounts: readonly number[];
  readonly inTitle: readonly boolean[];
  readonly inFirstPrompt: readonly boolean[];
  readonly inContext: readonly boolean[];
}

export interface Corpus {
  readonly meanMessageChars: number;
  readonly meanSessionChars: number;
  readonly meanToolCalls: number;
}

export interface ScoreParts {
  readonly title: number;
  readonly firstPrompt: number;
  readonly passages: number;
  readonly session: number;
  readonly focus: number;
  readonly context: number;
  readonly tools: number;
  readonly recency: number;
}

export interface Ranked {
  readonly session: RankedSession;
  readonly score: number;
  readonly parts: ScoreParts;
  /** Its messages, and its messages and work together, best first. */
  readonly messages: readonly RankedMessage[];
  readonly passages: readonly Passage[];
  /** Strong words that were seen nowhere in it, by their place in the query. */
  readonly lacking: readonly number[];
}

/** Each part is between 0 and 1 before it is weighted, so the weights are directly comparable. */
export const weights: Readonly<Record<keyof ScoreParts, number>> = {
  /**
   * Someone, or Claude, chose these words to say what the session is about. Squared: a title with all of the
   * words is meant.
   */
  title: 1.5,
  /** What the person came with; often restated by the title. */
  firstPrompt: 0.1,
  /** The best passages: where the answer is. The largest single signal in every measurement. */
  passages: 0.6,
  /** How much of the session is about the words, its length taken into account. */
  session: 0.4,
  /** Share of the session's messages that match: a short session about it beats a long one that mentions it. */
  focus: 0.1,
  /** Project, branch, subagent, pull request: where it happened rather than what was said. */
  context: 0.05,
  /** Files and commands that tools were pointed at: they matter when nobody spoke of them. */
  tools: 0.05,
  /** Orders near-equals; too small to lift a worse match over a clearly better one. */
  recency: 0.02,
};

/**
 * The best passage, and less and less of the next ones: a sum over all messages would let long sessions win.
 */
const passageShares = [1, 0.3, 0.15];

/** How much a speaker's words count among the passages. */
const speakerFactor: Readonly<Record<RankedMessage['speaker'], number>> = {
  person: 1,
  assistant: 1,
  /** A recap only repeats what the session says. */
  recap: 0.8,
  subagent: 0.9,
};

const saturation = 1.2;
/** How much longer texts are held to be about more things: sessions nearly in proportion, messages less. */
const messageLengthShare = 0.75;
const sessionLengthShare = 0.9;
const exactShare = 0.3;
/** Words that are neighbours in the query and in the message say more than the words alone. */
const closenessFactor = 2;
/**
 * What was done counts less than what was said, one text of it and all of it together. Known items and work items
 * (hit@1/hit@5) with a factor of 0.7: 73.2/87.9 and 70.5/85.5, 0.5: 76.3/88.7 and 70.0/84.0, 0.4: 75.5/88.7 and 68.5/84.0.
 */
const workFactor = 0.5;
const workShare = 0.25;
const echoFactor = 0.1;
const subagentFactor = 0.8;
const halfLifeDays = 60;

export function rankSessions(
  sessions: readonly RankedSession[],
  terms: readonly RankedTerm[],
  corpus: Corpus,
): Ranked[] {
  const measured = sessions.map((session) => measure(session, terms, corpus));
  const best = {
    passages: maxOf(measured, (m) => m.passages),
    session: maxOf(measured, (m) => m.session),
  };
  const total = sum(terms.map((term) => term.weight)) || 1;
  const ranked = measured.map((m): Ranked => {
    const parts: ScoreParts = {
      title: (m.title / total) ** 2,
      firstPrompt: m.firstPrompt / total,
      passages: m.passages / best.passages,
      session: m.session / best.session,
      focus: m.focus,
      context: m.context / total,
      tools: m.tools / total,
      recency: 2 ** (-Math.max(0, m.of.ageDays) / halfLifeDays),
    };
    const weighted = sum(
      Object.entries(parts).map(([name, value]) => weights[name as keyof ScoreParts] * value),
    );
    const score = (weighted / allWeights) * (m.of.isSubagent ? subagentFactor : 1);
    return {
      session: m.of,
      score,
      parts,
      messages: m.messages,
      passages: m.all,
      lacking: m.lacking,
    };
  });
  return foldCopies(ranked.sort(byScore));
}

const allWeights = sum(Object.values(weights));

/** Newer first among equal scores; the id makes the order total. */
function byScore(a: Ranked, b: Ranked): number {
  return (
    b.score - a.score ||
    compareText(b.session.modifiedAt, a.session.modifiedAt) ||
    b.session.id - a.session.id
  );
}

function measure(session: RankedSession, terms: readonly RankedTerm[], corpus: Corpus) {
  const scored = session.messages
    .map((message) => ({ message, score: scoreMessage(message, terms, corpus) }))
    .sort((a, b) => b.score - a.score || a.message.id - b.message.id);
  const worked = session.work.map((work) => ({ work, score: scoreWork(work, terms) }));
  const all = [
    ...scored.map(({ message, score }) => ({ id: message.id, isWork: false, score })),
    ...worked.map(({ work, score }) => ({ id: work.id, isWork: true, score })),
  ].sort((a, b) => b.score - a.score || Number(a.isWork) - Number(b.isWork) || a.id - b.id);
  const sumWhere = (holds: (term: number) => boolean) =>
    sum(terms.map((term, i) => (holds(i) ? term.weight : 0)));
  const occurs = (i: number) =>
    (session.messageCounts[i] ?? 0) > 0 ||
    session.inTitle[i] ||
    session.inFirstPrompt[i] ||
    session.inContext[i] ||
    (session.toolCounts[i] ?? 0) > 0 ||
    (session.workCounts[i] ?? 0) > 0;
  return {
    of: session,
    messages: scored.map(({ message }) => message),
    all,
    passages: sum(passageShares.map((share, i) => share * (all[i]?.score ?? 0))),
    session: sum(
      terms.map(
        (term, i) =>
          term.sessionWeight *
          saturate(
            toRelative(session.occurrences[i] ?? 0, session.chars / corpus.meanSessionChars) +
              workShare *
                toRelative(session.workCounts[i] ?? 0, session.toolCallCount / corpus.meanToolCalls),
            1,
            0,
          ),
      ),
    ),
    focus: Math.min(1, session.ownMatches / Math.max(1, session.messageCount)),
    title: sumWhere((i) => session.inTitle[i] ?? false),
    firstPrompt: sumWhere((i) => session.inFirstPrompt[i] ?? false),
    context: sumWhere((i) => session.inContext[i] ?? false),
    tools: sum(
      terms.map(
        (term, i) => term.weight * ((session.toolCounts[i] ?? 0) / ((session.toolCounts[i] ?? 0) + 1)),
      ),
    ),
    lacking: terms.flatMap((term, i) => (term.isStrong && !occurs(i) ? [i] : [])),
  };
}

/** BM25 of the message plus closeness; an exact word counts more than one of the same stem. */
function scoreMessage(message: RankedMessage, terms: readonly RankedTerm[], corpus: Corpus): number {
  const length = message.chars / corpus.meanMessageChars;
  let score = closenessFactor * message.closeness;
  for (const [i, term] of terms.entries()) {
    const count = message.counts[i] ?? 0;
    if (count === 0) continue;
    const frequency = count * (1 - exactShare) + (message.exactCounts[i] ?? 0) * exactShare;
    score += term.weight * saturate(frequency, length, messageLengthShare);
  }
  return score * speakerFactor[message.speaker] * (message.isEcho ? echoFactor : 1);
}

function scoreWork({ saturations, closeness }: RankedWork, terms: readonly RankedTerm[]): number {
  const words = sum(terms.map((term, i) => term.weight * (saturations[i] ?? 0)));
  return workFactor * (words + closenessFactor * closeness);
}

/** How often, by the length of what it occurs in. */
function toRelative(count: number, length: number): number {
  return count / (1 - sessionLengthShare + sessionLengthShare * length);
}

function saturate(frequency: number, length: number, lengthShare: number): number {
  return (frequency * (saturation + 1)) / (frequency + saturation * (1 - lengthShare + lengthShare * length));
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}

function maxOf<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((max, item) => Math.max(max, of(item)), Number.MIN_VALUE);
}
