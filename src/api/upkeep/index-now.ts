// Brings the index up to date on request, once or continuously.

import type { IndexReport } from '../../indexing/report.ts';
import { withStore } from '../../store/open/open-store.ts';
import { type IndexTotals, readTotals } from '../../store/read/index-facts.ts';
import type { Host } from '../host.ts';
import { holdIndexLock } from './hold-index-lock.ts';
import { fullUpdate, update } from './update.ts';
import { upgradeOptions } from './upgrade-options.ts';

export interface IndexRequest {
  /** Read every transcript again; sessions whose transcript was deleted are kept. */
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
  return updateOnce(host, { ...fullUpdate, rebuild, redact });
}

/** Runs until the host's signal; `onChanged` is called after each run that changed something. */
export async function watch(
  host: Host,
  inTurn: <T>(update: () => Promise<T>) => Promise<T>,
  onChanged: (answer: IndexAnswer) => void,
): Promise<void> {
  const { watchRoots } = await import('../../indexing/watch-roots.ts');
  await watchRoots(host.roots(), host.signal, async () => {
    const answer = await inTurn(() => updateOnce(host, { ...fullUpdate, trustFolders: true }));
    if (answer.report.hasChanges) onChanged(answer);
  });
}

/** The index is opened under the lock: a repair that held the lock before may have replaced the file. */
async function updateOnce(host: Host, options: Parameters<typeof update>[3]): Promise<IndexAnswer> {
  const startedAt = host.elapsedMs();
  const roots = host.roots();
  return holdIndexLock(host, () =>
    withStore(
      host.indexPath,
      async (store) => {
        const report = await update(host, store, roots, options);
        return { report, total: readTotals(store.db), tookMs: host.elapsedMs() - startedAt };
      },
      upgradeOptions(host, { isLocked: true }),
    ),
  );
}
