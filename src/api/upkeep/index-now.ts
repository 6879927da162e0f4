// Brings the index up to date on request, once or continuously.

import { existsSync } from 'node:fs';
import type { IndexReport } from '../../indexing/update-index.ts';
import { type Store, withStore } from '../../store/open/open-store.ts';
import {
  type AgentTotals,
  type IndexTotals,
  readAgentTotals,
  readTotals,
} from '../../store/read/index-facts.ts';
import type { ArchiveReport } from '../archive/keep.ts';
import type { Host } from '../host.ts';
import { holdIndexLock } from './hold-index-lock.ts';
import { findPoorYields, type NamedYield } from './poor-yields.ts';
import { fullUpdate, update } from './update.ts';
import { upgradeOptions } from './upgrade-options.ts';

export interface IndexRequest {
  /** Read every transcript again; sessions whose transcript was deleted are kept. */
  readonly rebuild?: boolean | undefined;
  /** Start or stop keeping secrets out of the index, from now on. */
  readonly redact?: boolean | undefined;
  /** Also bring the archive up to date, if it is on; defaults to true. */
  readonly archive?: boolean | undefined;
}

export interface IndexAnswer {
  readonly report: IndexReport;
  /** Null where the archive is off, or was left out. */
  readonly archive: ArchiveReport | null;
  readonly total: IndexTotals;
  /** What the index holds of each agent. */
  readonly agents: readonly AgentTotals[];
  /** Agents whose transcripts give no messages, or far fewer than before; empty where no transcript was new. */
  readonly poorYields: readonly NamedYield[];
  readonly tookMs: number;
}

export function indexNow(host: Host, request: IndexRequest): Promise<IndexAnswer> {
  const { rebuild = false, redact, archive = true } = request;
  return updateOnce(host, { ...fullUpdate, rebuild, redact }, archive);
}

/** Runs until the host's signal; `onChanged` is called after each run that changed something. */
export async function watch(
  host: Host,
  inTurn: <T>(update: () => Promise<T>) => Promise<T>,
  onChanged: (answer: IndexAnswer) => void,
): Promise<void> {
  const { watchRoots } = await import('../../indexing/watch-roots.ts');
  await watchRoots(host.roots(), host.signal, async () => {
    const answer = await inTurn(() => updateOnce(host, { ...fullUpdate, trustFolders: true }, true));
    if (answer.report.hasChanges) onChanged(answer);
  });
}

/**
 * The index is opened under the lock: a repair that held the lock before may have replaced the file. The archive comes
 * after the lock is given back, so that searches are answered from an index that is up to date.
 */
async function updateOnce(
  host: Host,
  options: Parameters<typeof update>[3],
  archives: boolean,
): Promise<IndexAnswer> {
  const startedAt = host.elapsedMs();
  const roots = host.roots();
  const answer = await holdIndexLock(host, () =>
    withStore(
      host.indexPath,
      async (store) => {
        // Before the update: while it is not done, the next run must see that it is not.
        const fromArchive = await takeIn(host, store);
        const report = await update(host, store, roots, options);
        report.fromArchive = fromArchive;
        return {
          report,
          total: readTotals(store.db),
          agents: readAgentTotals(store.db),
          // It walks through all sessions; `doctor` has it at any time.
          poorYields: report.files.new + report.files.rewritten > 0 ? findPoorYields(store.db) : [],
          tookMs: host.elapsedMs() - startedAt,
        };
      },
      upgradeOptions(host, { isLocked: true }),
    ),
  );
  const keeps = archives && host.config().archive === true;
  return { ...answer, archive: keeps ? await keep(host, answer.report.looked) : null };
}

/** Where there is no archive, the code for it is not loaded. */
async function takeIn(host: Host, store: Store): Promise<number> {
  if (!existsSync(host.archivePath)) return 0;
  return (await import('../archive/take-in.ts')).takeIn(host, store);
}

async function keep(host: Host, looked: IndexReport['looked']): Promise<ArchiveReport> {
  return (await import('../archive/keep.ts')).keepLooked(host, looked);
}
