// The session that a reference names, or an error that helps to name it. A reference is an id, the start of
// one, or the number of a result in the list that the terminal showed last; `66c737db:12` also names a message.

import { UserError } from '../errors.ts';
import { hint, recall } from '../hints.ts';
import { sources } from '../sources/index.ts';
import { findLastResults } from '../store/open/last-results.ts';
import { openForReading, type Store } from '../store/open/open-store.ts';
import {
  type FoundSession,
  findSessions,
  minPrefixChars,
  type Named,
  readProjectNames,
  readSessionNames,
} from '../store/read/sessions.ts';
import { toPrintableLine } from '../text/printable.ts';
import type { Host } from './host.ts';

export function parseReference(text: string) {
  const [, session, position] = /^(.+):(\d{1,7})$/.exec(text.trim()) ?? [];
  if (session === undefined) return { session: text.trim(), position: null };
  return { session, position: Number(position) };
}

/** `isNumbered` if the person has seen a numbered list. */
export async function getFreshSession(host: Host, store: Store, ref: string, isNumbered?: boolean) {
  await refreshFor(host, store, ref, isNumbered);
  return getSession(host, store, ref, isNumbered);
}

const fetchMs = 2000;

/**
 * A whole id that is not in the index is worth a refresh: the session may have been started a moment ago. Else the hub may have it,
 * as it has what it was found on.
 */
export async function refreshFor(host: Host, store: Store, ref: string, isNumbered = false): Promise<void> {
  const listed = isNumbered ? lookUp(host, ref)?.nativeId : undefined;
  const named = listed ?? ref;
  const isWholeId = Object.values(sources).some((source) => source.isSessionId(named.replace(/@[^@]+$/, '')));
  if (!isWholeId || findSessions(store.db, named).length > 0) return;
  if (listed === undefined) {
    const { refresh } = await import('./upkeep/update.ts');
    // Ids in base 16 are written in lower case; in other ids, case matters.
    await refresh(host, store, /^[0-9a-f-]+$/i.test(ref) ? ref.toLowerCase() : ref);
    if (findSessions(store.db, named).length > 0) return;
  }
  const { hasJoined } = await import('../hub/settings.ts');
  if (!hasJoined(host.at)) return;
  const { fetchSession } = await import('./hub/sync.ts');
  try {
    await fetchSession(host, named, fetchMs);
  } catch (error) {
    // What was shown is there, while an id may be of nothing at all.
    if (listed !== undefined || named.includes('@') || !(error instanceof UserError)) throw error;
  }
}

export function getSession(host: Host, store: Store, ref: string, isNumbered = false): FoundSession {
  const found = findSessions(store.db, (isNumbered ? findNumbered(host, ref) : undefined) ?? ref);
  const [only, ...others] = found;
  if (only === undefined) throw noSuchSession(ref);
  if (others.length > 0) throw ambiguous(ref, found);
  return only;
}

/** Numbers of an older list are probably meant, but nobody remembers them for sure. */
const oldAfterMs = 24 * 60 * 60 * 1000;

function findNumbered(host: Host, ref: string): string | undefined {
  const found = lookUp(host, ref);
  if (found === undefined) return undefined;
  const { list, nativeId } = found;
  const isOld = host.now().getTime() - Date.parse(list.shownAt) > oldAfterMs;
  if (isOld || !list.isOwn) host.onEvent({ type: 'numbered', ref, list });
  return nativeId;
}

function lookUp({ indexPath, terminal }: Host, ref: string) {
  if (!/^[1-9]\d{0,3}$/.test(ref)) return undefined;
  const list = findLastResults(indexPath, terminal);
  const nativeId = list?.nativeIds[Number(ref) - 1];
  return list === undefined || nativeId === undefined ? undefined : { list, nativeId };
}

function noSuchSession(ref: string): UserError {
  const isShort = ref.length < minPrefixChars;
  const isNumber = /^\d+$/.test(ref) && isShort;
  return new UserError(`no session ${toPrintableLine(ref)}`, {
    code: 'no-such-session',
    hint: isNumber
      ? hint`a number refers to a result of the last search or list in this terminal: ${recall('list')}`
      : isShort
        ? `type at least ${minPrefixChars} characters of the id`
        : hint`find it with: ${recall('search', '<words>')}`,
    exitCode: 1,
  });
}

const maxCandidates = 50;

function ambiguous(ref: string, found: readonly FoundSession[]): UserError {
  const candidates = found
    .slice(0, maxCandidates)
    .map(({ nativeId, title }) => `  ${toPrintableLine(nativeId)}  ${toPrintableLine(title ?? '')}`);
  const such = found.length > maxCandidates ? ', such as' : '';
  return new UserError(
    `${toPrintableLine(ref)} could be any of ${found.length} sessions${such}:\n${candidates.join('\n')}`,
    { code: 'ambiguous', hint: 'type more characters of the id' },
  );
}

/** What completes a name that is being typed. It creates no index, waits for nobody and reports no errors. */
export function findNames(indexPath: string, what: 'sessions' | 'projects', typed: string): readonly Named[] {
  try {
    const store = openForReading(indexPath);
    if (store === null) return [];
    try {
      return what === 'projects' ? readProjectNames(store.db) : readSessionNames(store.db, typed);
    } finally {
      store.close();
    }
  } catch {
    return [];
  }
}
