// Runs something while nobody else writes to the index or to the archive, waiting for another recall if there is one; and opens
// the index, upgrading one of an older recall under its lock.

import { setTimeout as sleep } from 'node:timers/promises';
import { NotWritable, toReason, UserError } from '../../errors.ts';
import {
  acquireIndexLock,
  isLocked,
  type OpenOptions,
  type Store,
  type UpgradeOptions,
  withStore,
} from '../../store/open/open-store.ts';
import { toStoreError } from '../../store/open/store-error.ts';
import type { Host } from '../host.ts';

const maxWaitMs = 10 * 60_000;
const pollMs = 200;

export function acquireLock(host: Host, what: 'index' | 'archive', waitMs = 0) {
  const path = what === 'index' ? host.indexPath : `${host.archivePath}/`;
  return acquireIndexLock(path, host.pid, waitMs);
}

/** What keeps a file or folder from being read or written, such as a full disk or a lock; null for a fault of recall's own. */
export function toObstacle(error: unknown): string | null {
  const reason = toStoreError(error, '');
  if (reason instanceof UserError) return toReason(reason.cause ?? reason);
  const isOfSystem = typeof (error as NodeJS.ErrnoException).syscall === 'string';
  return isOfSystem || error instanceof NotWritable ? toReason(error) : null;
}

export async function holdLock<T>(
  host: Host,
  what: 'index' | 'archive',
  run: () => T | Promise<T>,
  waitMs = maxWaitMs,
): Promise<T> {
  const startedAt = host.elapsedMs();
  for (let hasReported = false; ; hasReported = true) {
    const lock = acquireLock(host, what);
    if (isLocked(lock)) {
      try {
        return await run();
      } finally {
        lock.release();
      }
    }
    const { holderPid } = lock;
    if (host.elapsedMs() - startedAt >= waitMs) throw busyError(what, holderPid, waitMs);
    if (!hasReported)
      host.onEvent(what === 'index' ? { type: 'waiting', holderPid } : { type: 'waiting-for-archive' });
    await sleep(pollMs, undefined, { signal: host.signal });
  }
}

function busyError(what: 'index' | 'archive', pid: number, waitMs: number): UserError {
  const holder = what === 'archive' || pid === 0 ? 'another recall' : `another recall (process ${pid})`;
  const doing = what === 'archive' ? 'archiving' : 'indexing';
  const message =
    waitMs === 0
      ? `${holder} is ${doing}`
      : `${holder} has been ${doing} for more than ${waitMs / 60_000} minutes`;
  const meanwhile = what === 'archive' ? '' : '; searching works in the meantime';
  return new UserError(message, { code: `${what}-busy`, hint: `try again later${meanwhile}` });
}

/** Opens the index under its lock, rather than before: a repair that held the lock before may have replaced the file. */
export function withLockedIndex<T>(host: Host, run: (store: Store) => T | Promise<T>): Promise<T> {
  return holdLock(host, 'index', () => withIndex(host, run, { isLocked: true }));
}

export function withIndex<T>(
  host: Host,
  run: (store: Store) => T | Promise<T>,
  options?: { readonly isLocked: boolean },
): Promise<T> {
  return withStore(host.indexPath, run, upgradeOptions(host, options));
}

/** How an index of an older recall is upgraded when it is opened. `isLocked`: the caller already holds the index lock. */
export function upgradeOptions(host: Host, { isLocked = false } = {}): OpenOptions {
  return {
    upgrade: (run) => (isLocked ? upgrade(host, run) : holdLock(host, 'index', () => upgrade(host, run))),
  };
}

async function upgrade(host: Host, run: (options: UpgradeOptions) => Promise<void>): Promise<void> {
  let hasStarted = false;
  try {
    await run({
      signal: host.signal,
      onProgress: (progress) => {
        // Only if there is something to do: the previous holder of the lock may have done it already.
        if (!hasStarted) host.onEvent({ type: 'upgrade' });
        hasStarted = true;
        host.onEvent({ type: 'upgrading', progress });
      },
    });
  } finally {
    if (hasStarted) host.onEvent({ type: 'progress-end' });
  }
}
