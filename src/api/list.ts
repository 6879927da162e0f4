// The most recent sessions. The session that recall is called from is included and marked unless the request
// leaves it out: a list shows what exists, while the answer to a question should not be the question itself.

import { defaultLimits } from '../records.ts';
import type { Store } from '../store/open/open-store.ts';
import { readScope } from '../store/read/scope.ts';
import { readRecentIds, readListed as readWithCopies } from '../store/read/sessions.ts';
import type { SessionInfo } from '../store/word-index.ts';
import { findCurrentSession } from './current-session.ts';
import type { Host } from './host.ts';
import {
  blameFilter,
  type Emptiness,
  type FilterRequest,
  readEmptiness,
  readFilters,
} from './read-filters.ts';
import { type Resumption, readResumptions } from './resume.ts';

export interface ListRequest extends FilterRequest {
  readonly limit?: number | undefined;
  /** List subagents on their own instead of under their session. */
  readonly subagents?: boolean | undefined;
  readonly leaveOutCurrent?: boolean | undefined;
}

export interface ListAnswer {
  readonly sessions: readonly ListedSession[];
  /** How many there are without the limit. */
  readonly total: number;
  /** The session that recall is called from. */
  readonly currentId: string | null;
  readonly emptiness: Emptiness | null;
}

export function listSessions(host: Host, store: Store, request: ListRequest): ListAnswer {
  const currentId = findCurrentSession(store, host.at);
  const context = { store, at: host.at, now: host.now() };
  const filters = readFilters(request, {}, context, request.leaveOutCurrent ? currentId : null);
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

export interface ListedSession {
  readonly session: SessionInfo;
  /** How many other sessions of the same kind contain the same entries. */
  readonly copies: number;
  readonly resumption: Resumption;
}

/** In the order of the ids. */
export function readListed(host: Host, store: Store, ids: readonly number[]): ListedSession[] {
  return withResumption(host, store, readWithCopies(store.db, ids));
}

export function withResumption<T extends { readonly session: SessionInfo }>(
  host: Host,
  store: Store,
  entries: readonly T[],
): (T & { readonly resumption: Resumption })[] {
  const resumptions = readResumptions(
    store,
    entries.map(({ session }) => session.id),
    host,
  );
  return entries.map((entry) => ({
    ...entry,
    resumption: resumptions.get(entry.session.id) as Resumption,
  }));
}
