// The most recent sessions. The session that recall is called from is included and marked unless the request
// leaves it out: a list shows what exists, while the answer to a question should not be the question itself.

import { dirname } from 'node:path';
import { defaultLimits, type Surroundings } from '../records.ts';
import { sources } from '../sources/index.ts';
import type { Store } from '../store/open/open-store.ts';
import { readScope } from '../store/read/scope.ts';
import { findNewestIn, readRecentIds, readListed as readWithCopies } from '../store/read/sessions.ts';
import type { SessionInfo } from '../store/word-index.ts';
import type { ListAnswer, ListedSession, Resumption } from './answers.ts';
import type { Host } from './host.ts';
import { blameFilter, readEmptiness, readFilters } from './read-filters.ts';
import type { ListRequest } from './requests.ts';
import { readResumptions } from './resume.ts';

export function listSessions(host: Host, store: Store, request: ListRequest): ListAnswer {
  const currentId = findCurrentSession(store, host.at);
  const filters = readFilters(host, store, request, { leftOut: request.leaveOutCurrent ? currentId : null });
  const withSubagents = request.subagents === true || filters.only.kind !== undefined;
  const scope = readScope(store.db, filters);
  const { ids, total } = readRecentIds(store.db, scope, request.limit ?? defaultLimits.list, withSubagents);
  return {
    sessions: readListed(host, store, ids),
    total,
    currentId,
    emptiness: total > 0 ? null : readEmptiness(store, blameFilter(host, store, request)),
  };
}

export type { SessionInfo };

export function readListed(host: Host, store: Store, ids: readonly number[]): ListedSession[] {
  return withResumption(host, store, readWithCopies(store.db, ids));
}

export function withResumption<T extends { readonly session: SessionInfo }>(
  host: Host,
  store: Store,
  entries: readonly T[],
): (T & { readonly resumption: Resumption })[] {
  const ids = entries.map(({ session }) => session.id);
  const found = readResumptions(store, ids, host);
  return entries.map((entry) => ({ ...entry, resumption: found.get(entry.session.id) as Resumption }));
}

/** The session that recall is called from, which would match every search with the query itself; null outside every agent. */
export function findCurrentSession({ db }: Store, { env, cwd }: Surroundings): string | null {
  for (const { agent, findRunningSession } of Object.values(sources)) {
    const running = findRunningSession(env);
    if (running?.nativeId != null) return running.nativeId;
    if (running === null) continue;
    // An agent does not always say which session it is running. Then it is the newest one of the project,
    // whose directory is this one or a parent.
    for (let directory = cwd; ; directory = dirname(directory)) {
      const id = findNewestIn(db, agent, directory);
      if (id !== undefined) return id;
      if (dirname(directory) === directory) break;
    }
  }
  return null;
}
