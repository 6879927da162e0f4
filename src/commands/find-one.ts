// The session a person named, or an error that helps them name it.

import { UserError } from '../errors.ts';
import { toPrintableLine } from '../render/printable.ts';
import { type FoundSession, findSessions, minPrefixChars } from '../store/find-session.ts';
import type { Store } from '../store/open-store.ts';

export async function findOne(store: Store, ref: string): Promise<FoundSession> {
  const found = await findSessions(store, ref);
  const [only, ...others] = found;
  const shown = toPrintableLine(ref);
  if (only === undefined) {
    const isShort = ref.length < minPrefixChars;
    throw new UserError(`no session ${shown}`, {
      code: 'no-such-session',
      hint: isShort
        ? `give at least ${minPrefixChars} characters of the id`
        : 'find it with: recall search <words>',
      exitCode: 1,
    });
  }
  if (others.length > 0) {
    const candidates = found.map(
      (session) => `  ${session.claudeId}  ${toPrintableLine(session.title ?? '')}`,
    );
    throw new UserError(`${shown} could be any of ${found.length} sessions:\n${candidates.join('\n')}`, {
      code: 'ambiguous',
      hint: 'give more characters of the id',
    });
  }
  return only;
}
