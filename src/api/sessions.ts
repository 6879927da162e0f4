// A session as it appears in every list: what is known about it, how many copies it has, and whether it can
// be resumed.

import type { Store } from '../store/open/open-store.ts';
import { readListed as readWithCopies, type SessionInfo } from '../store/read/read-sessions.ts';
import type { Host } from './host.ts';
import { type Resumption, readResumptions } from './resume.ts';

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
