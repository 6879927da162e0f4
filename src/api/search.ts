// Searches, and adds to each session whether it can be resumed. The session that recall is called from is
// left out.

import { filterNames } from '../filters.ts';
import { defaultLimits } from '../records.ts';
import { findTime, parseQuery, type Query, type TypedTime } from '../search/query/parse-query.ts';
import { type ScoreParts, weights } from '../search/rank.ts';
import type { Hit, Match } from '../search/read-hits.ts';
import { type SearchResult, search } from '../search/search.ts';
import type { Store } from '../store/open/open-store.ts';
import { inOneState } from '../store/read/index-facts.ts';
import { readPositions } from '../store/read/read-conversation.ts';
import { openWordIndex } from '../store/read/sqlite-word-index.ts';
import { findCurrentSession } from './current-session.ts';
import type { Host } from './host.ts';
import { withResumption } from './list.ts';
import {
  blameFilter,
  type Emptiness,
  type FilterRequest,
  findHidingFilters,
  type HiddenWords,
  readEmptiness,
  readFilters,
} from './read-filters.ts';
import type { Resumption } from './resume.ts';

export interface SearchRequest extends FilterRequest {
  /** As a person types it: words, phrases, filters. */
  readonly query: string;
  readonly limit?: number | undefined;
  readonly sort?: 'relevance' | 'recent' | undefined;
  /** List subagents on their own instead of under their session. */
  readonly subagents?: boolean | undefined;
  /** The last word may be unfinished, and then also matches as a prefix. */
  readonly isTyping?: boolean | undefined;
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
  /** A time in the query: on its own it was the filter, otherwise it was searched for like the other words. */
  readonly time: TypedTime | null;
  /** Words that some filter hides. */
  readonly hiddenWords: HiddenWords | null;
  /** The weight of each part of a score. */
  readonly weights: Readonly<Record<keyof ScoreParts, number>>;
  readonly emptiness: Emptiness | null;
}

export async function searchSessions(
  host: Host,
  store: Store,
  request: SearchRequest,
): Promise<SearchAnswer> {
  const startedAt = host.elapsedMs();
  const found = await inOneState(store, () => findHits(host, store, request));
  return { ...found, query: request.query, tookMs: host.elapsedMs() - startedAt, weights };
}

async function findHits(host: Host, store: Store, request: SearchRequest) {
  const now = host.now();
  const isFiltered = filterNames.some((name) => request[name] !== undefined);
  const typed = parseQuery(request.query, request.isTyping, isFiltered);
  const isTimed = request.since !== undefined || request.until !== undefined;
  const time = isTimed ? undefined : findTime(typed, now);
  const query = time?.isAlone ? toTimeOnly(typed, time) : typed;
  const context = { store, at: host.at, now };
  const filters = readFilters(request, query, context, findCurrentSession(store, host.at));
  const index = openWordIndex(store.db);
  const result = await search(index, {
    query,
    filters,
    limit: request.limit ?? defaultLimits.search,
    sort: request.sort ?? 'relevance',
    listsSubagents: request.subagents === true || filters.only.kind !== undefined,
    now,
  });
  const ids = result.hits.flatMap((hit) => hit.matches.map(({ message }) => message.id));
  const positions = request.positions ? readPositions(store.db, ids) : new Map<number, number>();
  const hits = result.hits.map((hit) => ({
    ...hit,
    matches: hit.matches.map((match) => ({ ...match, position: positions.get(match.message.id) ?? null })),
  }));
  const hiddenWords = await findHidingFilters(request, query, result.hidden, context);
  const findBlame = () =>
    (time?.isAlone ? null : blameFilter(host, store, request, query)) ??
    (hiddenWords === null ? null : ({ type: 'hides', ...hiddenWords } as const));
  return {
    ...result,
    hits: withResumption(host, store, hits),
    unknownDays: query.unknownDays,
    hiddenWords,
    time: time ?? null,
    emptiness: hits.length > 0 ? null : readEmptiness(store, findBlame()),
  };
}

function toTimeOnly(query: Query, { phrase }: TypedTime): Query {
  return { ...query, terms: [], filters: { ...query.filters, since: phrase, until: phrase } };
}
