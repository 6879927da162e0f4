// The most recent sessions. The session that recall is called from is included and marked unless the request
// leaves it out: a list shows what exists, while the answer to a question should not be the question itself.

import { defaultLimits } from '../records.ts';
import type { Store } from '../store/open/open-store.ts';
import { readRecentIds } from '../store/read/read-sessions.ts';
import { readScope } from '../store/read/scope.ts';
import { blameFilter } from './blame-filter.ts';
import { findCurrentSession } from './current-session.ts';
import type { Host } from './host.ts';
import { type FilterRequest, readFilters } from './read-filters.ts';
import { type Emptiness, readEmptiness } from './search.ts';
import { type ListedSession, readListed } from './sessions.ts';

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
