// Orders sessions by how well they answer the query. One pure function over what was found; the order of its
// input makes no difference. docs/ranking.md describes how the weights were measured and what else was tried.

import { compareText } from '../text/compare.ts';

/** What a term is worth: rare words say more than common ones, weak words almost nothing. */
export interface RankedTerm {
  /** Inverse document frequency, times the strength of the word. */
  readonly weight: number;
  /** The same by sessions: a word that is in every session does not distinguish any of them. */
  readonly sessionWeight: number;
  readonly isStrong: boolean;
  /** It may also be in sessions for which it is not listed. */
  readonly isCut: boolean;
}

/** What a text says about the terms. Arrays are parallel to them. */
export interface TextFeatures {
  readonly counts: readonly number[];
  readonly exactCounts: readonly number[];
  /** Sum of weight ÷ √distance over neighbouring query words that occur within a few words of each other. */
  readonly closeness: number;
}

export interface RankedMessage extends TextFeatures {
  readonly id: number;
  /** To recognise copies of a conversation, which repeat it word for word. */
  readonly text: string;
  readonly speaker: 'person' | 'assistant' | 'recap' | 'subagent';
  readonly chars: number;
  /** The message is recall's own printed output. */
  readonly isEcho: boolean;
}

/** What a tool was given or what it printed, as far as it holds some of the words. */
export interface RankedToolText extends TextFeatures {
  readonly id: number;
  readonly chars: number;
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
  readonly isDeleted: boolean;
  /** The sessions that are folded into it, including itself if it matched. */
  readonly memberIds: readonly number[];
  readonly messages: readonly RankedMessage[];
  readonly toolTexts: readonly RankedToolText[];
  readonly toolCallCount: number;
  /** In how many tool texts each term occurs. */
  readonly toolTextCounts: readonly number[];
  /** How many of the messages are its own, not a subagent's. */
  readonly ownMatches: number;
  /** In how many of its messages each term occurs, and how often in all. */
  readonly messageCounts: readonly number[];
  readonly occurrences: readonly number[];
  /** In how many tool calls, by what they were pointed at. */
  readonly callCounts: readonly number[];
  readonly inTitle: readonly boolean[];
  readonly inFirstPrompt: readonly boolean[];
  readonly inContext: readonly boolean[];
}

export type Corpus = Readonly<
  Record<'meanMessageChars' | 'meanSessionChars' | 'meanToolCalls' | 'meanToolTextChars', number>
>;

export interface Passage {
  readonly id: number;
  readonly isToolText: boolean;
}

type ScorePart = 'title' | 'firstPrompt' | 'passages' | 'session' | 'focus' | 'context' | 'tools' | 'recency';
export type ScoreParts = Readonly<Record<ScorePart, number>>;

export interface Ranked {
  readonly session: RankedSession;
  readonly score: number;
  readonly parts: ScoreParts;
  /** Strong words that were seen nowhere in it, by their place in the query. */
  readonly lacking: readonly number[];
}

/** Each part is between 0 and 1 before it is weighted, so the weights are directly comparable. */
export const weights: ScoreParts = {
  /** Chosen to say what the session is about. Squared: a title with all of the words is meant. */
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

/** Less and less of the next passages: a sum over all messages would let long sessions win. */
const secondShare = 0.3;
const thirdShare = 0.15;

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
 * What was done counts less than what was said, one text of it and all of it together. Known items and items of what was done
 * (hit@1/hit@5) with a factor of 0.5: 75.9/87.9 and 81.5/93.0, 0.4: 75.1/88.3 and 79.5/92.0, 0.35: 75.1/88.7 and 77.0/92.0:
 * the highest with which known items keep their place among the first five.
 */
const toolTextFactor = 0.4;
const toolTextShare = 0.25;
const echoFactor = 0.1;
const subagentFactor = 0.8;
const halfLifeDays = 60;

export function rankSessions(
  sessions: readonly RankedSession[],
  terms: readonly RankedTerm[],
  corpus: Corpus,
): Ranked[] {
  const measured = sessions.map((session) => measure(session, terms, corpus));
  const best = { passages: Number.MIN_VALUE, session: Number.MIN_VALUE };
  for (const { passages, session } of measured) {
    best.passages = Math.max(best.passages, passages);
    best.session = Math.max(best.session, session);
  }
  const total = terms.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const ranked = measured.map((m): Ranked => {
    const parts: ScoreParts = {
      title: (m.title / total) ** 2,
      firstPrompt: m.firstPrompt / total,
      passages: m.passages / best.passages,
      session: m.session / best.session,
      focus: Math.min(1, m.of.ownMatches / Math.max(1, m.of.messageCount)),
      context: m.context / total,
      tools: m.tools / total,
      recency: 2 ** (-Math.max(0, m.of.ageDays) / halfLifeDays),
    };
    let weighted = 0;
    for (const name of partNames) weighted += weights[name] * parts[name];
    const score = (weighted / allWeights) * (m.of.isSubagent ? subagentFactor : 1);
    return { session: m.of, score, parts, lacking: m.lacking };
  });
  return foldCopies(ranked.sort(byScore), terms);
}

const partNames = Object.keys(weights) as (keyof ScoreParts)[];
const allWeights = partNames.reduce((sum, name) => sum + weights[name], 0);

/** Newer first among equal scores; the id makes the order total. */
function byScore(a: Ranked, b: Ranked): number {
  return (
    b.score - a.score ||
    compareText(b.session.modifiedAt, a.session.modifiedAt) ||
    b.session.id - a.session.id
  );
}

/** Every search runs this for hundreds of sessions, so it goes through each list once, without iterators, and makes no new ones. */
function measure(session: RankedSession, terms: readonly RankedTerm[], corpus: Corpus) {
  const measured = { of: session, session: 0, title: 0, firstPrompt: 0, context: 0, tools: 0 };
  const lacking: number[] = [];
  for (let i = 0; i < terms.length; i++) {
    const { weight, sessionWeight, isStrong } = terms[i] as RankedTerm;
    const said = session.occurrences[i] ?? 0;
    const done = session.toolTextCounts[i] ?? 0;
    const calls = session.callCounts[i] ?? 0;
    const inTitle = session.inTitle[i];
    const inFirstPrompt = session.inFirstPrompt[i];
    const inContext = session.inContext[i];
    const relative =
      relativeFrequency(said, session.chars / corpus.meanSessionChars) +
      toolTextShare * relativeFrequency(done, session.toolCallCount / corpus.meanToolCalls);
    measured.session += sessionWeight * saturate(relative, 1, 0);
    if (inTitle) measured.title += weight;
    if (inFirstPrompt) measured.firstPrompt += weight;
    if (inContext) measured.context += weight;
    measured.tools += weight * (calls / (calls + 1));
    const isSaid = (session.messageCounts[i] ?? 0) > 0;
    if (isStrong && !(isSaid || done || calls || inTitle || inFirstPrompt || inContext)) lacking.push(i);
  }
  return { ...measured, lacking, passages: scorePassages(session, terms, corpus) };
}

function scorePassages(session: RankedSession, terms: readonly RankedTerm[], corpus: Corpus): number {
  let [first, second, third] = [0, 0, 0];
  const add = (score: number) => {
    if (score > first) [first, second, third] = [score, first, second];
    else if (score > second) [second, third] = [score, second];
    else if (score > third) third = score;
  };
  for (const message of session.messages) add(scoreMessage(message, terms, corpus));
  for (const text of session.toolTexts) add(scoreToolText(text, terms, corpus));
  return first + secondShare * second + thirdShare * third;
}

export function rankPassages(
  { messages, toolTexts }: RankedSession,
  terms: readonly RankedTerm[],
  corpus: Corpus,
): Passage[] {
  const scored = [
    ...messages.map((each) => ({ id: each.id, isToolText: false, score: scoreMessage(each, terms, corpus) })),
    ...toolTexts.map((each) => ({
      id: each.id,
      isToolText: true,
      score: scoreToolText(each, terms, corpus),
    })),
  ];
  return scored.sort(
    (a, b) => b.score - a.score || Number(a.isToolText) - Number(b.isToolText) || a.id - b.id,
  );
}

function scoreMessage(message: RankedMessage, terms: readonly RankedTerm[], corpus: Corpus): number {
  const score = scoreText(message, message.chars / corpus.meanMessageChars, terms);
  return score * speakerFactor[message.speaker] * (message.isEcho ? echoFactor : 1);
}

function scoreToolText(text: RankedToolText, terms: readonly RankedTerm[], corpus: Corpus): number {
  return toolTextFactor * scoreText(text, text.chars / corpus.meanToolTextChars, terms);
}

/** BM25 plus closeness; an exact word counts more than one of the same stem. */
function scoreText(text: TextFeatures, length: number, terms: readonly RankedTerm[]): number {
  let score = closenessFactor * text.closeness;
  for (let i = 0; i < terms.length; i++) {
    const count = text.counts[i] ?? 0;
    if (count === 0) continue;
    const frequency = count * (1 - exactShare) + (text.exactCounts[i] ?? 0) * exactShare;
    score += (terms[i]?.weight ?? 0) * saturate(frequency, length, messageLengthShare);
  }
  return score;
}

/** A count in proportion to the length of what it was counted in. */
function relativeFrequency(count: number, length: number): number {
  return count / (1 - sessionLengthShare + sessionLengthShare * length);
}

function saturate(frequency: number, length: number, lengthShare: number): number {
  return (frequency * (saturation + 1)) / (frequency + saturation * (1 - lengthShare + lengthShare * length));
}

/** At the rank of the best copy, shown as the newest with all its words and passages; among equals, one not deleted. */
function foldCopies(ranked: readonly Ranked[], terms: readonly RankedTerm[]): Ranked[] {
  const groups = groupBy(ranked, ({ session }) => session.conversationId);
  return [...groups.values()].map((group) => foldGroup(group, terms));
}

/** In the order of their first items. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

function foldGroup(group: readonly Ranked[], terms: readonly RankedTerm[]): Ranked {
  const [best] = group as [Ranked, ...Ranked[]];
  if (group.length === 1) return best;
  const holding = group.filter(({ session, lacking }) => {
    const held = new Set(session.messages.map(({ text }) => text));
    return (
      lacking.every((i) => best.lacking.includes(i) || terms[i]?.isCut) &&
      session.toolTextCounts.every((count, i) => count >= (best.session.toolTextCounts[i] ?? 0)) &&
      best.session.messages.every(({ text }) => held.has(text))
    );
  });
  const newest = holding.reduce((a, b) => (isPreferred(b.session, a.session) ? b : a));
  return { ...newest, score: best.score, parts: best.parts };
}

function isPreferred(a: RankedSession, b: RankedSession): boolean {
  const newer = compareText(a.modifiedAt, b.modifiedAt);
  return newer > 0 || (newer === 0 && b.isDeleted && !a.isDeleted);
}
