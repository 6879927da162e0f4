// Brings the index up to date before a question is answered, within a small budget of time: the newest files come
// first, so what was just written is found, and what is left is said.

import type { Context } from '../command-line/context.ts';
import { readConfig } from '../config.ts';
import { UserError } from '../errors.ts';
import { hasChanges, type LookedAt, lookAtRoots, quickLook } from '../indexing/look.ts';
import { toPrintableLine } from '../render/printable.ts';
import { formatNumbered } from '../render/quantities.ts';
import type { Freshness } from '../render/sessions/hits-json.ts';
import { acquireIndexLock, isLocked } from '../store/open/index-lock.ts';
import type { Store } from '../store/open/open-store.ts';
import { toStoreError } from '../store/open/store-error.ts';
import { isRedacting } from '../store/read/setting.ts';
import { readTotals } from '../store/read/totals.ts';

const budgetMs = 1500;
/** Another indexer is doing the same work; a moment is usually enough for what is newest. */
const lockWaitMs = 300;

const notRefreshed: Freshness = { refreshed: false, pendingFiles: 0 };
const upToDate: Freshness = { refreshed: true, pendingFiles: 0 };

export async function refresh(context: Context, store: Store): Promise<Freshness> {
  // The very first time there is nothing to search yet, so all of it is worth waiting for.
  const isFirst = readTotals(store.db).sessions === 0;
  try {
    const look = { ...quickLook, nowMs: context.now().getTime(), rebuild: false };
    const roots = context.roots().map((path) => ({ agent: 'claude', path }) as const);
    const lookedAt = isFirst ? undefined : lookAtRoots(store.db, roots, look);
    const isChanged =
      lookedAt === undefined ||
      hasChanges(lookedAt) ||
      (readConfig(context.at).redact && !isRedacting(store.db));
    if (!isChanged) return upToDate;
    if (isFirst) {
      const { holdIndexLock } = await import('./hold-index-lock.ts');
      return await holdIndexLock(context, () => update(context, store, Number.POSITIVE_INFINITY));
    }
    const lock = acquireIndexLock(context.indexPath, context.pid, lockWaitMs);
    if (!isLocked(lock)) {
      context.note('recall: another recall is indexing; searching what is there already');
      return notRefreshed;
    }
    try {
      return await update(context, store, context.elapsedMs() + budgetMs, lookedAt);
    } finally {
      lock.release();
    }
  } catch (error) {
    // The transcripts, or the right to write, may be gone while what was indexed can still be searched.
    const reason = toStoreError(error, context.indexPath);
    if (isFirst || !(reason instanceof UserError)) throw reason;
    context.note(`recall: ${reason.message}; searching what is there already`);
    return notRefreshed;
  }
}

async function update(
  context: Context,
  store: Store,
  deadline: number,
  lookedAt?: LookedAt,
): Promise<Freshness> {
  const { updateWithProgress } = await import('../command-line/update-with-progress.ts');
  const report = await updateWithProgress(context, store, context.roots(), {
    rebuild: false,
    ...quickLook,
    isBounded: Number.isFinite(deadline),
    isTimeUp: () => context.elapsedMs() > deadline,
    lookedAt,
  });
  if (context.verbose)
    for (const { path, reason } of report.failures)
      context.warn(`recall: ${toPrintableLine(path)}: ${reason}`);
  if (report.pendingFiles > 0) {
    context.note(
      `recall: ${formatNumbered(report.pendingFiles, 'changed file')} left for later: recall index`,
    );
  }
  const { pendingFiles, unseen } = report;
  if (unseen.length === 0) return { refreshed: true, pendingFiles };
  const { toUnseenNote } = await import('./unseen-note.ts');
  context.note(`recall: ${toUnseenNote(unseen)}; searching what is there already`);
  return { refreshed: false, pendingFiles };
}
