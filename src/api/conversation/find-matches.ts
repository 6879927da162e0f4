// The messages of some sessions that match a query, by the rules of a search: words by their stem, phrases,
// prefixes, and near spellings if a word occurs nowhere; and of a tool's text the lines that hold the words.

import type { Role } from '../../records.ts';
import { findTerms } from '../../search/find-terms.ts';
import type { Query } from '../../search/query/parse-query.ts';
import type { Store } from '../../store/open/open-store.ts';
import { type FoundLine, openSessionsScope, openWordIndex } from '../../store/read/sqlite-word-index.ts';
import { findOccurrences, foldText } from '../../text/occurrences.ts';
import { type MarkedTerm, toSnippet } from '../../text/snippet.ts';
import type { Matches } from '../answers.ts';

export const noMatches: Matches = {
  lines: new Map(),
  toolTexts: new Set(),
  terms: [],
  isPartial: false,
  corrections: [],
};

/** Lines that contain all of the words; if there are none, those that contain any. */
export async function findMatches(
  { db }: Store,
  sessionIds: readonly number[],
  query: Query,
  role: Role | null,
): Promise<Matches> {
  const scope = openSessionsScope(db, sessionIds, role);
  const index = openWordIndex(db);
  const found = await findTerms(query.terms, { index, scope, unfiltered: null, isConjunction: false });
  const byTerm = found.terms.map(({ term }) => scope.everyLineWith(term));
  const toKey = ({ sessionId, seq }: FoundLine) => `${sessionId} ${seq}`;
  const counts = new Map<string, number>();
  for (const lines of byTerm)
    for (const key of new Set(lines.map(toKey))) counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const line of query.excluded.flatMap((term) => scope.everyLineWith(term)))
    if (line.toolTextId === null) counts.delete(toKey(line));
  const isWhole = [...counts.values()].some((count) => count === byTerm.length);
  const needed = isWhole ? byTerm.length : 1;
  const lines = new Map<number, Set<number>>();
  const toolTexts = new Set<number>();
  for (const line of byTerm.flat()) {
    if ((counts.get(toKey(line)) ?? 0) < needed) continue;
    lines.set(line.sessionId, (lines.get(line.sessionId) ?? new Set()).add(line.seq));
    if (line.toolTextId !== null) toolTexts.add(line.toolTextId);
  }
  const terms = found.terms.map(({ term }) => term);
  return { lines, toolTexts, terms, isPartial: !isWhole, corrections: found.corrections };
}

const maxLines = 5;
const maxLineChars = 240;

/** The lines with the most of the words, in order; null if no line has any. */
export function toMatchingLines(text: string, terms: readonly MarkedTerm[]): string | null {
  const lines = text
    .split('\n')
    .map((line, at) => ({ line, at, count: countTerms(line, terms) }))
    .filter(({ count }) => count > 0);
  if (lines.length === 0) return null;
  return lines
    .sort((a, b) => b.count - a.count || a.at - b.at)
    .slice(0, maxLines)
    .sort((a, b) => a.at - b.at)
    .map(({ line }) => toSnippet(line, terms, maxLineChars))
    .map((pieces) => pieces.map(({ text: shown }) => shown).join(''))
    .join('\n');
}

function countTerms(line: string, terms: readonly MarkedTerm[]): number {
  const folded = foldText(line);
  return terms.filter(({ forms }) => findOccurrences(folded, forms).length > 0).length;
}
