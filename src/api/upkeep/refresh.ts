// Brings the index up to date before a question is answered, within a small time budget: the newest files
// come first, so that what was just written is found, and the number of files left is reported.

import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '../../errors.ts';
import { hasChanges, type LookedAt, lookAtRoots, quickLook } from '../../indexing/look.ts';
import type { FailedFile } from '../../indexing/report.ts';
import { acquireIndexLock, isLocked } from '../../store/open/index-lock.ts';
import type { Store } from '../../store/open/open-store.ts';
import { toStoreError } from '../../store/open/store-error.ts';
import { isRedacting, keepsWork, readTotals } from '../../store/read/index-facts.ts';
import type { Host } from '../host.ts';

export interface Freshness {
  readonly refreshed: boolean;
  /** How many changed files there was no time for. */
  readonly pendingFiles: number;
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

const budgetMs = 1500;
/** If another indexer is doing the same work, a moment is usually enough for the newest files. */
const lockWaitMs = 300;

const upToDate: Freshness = { refreshed: true, pendingFiles: 0, obstacle: null, failures: [] };
/** The files were not checked. */
export const notRefreshed: Freshness = { ...upToDate, refreshed: false };

export async function refresh(host: Host, store: Store): Promise<Freshness> {
  // The very first time there is nothing to search yet, so it waits until everything is indexed.
  const isFirst = readTotals(store.db).sessions === 0;
  try {
    const look = { ...quickLook, nowMs: host.now().getTime(), rebuild: false };
    const lookedAt = isFirst ? undefined : lookAtRoots(store.db, host.roots(), look);
    const isChanged =
      lookedAt === undefined ||
      hasChanges(lookedAt) ||
      (host.config().redact && !isRedacting(store.db)) ||
      host.config().done !== keepsWork(store.db);
    if (!isChanged) return upToDate;
    if (isFirst) {
      const { holdIndexLock } = await import('./hold-index-lock.ts');
      return await holdIndexLock(host, () => updateUntil(host, store, Number.POSITIVE_INFINITY));
    }
    const lock = acquireIndexLock(host.indexPath, host.pid, lockWaitMs);
    if (!isLocked(lock)) return { ...notRefreshed, obstacle: { type: 'busy' } };
    try {
      return await updateUntil(host, store, host.elapsedMs() + budgetMs, lookedAt);
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

async function updateUntil(
  host: Host,
  store: Store,
  deadline: number,
  lookedAt?: LookedAt,
): Promise<Freshness> {
  const { update } = await import('./update.ts');
  const { pendingFiles, unseen, failures } = await update(host, store, host.roots(), {
    rebuild: false,
    ...quickLook,
    isBounded: Number.isFinite(deadline),
    isTimeUp: () => host.elapsedMs() > deadline,
    lookedAt,
  });
  const isSeen = unseen.length === 0;
  return {
    refreshed: isSeen,
    pendingFiles,
    obstacle: isSeen ? null : { type: 'unseen', places: findDenying(unseen) },
    failures,
  };
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
