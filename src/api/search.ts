// Searches, and adds to each session whether it can be resumed. The session that recall is called from is
// left out.

import { parseQuery } from '../search/parse-query.ts';
import { type ScoreParts, weights } from '../search/rank.ts';
import { type Hit, type Match, type SearchResult, search } from '../search/search.ts';
import type { WorkPassage } from '../sources/source.ts';
import type { Store } from '../store/open/open-store.ts';
import { isRedacting, readTotals } from '../store/read/index-facts.ts';
import { readPositions } from '../store/read/read-conversation.ts';
import { findOccurrences, foldText } from '../text/occurrences.ts';
import { type Blame, blameFilter } from './blame-filter.ts';
import { findCurrentSession } from './current-session.ts';
import type { Host } from './host.ts';
import { type FilterRequest, readFilters } from './read-filters.ts';
import type { Resumption } from './resume.ts';
import { withResumption } from './sessions.ts';

export interface SearchRequest extends FilterRequest {
  /** As a person types it: words, phrases, filters. */
  readonly query: string;
  readonly limit?: number | undefined;
  readonly sort?: 'relevance' | 'recent' | undefined;
  /** List subagents on their own instead of under their session. */
  readonly subagents?: boolean | undefined;
  /** Work out the number of each match in its session. */
  readonly positions?: boolean | undefined;
}

export interface FoundMatch extends Match {
  /** The number of the message in its session, from 1; null if it was not requested. */
  readonly position: number | null;
}

export interface FoundHit extends Hit {
  readonly matches: readonly FoundMatch[];
  readonly resumption: Resumption;
}

export interface SearchAnswer extends SearchResult {
  readonly query: string;
  readonly hits: readonly FoundHit[];
  readonly tookMs: number;
  /** Dates in the query that were not understood, as typed; they are treated as words. */
  readonly unknownDays: readonly string[];
  /** The weight of each part of a score. */
  readonly weights: Readonly<Record<keyof ScoreParts, number>>;
  readonly emptiness: Emptiness | null;
}

/** What was searched without a result. */
export interface Emptiness {
  readonly sessions: number;
  readonly messages: number;
  /** The filter that leaves nothing to search. */
  readonly blame: Blame | null;
}

const defaultLimit = 10;

export async function searchSessions(
  host: Host,
  store: Store,
  request: SearchRequest,
): Promise<SearchAnswer> {
  const startedAt = host.elapsedMs();
  const now = host.now();
  const query = parseQuery(request.query);
  const context = { store, at: host.at, now };
  const filters = readFilters(request, query, context, findCurrentSession(store, host.at));
  const result = search(store, {
    query,
    filters,
    limit: request.limit ?? defaultLimit,
    sort: request.sort ?? 'relevance',
    listSubagents: request.subagents === true || filters.only.kind !== undefined,
    now,
  });
  const ids = result.hits.flatMap((hit) => hit.matches.map(({ message }) => message.id));
  const positions = request.positions ? readPositions(store.db, ids) : new Map<number, number>();
  const passages = await readPassages(store, result);
  const hits = withResumption(host, store, result.hits).map((hit) => ({
    ...hit,
    matches: distinct(
      hit.matches.map((match) => ({
        ...match,
        message: match.work === null ? match.message : { ...match.message, ...passages.get(match.work.id) },
        position: positions.get(match.message.id) ?? null,
      })),
    ),
  }));
  return {
    ...result,
    query: request.query,
    hits,
    tookMs: host.elapsedMs() - startedAt,
    unknownDays: query.unknownDays,
    weights,
    emptiness: hits.length > 0 ? null : readEmptiness(store, blameFilter(host, store, request, query)),
  };
}

/**
 * What tools were given or answered, from the transcripts. A transcript may have been rewritten since: what holds none of
 * the words is not what matched.
 */
async function readPassages(store: Store, { hits, terms }: SearchResult): Promise<Map<number, WorkPassage>> {
  const rows = hits.flatMap((hit) => hit.matches.flatMap(({ work }) => (work === null ? [] : [work])));
  if (rows.length === 0) return new Map();
  const { readWorkPassages } = await import('./read-work-text.ts');
  const passages = await readWorkPassages(rows, isRedacting(store.db));
  for (const [id, { text }] of passages) {
    const folded = foldText(text);
    if (!terms.some(({ forms }) => findOccurrences(folded, forms).length > 0)) passages.delete(id);
  }
  return passages;
}

/** A command that was run again prints the same again: what is worth reading once is shown once. */
function distinct(matches: readonly FoundMatch[]): FoundMatch[] {
  const seen = new Set<string>();
  return matches.filter(({ message, work }) => {
    if (work === null || message.text === '') return true;
    const isNew = !seen.has(message.text);
    seen.add(message.text);
    return isNew;
  });
}

export function readEmptiness(store: Store, blame: Blame | null): Emptiness {
  const { sessions, messages } = readTotals(store.db);
  return { sessions, messages, blame };
}
