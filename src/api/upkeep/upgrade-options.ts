// How an index that an older recall has left is upgraded when it is opened: under the index lock, saying how far it has
// come. For openStore.

import type { OpenOptions, UpgradeOptions } from '../../store/open/open-store.ts';
import type { Host } from '../host.ts';

/** `isLocked`: the caller holds the index lock already. */
export function upgradeOptions(host: Host, { isLocked = false } = {}): OpenOptions {
  return {
    upgrade: async (run) => {
      if (isLocked) return upgrade(host, run);
      const { holdIndexLock } = await import('./hold-index-lock.ts');
      return holdIndexLock(host, () => upgrade(host, run));
    },
  };
}

async function upgrade(host: Host, run: (options: UpgradeOptions) => Promise<void>): Promise<void> {
  let isBegun = false;
  try {
    await run({
      signal: host.signal,
      onProgress: (progress) => {
        // Not before there is something to do: whoever had the lock until now may have done it.
        if (!isBegun) host.onEvent({ type: 'upgrade' });
        isBegun = true;
        host.onEvent({ type: 'upgrading', progress });
      },
    });
  } finally {
    if (isBegun) host.onEvent({ type: 'progress-end' });
  }
}
