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
  await refreshFor(host, store, ref);
  return getSession(host, store, ref, isNumbered);
}

/** A whole id that is not in the index is worth a refresh: the session may have been started a moment ago. */
export async function refreshFor(host: Host, store: Store, ref: string): Promise<void> {
  const isWholeId = Object.values(sources).some((source) => source.isSessionId(ref));
  if (!isWholeId || findSessions(store.db, ref).length > 0) return;
  const { refresh } = await import('./upkeep/update.ts');
  // Ids in base 16 are written in lower case; in other ids, case matters.
  await refresh(host, store, /^[0-9a-f-]+$/i.test(ref) ? ref.toLowerCase() : ref);
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

function findNumbered({ indexPath, terminal, now, onEvent }: Host, ref: string): string | undefined {
  if (!/^[1-9]\d{0,3}$/.test(ref)) return undefined;
  const list = findLastResults(indexPath, terminal);
  const nativeId = list?.nativeIds[Number(ref) - 1];
  if (list === undefined || nativeId === undefined) return undefined;
  const isOld = now().getTime() - Date.parse(list.shownAt) > oldAfterMs;
  if (isOld || !list.isOwn) onEvent({ type: 'numbered', ref, list });
  return nativeId;
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
