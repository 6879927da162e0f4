// Runs something while holding the index lock, waiting for another indexer if there is one.

import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../errors.ts';
import { acquireIndexLock, isLocked } from '../../store/open/open-store.ts';
import type { Host } from '../host.ts';

const maxWaitMs = 10 * 60_000;
const pollMs = 200;

export async function holdIndexLock<T>(host: Host, run: () => Promise<T>): Promise<T> {
  const startedAt = host.elapsedMs();
  let hasReported = false;
  for (;;) {
    const lock = acquireIndexLock(host.indexPath, host.pid, 0);
    if (isLocked(lock)) {
      try {
        return await run();
      } finally {
        lock.release();
      }
    }
    if (host.elapsedMs() - startedAt > maxWaitMs) {
      throw new UserError(`${toHolder(lock.holderPid)} has been indexing for more than ten minutes`, {
        code: 'index-busy',
        hint: 'try again later; searching works in the meantime',
      });
    }
    if (!hasReported) host.onEvent({ type: 'waiting', holderPid: lock.holderPid });
    hasReported = true;
    await sleep(pollMs, undefined, { signal: host.signal });
  }
}

export function toHolder(pid: number): string {
  return pid === 0 ? 'another recall' : `another recall (process ${pid})`;
}
