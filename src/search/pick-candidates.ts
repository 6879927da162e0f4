// Which sessions are worth ranking besides those of the best messages, and which of their messages are worth
// reading.

import { toSessionId } from '../store/row-ids.ts';
import type { RankedTerm, RankedWork } from './evidence.ts';
import { type FoundTerm, isCut, maxSessionsPerTerm } from './find-terms.ts';
import { maxMessages } from './match-messages.ts';

/**
 * How many messages with only common words are read per session; more are read for the results that are
 * shown.
 */
const commonPerSession = 1;

export interface SessionsWithWords {
  readonly any: ReadonlySet<number>;
  readonly all: ReadonlySet<number>;
}

/** From the sessions that were found in other ways, the messages with the most significant words. */
export function pickMessages(
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

/**
 * Sessions that contain any of the terms, and those that contain every strong one. A common term is assumed
 * to be everywhere.
 */
export function toSessions(terms: readonly FoundTerm[]): SessionsWithWords {
  const isRequired = ({ term }: FoundTerm) => term.strength === 'strong' && !term.isPart;
  const strongTerms = terms.filter(isRequired);
  const areAllCommon = strongTerms.every(isCut);
  const sets = terms.map((term) => ({
    isStrong: isRequired(term) && (areAllCommon || !isCut(term)),
    ids: new Set([
      ...term.bySession.keys(),
      ...term.toolCalls.keys(),
      ...term.named,
      ...term.workBySession.keys(),
    ]),
  }));
  const any = new Set(sets.flatMap(({ ids }) => [...ids]));
  const strong = sets.filter((set) => set.isStrong).sort((a, b) => a.ids.size - b.ids.size);
  const all = [...(strong[0]?.ids ?? [])].filter((id) => strong.every(({ ids }) => ids.has(id)));
  return { any, all: new Set(all) };
}

export function pickSessions(
  terms: readonly FoundTerm[],
  { all }: SessionsWithWords,
  maxOfCommon: number,
): number[] {
  const telling = terms.filter((term) => !term.isCommon);
  const rarest = [...telling].sort((a, b) => a.bySession.size - b.bySession.size)[0];
  const maxOfAll = telling.length === 0 ? maxOfCommon : maxSessionsPerTerm;
  return [
    // The newest sessions have the highest ids.
    ...[...all].sort((a, b) => b - a).slice(0, maxOfAll),
    ...telling.flatMap((term) => best(term.toolCalls, maxSessionsPerTerm)),
    ...telling.flatMap((term) => best(term.workBySession, maxSessionsPerTerm)),
    // Among several words, a common one does not identify a session by its name.
    ...(terms.length === 1 ? terms : telling).flatMap((term) => [...term.named]),
    ...(rarest === undefined ? [] : best(rarest.bySession, maxSessionsPerTerm)),
  ];
}

/** The sessions with the highest counts, so that a common path does not bring in the whole index. */
function best(counts: ReadonlyMap<number, number>, limit: number): number[] {
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, limit)
    .map(([id]) => id);
}

/**
 * How many sessions are ranked, at least and per result shown. Ranking all of them finds at most half a point more
 * (docs/ranking.md); the rough measure orders well enough for that.
 */
const leastRanked = 40;
const rankedPerResult = 4;

/**
 * The best of many sessions by what is known without reading them: how many of the words they hold, how good their best
 * message is by FTS5's measure (`matched` is best first), and their best work text.
 */
export function keepBest(
  ids: ReadonlySet<number>,
  matched: readonly number[],
  terms: readonly FoundTerm[],
  weights: readonly RankedTerm[],
  work: ReadonlyMap<number, readonly RankedWork[]>,
  limit: number,
): ReadonlySet<number> {
  const count = Math.max(leastRanked, limit * rankedPerResult);
  if (ids.size <= count) return ids;
  const best = new Map<number, number>();
  for (const [place, id] of matched.entries()) {
    const sessionId = toSessionId(id);
    if (!best.has(sessionId)) best.set(sessionId, 1 - place / matched.length);
  }
  const rough = [...ids].map((id) => ({
    id,
    message: best.get(id) ?? 0,
    words: sumOfWords(id, terms, weights),
    work: (work.get(id) ?? []).reduce((most, text) => Math.max(most, text.words + 2 * text.closeness), 0),
  }));
  const mostWords = rough.reduce((most, { words }) => Math.max(most, words), Number.MIN_VALUE);
  const mostWork = rough.reduce((most, each) => Math.max(most, each.work), Number.MIN_VALUE);
  const toScore = (each: (typeof rough)[number]) =>
    each.words / mostWords + Math.max(each.message, each.work / mostWork);
  const scored = rough.map((each) => ({ id: each.id, score: toScore(each) }));
  scored.sort((a, b) => b.score - a.score || b.id - a.id);
  return new Set(scored.slice(0, count).map(({ id }) => id));
}

/** A word counts more where it is said more often, up to twice; the most where it names the session. */
function sumOfWords(id: number, terms: readonly FoundTerm[], weights: readonly RankedTerm[]): number {
  let total = 0;
  for (let i = 0; i < terms.length; i++) {
    const term = terms[i] as FoundTerm;
    const times = (term.bySession.get(id) ?? 0) + (term.workBySession.get(id) ?? 0) / 4;
    const named = term.named.has(id) ? 2 : 0;
    total += (weights[i]?.weight ?? 0) * (named + (times * 2.2) / (times + 1.2));
  }
  return total;
}
