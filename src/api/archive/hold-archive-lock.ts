// Runs something while nobody else writes to the archive, waiting for another recall if there is one.

import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../errors.ts';
import { acquireIndexLock, isLocked } from '../../store/open/open-store.ts';
import type { Host } from '../host.ts';

const maxWaitMs = 10 * 60_000;
const pollMs = 200;

/** Null while another process holds it. */
export function acquireArchiveLock({ archivePath, pid }: Host): { release(): void } | null {
  const lock = acquireIndexLock(`${archivePath}/`, pid, 0);
  return isLocked(lock) ? lock : null;
}

export async function holdArchiveLock<T>(host: Host, run: () => Promise<T>): Promise<T> {
  const startedAt = host.elapsedMs();
  for (let isReported = false; ; isReported = true) {
    const lock = acquireArchiveLock(host);
    if (lock !== null) {
      try {
        return await run();
      } finally {
        lock.release();
      }
    }
    if (host.elapsedMs() - startedAt > maxWaitMs)
      throw new UserError('another recall has been archiving for more than ten minutes', {
        code: 'archive-busy',
        hint: 'try again later',
      });
    if (!isReported) host.onEvent({ type: 'waiting-for-archive' });
    await sleep(pollMs, undefined, { signal: host.signal });
  }
}
