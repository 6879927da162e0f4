// Brings the index up to date on purpose, once or for as long as it is watched.

import type { IndexReport } from '../../indexing/report.ts';
import { withStore } from '../../store/open/open-store.ts';
import { type IndexTotals, readTotals } from '../../store/read/index-facts.ts';
import type { Host } from '../host.ts';
import { holdIndexLock } from './hold-index-lock.ts';
import { update, wholeUpdate } from './update.ts';
import { upgradeOptions } from './upgrade-options.ts';

export interface IndexRequest {
  /** Read every transcript again; sessions whose transcript is gone are kept. */
  readonly rebuild?: boolean | undefined;
  /** Start or stop keeping secrets out of the index, from now on. */
  readonly redact?: boolean | undefined;
}

export interface IndexAnswer {
  readonly report: IndexReport;
  readonly total: IndexTotals;
  readonly tookMs: number;
}

export function indexNow(host: Host, { rebuild = false, redact }: IndexRequest): Promise<IndexAnswer> {
  return updateOnce(host, { ...wholeUpdate, rebuild, redact });
}

/** Until the host's signal; `onChanged` gets what each run found that was new. */
export async function watch(host: Host, onChanged: (answer: IndexAnswer) => void): Promise<void> {
  const { watchRoots } = await import('../../indexing/watch-roots.ts');
  await watchRoots(host.roots(), host.signal, async () => {
    const answer = await updateOnce(host, { ...wholeUpdate, trustFolders: true });
    if (answer.report.hasChanges) onChanged(answer);
  });
}

/** The index is opened under the lock: a repair that had it until now has put another file in its place. */
async function updateOnce(host: Host, manner: Parameters<typeof update>[3]): Promise<IndexAnswer> {
  const startedAt = host.elapsedMs();
  const roots = host.roots();
  return holdIndexLock(host, () =>
    withStore(
      host.indexPath,
      async (store) => {
        const report = await update(host, store, roots, manner);
        return { report, total: readTotals(store.db), tookMs: host.elapsedMs() - startedAt };
      },
      upgradeOptions(host, { isLocked: true }),
    ),
  );
}
