// Opens the index for a question, brings it up to date first unless told not to, and closes it again.

import type { Context } from '../command-line/context.ts';
import type { Freshness } from '../render/sessions/hits-json.ts';
import { type Store, withStore } from '../store/open/open-store.ts';
import { upgradeOptions } from './upgrade-options.ts';

export interface FreshnessFlags {
  readonly refresh?: boolean;
}

export async function withFreshStore<T>(
  context: Context,
  flags: FreshnessFlags,
  use: (store: Store, freshness: Freshness) => T,
): Promise<T> {
  const refreshAndUse = async (store: Store) => {
    const freshness =
      flags.refresh === false
        ? { refreshed: false, pendingFiles: 0 }
        : await (await import('./refresh.ts')).refresh(context, store);
    return use(store, freshness);
  };
  return withStore(context.indexPath, refreshAndUse, upgradeOptions(context));
}
