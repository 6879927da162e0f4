// Options for openStore: how an index of an older recall is upgraded when it is opened, under the index lock
// and with progress events.

import type { OpenOptions, UpgradeOptions } from '../../store/open/open-store.ts';
import type { Host } from '../host.ts';

/** `isLocked`: the caller already holds the index lock. */
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
