// Brings an open index up to date with the folders. The caller holds the index lock.

import { UserError } from '../../errors.ts';
import { type IndexReport, type UpdateOptions, updateIndex } from '../../indexing/update-index.ts';
import type { Root } from '../../records.ts';
import type { Store } from '../../store/open/open-store.ts';
import { isRedacting, keepsWork } from '../../store/read/index-facts.ts';
import type { Host } from '../host.ts';

/** Check everything, however long it takes. */
export const fullUpdate = {
  rebuild: false,
  isBounded: false,
  isTimeUp: () => false,
  trustFolders: false,
  quietLooks: Number.POSITIVE_INFINITY,
} as const;

type UpdateRequest = Pick<
  UpdateOptions,
  'rebuild' | 'isBounded' | 'isTimeUp' | 'trustFolders' | 'quietLooks' | 'lookedAt' | 'wanted'
> & {
  /** Start or stop keeping secrets out of the index; undefined changes nothing. */
  readonly redact?: boolean | undefined;
};

export async function update(
  host: Host,
  store: Store,
  roots: readonly Root[],
  { redact, ...options }: UpdateRequest,
): Promise<IndexReport> {
  await applyRedaction(host, store, redact);
  await applyDone(host, store);
  const { signal, threads } = host;
  try {
    return await updateIndex(store, roots, {
      ...options,
      signal,
      threads,
      nowMs: host.now().getTime(),
      onProgress: (progress) => host.onEvent({ type: 'progress', progress }),
    });
  } finally {
    host.onEvent({ type: 'progress-end' });
  }
}

/**
 * Starts or stops keeping secrets out of the index, depending on the request and the configuration. The index
 * remembers it, so that every later refresh does the same. The configuration can start it; only a request can
 * stop it.
 */
async function applyRedaction(host: Host, store: Store, requested: boolean | undefined): Promise<void> {
  const { redact: isConfigured, path } = host.config();
  if (isConfigured && requested === false) {
    throw new UserError(`${path} turns redaction on`, {
      code: 'usage',
      hint: 'remove "redact" from it first',
    });
  }
  const isWanted = requested ?? (isConfigured || undefined);
  if (isWanted === undefined || isWanted === isRedacting(store.db)) return;
  const { startRedacting, stopRedacting } = await import('../../store/upkeep/privacy.ts');
  if (isWanted) {
    const { rows, isWiped } = await startRedacting(store);
    host.onEvent({ type: 'redacted', texts: rows, isWiped });
  } else {
    stopRedacting(store.db);
    host.onEvent({ type: 'redaction-stopped' });
  }
}

/** Starts or stops indexing what was done, as the configuration says. */
async function applyDone(host: Host, store: Store): Promise<void> {
  const { done } = host.config();
  if (done === keepsWork(store.db)) return;
  const { startKeepingWork, stopKeepingWork } = await import('../../store/upkeep/privacy.ts');
  if (done) startKeepingWork(store.db);
  else host.onEvent({ type: 'redacted', texts: 0, isWiped: stopKeepingWork(store) });
}
