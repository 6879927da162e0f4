// The session that a reference names, or an error that helps to name it. A reference is an id, the start of
// one, or the number of a result in the last list; `66c737db:12` also names a message.

import { UserError } from '../errors.ts';
import { hint, recall } from '../hints.ts';
import { readLastResults } from '../store/open/last-results.ts';
import type { Store } from '../store/open/open-store.ts';
import { type FoundSession, findSessions, minPrefixChars } from '../store/read/find-session.ts';
import { toPrintableLine } from '../text/printable.ts';
import type { Host } from './host.ts';

export interface Reference {
  readonly session: string;
  /** The number of a message in the session. */
  readonly position: number | null;
}

export function parseReference(text: string): Reference {
  const [, session, position] = /^(.+):(\d{1,7})$/.exec(text.trim()) ?? [];
  if (session === undefined) return { session: text.trim(), position: null };
  return { session, position: Number(position) };
}

const wholeId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * A whole id that is not in the index is worth a refresh: the session may have been started a moment ago.
 * `isNumbered` if the person has seen a numbered list.
 */
export async function getFreshSession(
  host: Host,
  store: Store,
  ref: string,
  isNumbered: boolean,
): Promise<FoundSession> {
  if (wholeId.test(ref) && findSessions(store, ref).length === 0)
    await (await import('./upkeep/refresh.ts')).refresh(host, store);
  return getSession(store, ref, isNumbered ? host.indexPath : null);
}

export function getSession(store: Store, ref: string, indexPath: string | null): FoundSession {
  const found = findSessions(store, (indexPath === null ? undefined : findNumbered(ref, indexPath)) ?? ref);
  const [only, ...others] = found;
  if (only === undefined) throw noSuchSession(ref);
  if (others.length > 0) throw ambiguous(ref, found);
  return only;
}

function findNumbered(ref: string, indexPath: string): string | undefined {
  return /^[1-9]\d{0,3}$/.test(ref) ? readLastResults(indexPath)[Number(ref) - 1] : undefined;
}

function noSuchSession(ref: string): UserError {
  const isShort = ref.length < minPrefixChars;
  const isNumber = /^\d+$/.test(ref) && isShort;
  return new UserError(`no session ${toPrintableLine(ref)}`, {
    code: 'no-such-session',
    hint: isNumber
      ? hint`a number refers to a result of the last search or list: ${recall('list')}`
      : isShort
        ? `type at least ${minPrefixChars} characters of the id`
        : hint`find it with: ${recall('search', '<words>')}`,
    exitCode: 1,
  });
}

function ambiguous(ref: string, found: readonly FoundSession[]): UserError {
  const candidates = found.map(
    ({ nativeId, title }) => `  ${toPrintableLine(nativeId)}  ${toPrintableLine(title ?? '')}`,
  );
  return new UserError(
    `${toPrintableLine(ref)} could be any of ${found.length} sessions:\n${candidates.join('\n')}`,
    { code: 'ambiguous', hint: 'type more characters of the id' },
  );
}
