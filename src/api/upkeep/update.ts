// Brings the index up to date with the folders: on request, once or continuously, and with it the archive; or for a refresh,
// which says how long it may take.

import { existsSync } from 'node:fs';
import { UserError } from '../../errors.ts';
import type { IndexReport } from '../../indexing/report.ts';
import { type UpdateOptions, updateIndex } from '../../indexing/update-index.ts';
import type { Root } from '../../records.ts';
import { getSource } from '../../sources/index.ts';
import type { Store } from '../../store/open/open-store.ts';
import {
  type AgentTotals,
  isRedacting,
  keepsWork,
  type PoorYield,
  readAgentTotals,
  readPoorYields,
  readTotals,
} from '../../store/read/index-facts.ts';
import type { IndexTotals } from '../../store/word-index.ts';
import type { ArchiveReport } from '../archive/keep.ts';
import type { Host } from '../host.ts';
import { withLockedIndex } from './locks.ts';

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
  return updateWithArchive(host, { ...fullUpdate, rebuild, redact }, archive);
}

/** Runs until the host's signal; `onChanged` is called after each run that changed something. */
export async function watch(
  host: Host,
  inTurn: <T>(update: () => Promise<T>) => Promise<T>,
  onChanged: (answer: IndexAnswer) => void,
): Promise<void> {
  const { watchRoots } = await import('../../indexing/watch-roots.ts');
  await watchRoots(host.roots(), host.signal, async () => {
    const answer = await inTurn(() => updateWithArchive(host, { ...fullUpdate, trustFolders: true }, true));
    if (answer.report.hasChanges) onChanged(answer);
  });
}

/** The archive comes after the lock is given back, so that searches are answered from an index that is up to date. */
async function updateWithArchive(
  host: Host,
  request: UpdateRequest,
  archives: boolean,
): Promise<IndexAnswer> {
  const startedAt = host.elapsedMs();
  const roots = host.roots();
  const answer = await withLockedIndex(host, async (store) => {
    // Before the update: while it is not done, the next run must see that it is not. Without an archive, its code is not loaded.
    const fromArchive = existsSync(host.archivePath)
      ? await (await import('../archive/index-copies.ts')).indexCopies(host, store)
      : 0;
    const report = await update(host, store, roots, request);
    report.fromArchive = fromArchive;
    return {
      report,
      total: readTotals(store.db),
      agents: readAgentTotals(store.db),
      // It walks through all sessions; `doctor` has it at any time.
      poorYields: report.files.new + report.files.rewritten > 0 ? findPoorYields(store.db) : [],
      tookMs: host.elapsedMs() - startedAt,
    };
  });
  if (!archives || host.config().archive !== true) return { ...answer, archive: null };
  const { keepLooked } = await import('../archive/keep.ts');
  return { ...answer, archive: await keepLooked(host, answer.report.looked) };
}

export interface NamedYield extends PoorYield {
  /** What people call the program. */
  readonly program: string;
}

/** Agents whose transcripts may no longer be understood. */
export function findPoorYields(db: Store['db']): NamedYield[] {
  return readPoorYields(db).map((found) => ({ ...found, program: getSource(found.agent).name }));
}

/** Check everything, however long it takes. */
export const fullUpdate = {
  rebuild: false,
  isBounded: false,
  isTimeUp: () => false,
  trustFolders: false,
  quietLooks: Number.POSITIVE_INFINITY,
} as const;

type UpdateRequest = Omit<UpdateOptions, 'signal' | 'threads' | 'nowMs' | 'onProgress'> & {
  /** Start or stop keeping secrets out of the index; undefined changes nothing. */
  readonly redact?: boolean | undefined;
};

/** The caller holds the index lock. */
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
