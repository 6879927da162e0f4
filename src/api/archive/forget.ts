// Forgets a session: removes it from index and archive alike, for good. What is still due when the index has forgotten it is
// noted in the same transaction, and finished here, by this run or by a later one. Transcripts stay where they are.

import { existsSync, rmSync } from 'node:fs';
import {
  deleteForgottenCopies,
  findForgottenCopies,
  type IsMarked,
  markForgotten,
  readMarks,
  toOwnerKey,
  toSessionKey,
} from '../../archive/session-copies.ts';
import { UserError } from '../../errors.ts';
import { dropFacts } from '../../hub/pull.ts';
import { settleSessions } from '../../indexing/settle.ts';
import { type AgentName, agents, type FailedFile } from '../../records.ts';
import { getSource } from '../../sources/index.ts';
import { deleteLabels, findLabelsPath } from '../../store/labels.ts';
import { forgetLastResults } from '../../store/open/last-results.ts';
import type { Store } from '../../store/open/open-store.ts';
import { countTombstones, isCleaned, isWipeDue } from '../../store/read/index-facts.ts';
import { readArchivedFacts } from '../../store/read/known-files.ts';
import type { FoundSession } from '../../store/read/sessions.ts';
import {
  type Forgotten,
  findCopies,
  findFamily,
  findTombstones,
  forgetSession,
  readFamily,
  saveCleaned,
  wipe,
} from '../../store/upkeep/privacy.ts';
import { findDamaged } from '../../store/upkeep/salvage.ts';
import type { Host } from '../host.ts';
import { holdLock, toObstacle, withIndex, withLockedIndex } from '../upkeep/locks.ts';
import { deleteUnpacked } from './delete.ts';
import { readForgottenOwners } from './status.ts';

export interface Forgettable {
  readonly session: Pick<FoundSession, 'agent' | 'nativeId' | 'title'>;
  readonly subagents: number;
  /** Ids of sessions that contain the same text and stay. */
  readonly copies: readonly string[];
  /** When it was forgotten, if it was: what was still due then is finished. */
  readonly forgottenAt: string | null;
}

export interface ForgetAnswer {
  readonly forgotten: Forgotten;
  readonly archived: number;
  /** False while its bytes are still in the file of the index. */
  readonly isWiped: boolean;
  /** What could not be finished, and why; the next `index` tries again. */
  readonly due: readonly FailedFile[];
  /** Files from before a repair that may still contain the text. */
  readonly damagedFiles: readonly string[];
}

/** `getSession` says which session is meant, and throws where there is none. */
export function readForgettable(store: Store, ref: string, getSession: () => FoundSession): Forgettable {
  try {
    const session = getSession();
    const subagents = findFamily(store, session).length - 1;
    return { session, subagents, copies: findCopies(store, session), forgottenAt: null };
  } catch (error) {
    const isUnknown = error instanceof UserError && error.code === 'no-such-session';
    const [only, ...others] = isUnknown ? findTombstones(store.db, ref) : [];
    if (only === undefined || others.length > 0) throw error;
    const { forgottenAt, ...key } = only;
    return { session: { ...key, title: null }, subagents: 0, copies: [], forgottenAt };
  }
}

export async function forget(host: Host, { session, forgottenAt }: Forgettable): Promise<ForgetAnswer> {
  const { agent, nativeId } = session;
  const { files } = getSource(agent);
  const findNamedId = (path: string) => files?.findMeaning(path)?.transcript?.nativeId ?? null;
  const forgotten = await withLockedIndex(host, (store) => {
    if (forgottenAt !== null) return { nativeIds: [nativeId], sessions: 0, messages: 0 };
    forgetLastResults(host.indexPath);
    const family = readFamily(store, session, findNamedId);
    const owners = [...family.nativeIds, ...family.namedIds].map((id) => files?.toOwner(id) ?? id);
    tryMarking(host.archivePath, agent, owners);
    // First: what was forgotten must not leave labels behind, and without them it can be forgotten again.
    deleteLabels(findLabelsPath(store.path), agent, family.nativeIds);
    return forgetSession(store, family, host.now().toISOString());
  });
  const { archived, due, isWiped } = await finishForgetting(host, { isWaiting: true, isThorough: true });
  return { archived, forgotten, isWiped, due, damagedFiles: findDamaged(host.indexPath) };
}

/** Where nothing can be written, the index still knows that copies are to be deleted. */
function tryMarking(archive: string, agent: AgentName, owners: readonly string[]): void {
  try {
    if (existsSync(archive)) markForgotten(archive, agent, owners);
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).syscall !== 'string') throw error;
  }
}

interface FinishOptions {
  /** Whether to wait for another recall that is archiving. */
  readonly isWaiting: boolean;
  /** Whether to look through the archive even if nothing should be left in it. */
  readonly isThorough: boolean;
}

/**
 * Finishes what sessions that were forgotten still leave to do, or says why that cannot be done now: no byte of them may be left
 * in the file of the index, and no copy in the archive. `archived`: of how many sessions copies were deleted.
 */
export async function finishForgetting(host: Host, options: FinishOptions) {
  const due: FailedFile[] = [];
  const attempt = async <T>(path: string, what: string, finish: () => Promise<T>): Promise<T | null> => {
    try {
      return await finish();
    } catch (error) {
      host.signal.throwIfAborted();
      const reason = toObstacle(error);
      if (reason === null) throw error;
      due.push({ path, reason: `${what}: ${reason}` });
      return null;
    }
  };
  const isDue = await withIndex(host, ({ db }) => isWipeDue(db));
  const isWiped = await attempt(host.indexPath, 'forgotten text may still be in its free pages', async () => {
    const wipeAll = (store: Store) => {
      deleteUnpacked(host.indexPath);
      return wipeSettled(store);
    };
    if (isDue && !(await withLockedIndex(host, wipeAll)))
      throw new UserError('another recall is reading it', { code: 'index-busy' });
    return true;
  });
  const archived = await attempt(host.archivePath, 'copies of forgotten sessions may still be in it', () =>
    deleteForgotten(host, options),
  );
  return { archived: archived ?? 0, isWiped: isWiped ?? false, due };
}

/** A session may have been titled by a summary that was in a forgotten one. */
export function wipeSettled(store: Store): boolean {
  settleSessions(store);
  return wipe(store);
}

/** Returns of how many sessions copies were deleted. */
async function deleteForgotten(host: Host, options: FinishOptions): Promise<number> {
  const { archivePath: archive } = host;
  const find = () =>
    withIndex(host, ({ db }) => {
      const marks = readMarks(archive);
      const isDue = options.isThorough || marks.names.length > 0 || !isCleaned(db, archive);
      if (!isDue || !existsSync(archive)) return null;
      const owners = new Map(agents.map((agent) => [agent, readForgottenOwners(db, agent)]));
      const isLost = marks.names.length === 0 ? () => false : toIsLost(db);
      // A session that is in the index was marked by a run that ended before it forgot it.
      const isForgotten: IsMarked = (agent, owner) =>
        owners.get(agent)?.has(owner) || (marks.isMarked(agent, owner) && isLost(agent, owner));
      const found = findForgottenCopies(archive, isForgotten);
      return { marks, found, isForgotten, tombstones: countTombstones(db) };
    });
  const first = await find();
  if (first === null) return 0;
  const { marks, found } = first;
  const deleteFound = async () => {
    // Found again: what another recall has kept before the index forgot it is there now.
    const now = (await find()) ?? first;
    await deleteForgottenCopies(now.found);
    await dropFacts(archive, (agent, owner) => now.isForgotten(agent as AgentName, owner));
    for (const name of now.marks.names) rmSync(`${archive}/${name}`, { force: true });
    return now;
  };
  // Where nothing is, no lock either, which makes a file for itself.
  const isLeft = found.copies.length > 0 || found.snapshots.length > 0 || marks.names.length > 0;
  const finished = isLeft
    ? await holdLock(host, 'archive', deleteFound, options.isWaiting ? undefined : 0)
    : first;
  await withIndex(host, ({ db }) => {
    if (!isCleaned(db, archive)) saveCleaned(db, archive, finished.tombstones);
  });
  return finished.found.sessions;
}

function toIsLost(db: Store['db']): IsMarked {
  const known = new Set(readArchivedFacts(db).map(({ agent, nativeId }) => toSessionKey(agent, nativeId)));
  return (agent, owner) => !known.has(toOwnerKey(agent, owner));
}
