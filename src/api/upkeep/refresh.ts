// Brings the index up to date before a question is answered, within a small time budget: the newest files
// come first, so that what was just written is found, and the number of files left is reported.

import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '../../errors.ts';
import { hasChanges, lookAtRoots, quickLook } from '../../indexing/look.ts';
import type { FailedFile } from '../../indexing/report.ts';
import { isLocked, type Store } from '../../store/open/open-store.ts';
import { toStoreError } from '../../store/open/store-error.ts';
import { isRedacting, keepsWork, readTotals } from '../../store/read/index-facts.ts';
import type { Host } from '../host.ts';
import { acquireLock } from './locks.ts';

export interface Freshness {
  readonly refreshed: boolean;
  /** How many new and changed files there was no time for, and how much of them is unread. */
  readonly pendingFiles: number;
  readonly pendingBytes: number;
  /** Those of the files that are indexed, and only have to be read again. */
  readonly pendingAgain: number;
  /** Why something new may be missing although there was time. */
  readonly obstacle: FreshnessObstacle | null;
  /** Files that could not be read. */
  readonly failures: readonly FailedFile[];
}

export type FreshnessObstacle =
  | { readonly type: 'busy' }
  | { readonly type: 'failed'; readonly message: string }
  /** The outermost folders that could not be read. */
  | { readonly type: 'unseen'; readonly places: readonly FailedFile[] };

/** If another indexer is doing the same work, a moment is usually enough for the newest files. */
const eachTime = { budgetMs: 1500, lockWaitMs: 300 } as const;
/**
 * There is nothing to search yet. The first answer is to come within three seconds, and it still has to settle the
 * sessions that were read, and to search.
 */
const firstTime = { budgetMs: 1700, lockWaitMs: 1700 } as const;
/** However long it took to look at the files: otherwise a very large home would never be read. */
const leastMs = 500;

const upToDate: Freshness = {
  refreshed: true,
  pendingFiles: 0,
  pendingBytes: 0,
  pendingAgain: 0,
  obstacle: null,
  failures: [],
};
/** The files were not checked. */
export const notRefreshed: Freshness = { ...upToDate, refreshed: false };

/** `wanted` is the id of a session that should be in the index afterwards, if it is on disk at all. */
export async function refresh(host: Host, store: Store, wanted?: string): Promise<Freshness> {
  const isFirst = readTotals(store.db).sessions === 0;
  const { budgetMs, lockWaitMs } = isFirst ? firstTime : eachTime;
  try {
    const startedAt = host.elapsedMs();
    const look = { ...quickLook, nowMs: host.now().getTime(), rebuild: false };
    const lookedAt = lookAtRoots(store.db, host.roots(), look);
    const isChanged =
      hasChanges(lookedAt) ||
      (host.config().redact && !isRedacting(store.db)) ||
      host.config().done !== keepsWork(store.db);
    if (!isChanged) return upToDate;
    const lock = acquireLock(host, 'index', lockWaitMs);
    if (!isLocked(lock)) return { ...notRefreshed, obstacle: { type: 'busy' } };
    try {
      const deadline = Math.max(startedAt + budgetMs, host.elapsedMs() + leastMs);
      const { update } = await import('./update.ts');
      const { pendingFiles, pendingBytes, pendingAgain, unseen, failures } = await update(
        host,
        store,
        host.roots(),
        {
          ...quickLook,
          rebuild: false,
          lookedAt,
          wanted,
          isBounded: true,
          isTimeUp: (share = 1) => host.elapsedMs() > deadline - (1 - share) * budgetMs,
        },
      );
      const refreshed = unseen.length === 0;
      const obstacle = refreshed ? null : { type: 'unseen' as const, places: findDenying(unseen) };
      return { refreshed, pendingFiles, pendingBytes, pendingAgain, obstacle, failures };
    } finally {
      lock.release();
    }
  } catch (error) {
    // The transcripts, or the permission to write, may be gone, but what was indexed can still be searched.
    const reason = toStoreError(error, host.indexPath);
    if (isFirst || !(reason instanceof UserError)) throw reason;
    return { ...notRefreshed, obstacle: { type: 'failed', message: reason.message } };
  }
}

/** There may be thousands of unreadable files and folders: only the folders that deny access are named. */
function findDenying(unseen: readonly FailedFile[]): FailedFile[] {
  const reasons = new Map<string, string>();
  for (const { path, reason } of unseen) reasons.set(findOutermost(path), reason);
  return [...reasons].map(([path, reason]) => ({ path, reason }));
}

/** The outermost folder that cannot be entered; otherwise the path itself. */
function findOutermost(path: string): string {
  const parent = dirname(path);
  return parent === path || isPassable(parent) ? path : findOutermost(parent);
}

function isPassable(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
