// Runs something while holding the index lock, waiting for another indexer when there is one.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../command-line/context.ts';
import { UserError } from '../errors.ts';
import { acquireIndexLock, isLocked } from '../store/open/index-lock.ts';

const maxWaitMs = 10 * 60_000;
const pollMs = 200;

export async function holdIndexLock<T>(context: Context, run: () => Promise<T>): Promise<T> {
  const startedAt = context.now().getTime();
  let hasSaidSo = false;
  for (;;) {
    const lock = acquireIndexLock(context.indexPath, context.pid, 0);
    if (isLocked(lock)) {
      try {
        return await run();
      } finally {
        lock.release();
      }
    }
    const holder = lock.holderPid === 0 ? 'another recall' : `another recall (process ${lock.holderPid})`;
    if (context.now().getTime() - startedAt > maxWaitMs) {
      throw new UserError(`${holder} has been indexing for more than ten minutes`, {
        code: 'index-busy',
        hint: 'try again later; searching works meanwhile',
      });
    }
    if (!hasSaidSo) context.note(`${holder} is indexing; waiting for it`);
    hasSaidSo = true;
    await sleep(pollMs, undefined, { signal: context.signal });
  }
}
