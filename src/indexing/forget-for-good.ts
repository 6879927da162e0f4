// Forgets a session and everything that others took from it, down to the bytes. The caller holds the index lock.

import type { Store } from '../store/open/open-store.ts';
import { type FindNamedId, type Forgotten, forgetSession, type SessionKey } from '../store/upkeep/forget.ts';
import { wipe } from '../store/upkeep/wipe.ts';
import { settleSessions } from './settle.ts';

export interface ForgottenForGood extends Forgotten {
  /** As wipe() has it. */
  readonly isWiped: boolean;
}

/**
 * 1. Its rows go.
 * 2. What is left is settled: a session may have been titled by a summary that stood in the forgotten one.
 * 3. What they leave behind in the file is wiped.
 */
export function forgetForGood(
  store: Store,
  key: SessionKey,
  forgottenAt: string,
  findNamedId?: FindNamedId,
): ForgottenForGood {
  const forgotten = forgetSession(store, key, forgottenAt, findNamedId);
  settleSessions(store);
  return { ...forgotten, isWiped: wipe(store) };
}
