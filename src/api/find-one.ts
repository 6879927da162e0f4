// The session a person named, or an error that helps them name it.

import { UserError } from '../errors.ts';
import { toPrintableLine } from '../render/printable.ts';
import { readLastResults } from '../store/open/last-results.ts';
import type { Store } from '../store/open/open-store.ts';
import { type FoundSession, findSessions, minPrefixChars } from '../store/read/find-session.ts';

/** `ref` is an id, the beginning of one, or the number of a result of the last search or list, where that is known. */
export function findOne(store: Store, ref: string, indexPath: string | null): FoundSession {
  const found = findSessions(store, (indexPath === null ? undefined : toNumbered(ref, indexPath)) ?? ref);
  const [only, ...others] = found;
  const shown = toPrintableLine(ref);
  if (only === undefined) {
    const isShort = ref.length < minPrefixChars;
    const isNumber = /^\d+$/.test(ref) && isShort;
    throw new UserError(`no session ${shown}`, {
      code: 'no-such-session',
      hint: isNumber
        ? 'numbers count the results of the last search or list: recall list'
        : isShort
          ? `give at least ${minPrefixChars} characters of the id`
          : 'find it with: recall search <words>',
      exitCode: 1,
    });
  }
  if (others.length > 0) {
    const candidates = found.map(
      (session) => `  ${toPrintableLine(session.nativeId)}  ${toPrintableLine(session.title ?? '')}`,
    );
    throw new UserError(`${shown} could be any of ${found.length} sessions:\n${candidates.join('\n')}`, {
      code: 'ambiguous',
      hint: 'give more characters of the id',
    });
  }
  return only;
}

function toNumbered(ref: string, indexPath: string): string | undefined {
  return /^[1-9]\d{0,3}$/.test(ref) ? readLastResults(indexPath)[Number(ref) - 1] : undefined;
}
