// The sessions there were lately. The session that recall is called from is among them, marked, unless it is to be left
// out: a list says what is there, while an answer to a question should not be the question.

import type { Store } from '../store/open/open-store.ts';
import { readRecentIds } from '../store/read/read-sessions.ts';
import { toScope } from '../store/read/scope.ts';
import { blameFilter } from './blame-filter.ts';
import { findCurrentSession } from './current-session.ts';
import type { Host } from './host.ts';
import { type Emptiness, toEmptiness } from './search.ts';
import { type ListedSession, readListed } from './sessions.ts';
import { type FilterRequest, toFilters } from './to-filters.ts';

export interface ListRequest extends FilterRequest {
  readonly limit?: number | undefined;
  /** List subagents on their own instead of under their session. */
  readonly subagents?: boolean | undefined;
  readonly leaveOutCurrent?: boolean | undefined;
}

export interface ListAnswer {
  readonly sessions: readonly ListedSession[];
  /** Before the limit. */
  readonly total: number;
  /** The session that recall is called from. */
  readonly currentId: string | null;
  readonly emptiness: Emptiness | null;
}

const usualLimit = 20;

export function listSessions(host: Host, store: Store, request: ListRequest): ListAnswer {
  const currentId = findCurrentSession(store, host.at);
  const context = { store, at: host.at, now: host.now() };
  const filters = toFilters(request, {}, context, request.leaveOutCurrent ? currentId : null);
  const withSubagents = request.subagents === true || filters.only.kind !== undefined;
  const scope = toScope(store.db, filters);
  const { ids, total } = readRecentIds(store.db, scope, request.limit ?? usualLimit, withSubagents);
  return {
    sessions: readListed(host, store, ids),
    total,
    currentId,
    emptiness: total > 0 ? null : toEmptiness(store, blameFilter(host, store, request)),
  };
}
