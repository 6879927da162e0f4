// Removes a session from the index and from the archive for good. The transcript itself is never touched.

import { settleSessions } from '../../indexing/settle.ts';
import { getSource } from '../../sources/index.ts';
import { forgetLastResults } from '../../store/open/last-results.ts';
import { type Store, withStore } from '../../store/open/open-store.ts';
import type { FoundSession } from '../../store/read/find-session.ts';
import {
  type FindNamedId,
  type Forgotten,
  findCopies,
  findFamily,
  forgetSession,
  type SessionKey,
  wipe,
} from '../../store/upkeep/privacy.ts';
import { findDamaged } from '../../store/upkeep/salvage.ts';
import { forgetKept } from '../archive/prune.ts';
import type { Host } from '../host.ts';
import { holdIndexLock } from './hold-index-lock.ts';
import { upgradeOptions } from './upgrade-options.ts';

/** What would be removed. */
export interface Forgettable {
  readonly session: FoundSession;
  readonly subagents: number;
  /** Ids of sessions that contain the same text and stay. */
  readonly copies: readonly string[];
}

export interface ForgetAnswer {
  readonly forgotten: Omit<ForgottenForGood, 'isWiped' | 'namedIds'>;
  /** How many of them were deleted from the archive, too. */
  readonly archived: number;
  /** False while another process still reads the old content; the next command finishes the wiping. */
  readonly isWiped: boolean;
  /** Files from before a repair that may still contain the text. */
  readonly damagedFiles: readonly string[];
}

export function readForgettable(store: Store, session: FoundSession): Forgettable {
  return {
    session,
    subagents: findFamily(store, session).length - 1,
    copies: findCopies(store, session),
  };
}

export async function forget(host: Host, session: FoundSession): Promise<ForgetAnswer> {
  const { files } = getSource(session.agent);
  const findNamedId = (path: string) => files?.findMeaning(path)?.transcript?.nativeId ?? null;
  const { isWiped, namedIds, ...forgotten } = await holdIndexLock(host, () =>
    // Not an index that is already open: a repair that held the lock before may have replaced the file.
    withStore(
      host.indexPath,
      (store) => forgetForGood(store, session, host.now().toISOString(), findNamedId),
      upgradeOptions(host, { isLocked: true }),
    ),
  );
  forgetLastResults(host.indexPath);
  // After the tombstones: an archiver that comes between must not keep it again.
  const archived = await forgetKept(host, session.agent, [...forgotten.nativeIds, ...namedIds]);
  return { archived, forgotten, isWiped, damagedFiles: findDamaged(host.indexPath) };
}

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
