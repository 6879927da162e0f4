// Searches, and adds to each session whether it can be resumed. The session that recall is called from is
// left out.

import { filterNames } from '../filters.ts';
import { defaultLimits } from '../records.ts';
import { findTime, parseQuery, type Query } from '../search/query/parse-query.ts';
import { weights } from '../search/rank.ts';
import { search } from '../search/search.ts';
import type { Store } from '../store/open/open-store.ts';
import { readPositions } from '../store/read/read-conversation.ts';
import { openWordIndex } from '../store/read/sqlite-word-index.ts';
import type { SessionFilters } from '../store/word-index.ts';
import type { SearchAnswer } from './answers.ts';
import type { Host } from './host.ts';
import { findCurrentSession, withResumption } from './list.ts';
import { blameFilter, findHidingFilters, readEmptiness, readFilters } from './read-filters.ts';
import type { SearchRequest } from './requests.ts';

/** What was typed, and what of it is words, filters and a time. */
export function readQuery(request: SearchRequest, now: Date) {
  const isFiltered = filterNames.some((name) => request[name] !== undefined);
  const typed = parseQuery(request.query, request.isTyping, isFiltered);
  const isTimed = request.since !== undefined || request.until !== undefined;
  const time = isTimed ? undefined : findTime(typed, now);
  const timeFilters = { ...typed.filters, since: time?.phrase, until: time?.phrase };
  const query = time?.isAlone ? { ...typed, terms: [], filters: timeFilters } : typed;
  return { typed, time, query };
}

export function toEngineRequest(request: SearchRequest, query: Query, filters: SessionFilters, now: Date) {
  return {
    query,
    filters,
    limit: request.limit ?? defaultLimits.search,
    sort: request.sort ?? 'relevance',
    listsSubagents: request.subagents === true || filters.only.kind !== undefined,
    now,
  };
}

export async function searchSessions(
  host: Host,
  store: Store,
  request: SearchRequest,
): Promise<SearchAnswer> {
  const startedAt = host.elapsedMs();
  const now = host.now();
  const { typed, time, query } = readQuery(request, now);
  const filters = readFilters(host, store, request, { query, leftOut: findCurrentSession(store, host.at) });
  const index = openWordIndex(store.db);
  const result = await search(index, toEngineRequest(request, query, filters, now));
  const ids = result.hits.flatMap((hit) => hit.matches.map(({ message }) => message.id));
  const positions = request.positions ? readPositions(store.db, ids) : new Map<number, number>();
  const hits = result.hits.map((hit) => ({
    ...hit,
    matches: hit.matches.map((match) => ({ ...match, position: positions.get(match.message.id) ?? null })),
  }));
  // Only the page asks for them, and no other search should load what counts them.
  const facets = request.facets
    ? (await import('./filter-values.ts')).readFacets(store, filters, result.matchingIds)
    : null;
  const hiddenWords = await findHidingFilters(host, store, request, { query, hidden: result.hidden });
  const findBlame = () =>
    (time?.isAlone ? null : blameFilter(host, store, request, query)) ??
    (hiddenWords === null ? null : ({ type: 'hides', ...hiddenWords } as const));
  return {
    ...result,
    query: request.query,
    hits: withResumption(host, store, hits),
    filters: { only: typed.filters, without: typed.excludedFilters },
    unknownDays: query.unknownDays,
    excludedWords: query.excluded.map((term) => term.text),
    hiddenWords,
    time: time ?? null,
    facets,
    hub: null,
    weights,
    emptiness: hits.length > 0 ? null : readEmptiness(store, findBlame()),
    tookMs: host.elapsedMs() - startedAt,
  };
}
