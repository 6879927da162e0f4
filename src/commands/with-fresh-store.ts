// Opens the index for a question, brings it up to date first unless told not to, and closes it again.

import type { Freshness } from '../render/hits-json.ts';
import { type Store, withStore } from '../store/open-store.ts';
import type { Context } from './context.ts';

export interface FreshnessFlags {
  readonly refresh?: boolean;
}

export async function withFreshStore<T>(
  context: Context,
  flags: FreshnessFlags,
  use: (store: Store, freshness: Freshness) => T,
): Promise<T> {
  return withStore(context.indexPath, async (store) => {
    const freshness =
      flags.refresh === false
        ? { refreshed: false, pendingFiles: 0 }
        : await (await import('./refresh.ts')).refresh(context, store);
    return use(store, freshness);
  });
}
