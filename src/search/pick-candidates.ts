// Which sessions are worth ranking besides those of the best messages, and which of their messages are worth
// reading.

import { toSessionId } from '../store/row-ids.ts';
import { type FoundTerm, maxSessionsPerTerm } from './find-terms.ts';
import { maxMessages } from './match-messages.ts';
import type { RankedTerm } from './rank.ts';

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
  const areAllCommon = strongTerms.every((term) => term.isCommon);
  const sets = terms.map((term) => ({
    isStrong: isRequired(term) && (areAllCommon || !term.isCommon),
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
