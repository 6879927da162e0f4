// Searches what the team has shared, on the hub. A session that is also here is shown as it is here, so that it can be opened at once.

import { UserError } from '../../errors.ts';
import { hint, recall } from '../../hints.ts';
import { hubWordsVersion } from '../../hub/postgres/word-tables.ts';
import { weights } from '../../search/rank.ts';
import { search } from '../../search/search.ts';
import type { SearchResult } from '../../search/search-result.ts';
import { sources } from '../../sources/index.ts';
import type { Store } from '../../store/open/open-store.ts';
import { findSessions } from '../../store/read/sessions.ts';
import type { IndexTotals, SessionInfo } from '../../store/word-index.ts';
import type { FoundHit, HubAnswer, SearchAnswer } from '../answers.ts';
import type { Host } from '../host.ts';
import { readFilters } from '../read-filters.ts';
import type { SearchRequest } from '../requests.ts';
import { readResumptions, toHubResumption } from '../resume.ts';
import { readQuery, toEngineRequest } from '../search.ts';
import { getJoined, isDatabase } from './sync.ts';

const connectMs = 5000;
const limitMs = 15_000;

interface Found {
  readonly result: SearchResult;
  readonly positions: ReadonlyMap<number, number | null>;
  readonly hub: HubAnswer;
  readonly totals: IndexTotals;
}

/** The part that waits for the hub. */
export async function askHub(host: Host, request: SearchRequest, signal?: AbortSignal): Promise<Found> {
  const { where, machine, password, hubId } = getJoined(host);
  const ways = hint`search what is here: ${recall('search', '<words>')}, without --hub`;
  if (!isDatabase(where))
    throw new UserError('this hub is a folder: all that it carries is here, and found here', {
      code: 'hub-not-searchable',
      hint: ways,
    });
  const now = host.now();
  const { query } = readQuery(request, now);
  const address = { address: where, password, at: host.at, timeoutMs: connectMs, limitMs };
  const signals = signal === undefined ? [host.signal] : [host.signal, signal];
  const { searchPostgres } = await import('../../hub/postgres/word-index.ts');
  try {
    return await searchPostgres(
      { address, hubId, machine, signal: AbortSignal.any(signals) },
      async (index) => {
        const others = index.otherVersions();
        const names = { ...query.filters, ...query.excludedFilters, ...request };
        const isOfProjects = names.project !== undefined || request.within !== undefined;
        const projects = isOfProjects ? await index.projects() : [];
        const filters = readFilters(host, { projects }, request, { query, leftOut: findRunning(host) });
        const [result, totals, versions] = await Promise.all([
          search(index, toEngineRequest(request, query, filters, now)),
          index.totals(),
          others,
        ]);
        const ids = result.hits.flatMap(({ matches }) => matches.map(({ message }) => message.id));
        const count = (isCounted: (version: number) => boolean) =>
          versions.reduce((sum, { version, sessions }) => sum + (isCounted(version) ? sessions : 0), 0);
        return {
          result,
          totals,
          positions: new Map(ids.map((id) => [id, index.positionOf(id)])),
          hub: {
            where,
            newer: count((version) => version > hubWordsVersion),
            older: count((version) => version < hubWordsVersion),
          },
        };
      },
    );
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== 'hub-unreachable') throw error;
    throw new UserError(error.message, { code: error.code, hint: ways, cause: error });
  }
}

export function describeHubSearch(
  host: Host,
  store: Store,
  request: SearchRequest,
  { result, positions, hub, totals }: Found,
): Omit<SearchAnswer, 'tookMs'> {
  const { typed, time, query } = readQuery(request, host.now());
  const hits = result.hits.map((hit): FoundHit => {
    const matches = hit.matches.map((match) => ({
      ...match,
      position: positions.get(match.message.id) ?? null,
    }));
    const here = findHere(store, hit.session);
    const resumption = here === undefined ? undefined : readResumptions(store, [here], host).get(here);
    return { ...hit, matches, resumption: resumption ?? toHubResumption(hit.session) };
  });
  const { sessions, messages } = totals;
  return {
    ...result,
    query: request.query,
    hits,
    filters: { only: typed.filters, without: typed.excludedFilters },
    unknownDays: query.unknownDays,
    excludedWords: query.excluded.map((term) => term.text),
    hiddenWords: null,
    time: time ?? null,
    facets: null,
    hub,
    weights,
    emptiness: hits.length > 0 ? null : { isIndexEmpty: false, sessions, messages, blame: null },
  };
}

/** The id of the same session in this index, as it was on that machine. */
function findHere({ db }: Store, { agent, nativeId, machine }: SessionInfo): number | undefined {
  const ref = machine === null ? nativeId : `${nativeId}@${machine}`;
  return findSessions(db, ref).find((found) => found.agent === agent && found.nativeId === nativeId)?.id;
}

function findRunning({ at }: Host): string | null {
  const running = Object.values(sources).map(
    ({ findRunningSession }) => findRunningSession(at.env)?.nativeId,
  );
  return running.find((id) => id != null) ?? null;
}
