// Brings the index up to date with the folders: on request, once or continuously, and with it the archive; or before a question is
// answered, within a small time budget, the newest files first.

import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasMarks } from '../../archive/layout.ts';
import { toReason, UserError } from '../../errors.ts';
import { hasJoined } from '../../hub/settings.ts';
import { hasChanges, lookAtRoots } from '../../indexing/look.ts';
import type { IndexReport } from '../../indexing/report.ts';
import type { UpdateOptions } from '../../indexing/update-index.ts';
import type { FailedFile, Root } from '../../records.ts';
import { getSource } from '../../sources/index.ts';
import { areLabelsCopied, copyLabels, findLabelsPath } from '../../store/labels.ts';
import { isLocked, type Store } from '../../store/open/open-store.ts';
import { toStoreError } from '../../store/open/store-error.ts';
import {
  isCleaned,
  isRedacting,
  isWipeDue,
  keepsToolTexts,
  type PoorYield,
  readPoorYields,
  readRedactionVersion,
  readTotals,
} from '../../store/read/index-facts.ts';
import { countAmong, countSessions } from '../../store/read/sessions.ts';
import type { Freshness } from '../answers.ts';
import type { ArchiveReport } from '../archive/keep.ts';
import type { Host } from '../host.ts';
import type { SyncAnswer } from '../hub/sync.ts';
import type { IndexRequest } from '../requests.ts';
import { acquireLock, holdLock, withLockedIndex } from './locks.ts';

export interface IndexAnswer {
  readonly report: IndexReport;
  readonly archive: ArchiveReport | null;
  /** What was sent and received; null where no hub was joined. */
  readonly hub: SyncAnswer | null;
  /** Sessions that have something new. */
  readonly touched: number;
  readonly total: ReturnType<typeof countSessions>;
  /** Agents whose transcripts give no messages, or far fewer than before; empty where no transcript was new. */
  readonly poorYields: readonly NamedYield[];
  readonly tookMs: number;
}

export function indexNow(host: Host, request: IndexRequest): Promise<IndexAnswer> {
  const { rebuild = false, redact, archive = true, hub = true } = request;
  return updateWithArchive(host, { ...fullUpdate, rebuild, redact }, { archives: archive, syncs: hub });
}

/** Runs until the host's signal; `onChanged` is called after each run that changed something. */
export async function watch(
  host: Host,
  inTurn: <T>(update: () => Promise<T>) => Promise<T>,
  onChanged: (answer: IndexAnswer) => void,
): Promise<void> {
  const { watchRoots } = await import('../../indexing/watch-roots.ts');
  let syncedAtMs = host.elapsedMs();
  await watchRoots(host.roots(), host.signal, async () => {
    // A session that is running is sent every few minutes, not with every line.
    const syncs = host.elapsedMs() - syncedAtMs > syncedEachMs;
    if (syncs) syncedAtMs = host.elapsedMs();
    const request = { ...fullUpdate, trustFolders: true };
    const answer = await inTurn(() => updateWithArchive(host, request, { archives: true, syncs }));
    if (answer.report.hasChanges) onChanged(answer);
  });
}

const syncedEachMs = 3 * 60_000;
/** How long a connection may take: a hook has little time. */
const connectionMs = 2000;

/** The archive comes after the lock is given back, so that searches are answered from an index that is up to date. */
async function updateWithArchive(
  host: Host,
  request: UpdateRequest,
  { archives, syncs }: { readonly archives: boolean; readonly syncs: boolean },
): Promise<IndexAnswer> {
  const startedAt = host.elapsedMs();
  const roots = host.roots();
  const { isForgettingDue, ...answer } = await withLockedIndex(host, async (store) => {
    // Before the update: while it is not done, the next run must see that it is not. Without an archive, its code is not loaded.
    const fromArchive = existsSync(`${host.archivePath}/.`) ? await tryCopies(host, store) : 0;
    const report = await update(host, store, roots, request);
    if (typeof fromArchive === 'number') report.fromArchive = fromArchive;
    else report.failures.push(fromArchive);
    return {
      isForgettingDue: hasForgottenDue(store.db, host.archivePath),
      report,
      touched: countAmong(store.db, report.touchedSessions),
      total: countSessions(store.db),
      // It walks through all sessions; `doctor` has it at any time.
      poorYields: report.files.new + report.files.rewritten > 0 ? findPoorYields(store.db) : [],
      tookMs: host.elapsedMs() - startedAt,
    };
  });
  if (isForgettingDue) {
    const { finishForgetting } = await import('../archive/forget.ts');
    const { due } = await finishForgetting(host, { isWaiting: false, isThorough: false });
    answer.report.failures.push(...due);
  }
  const unfinished = answer.report.looked.flatMap(({ root, unfinished }) =>
    unfinished.map((path) => join(root.path, path)),
  );
  if (unfinished.length > 0) {
    const { deleteUnfinished } = await import('../../archive/restore-file.ts');
    deleteUnfinished(unfinished, host.now().getTime());
  }
  let archive: ArchiveReport | null = null;
  if (archives && host.config().archive === true) {
    const { keepLooked } = await import('../archive/keep.ts');
    archive = await keepLooked(host, answer.report.looked, !request.trustFolders);
  } else if (request.redact === true && existsSync(`${host.archivePath}/.`)) {
    // What was handed on is there, whether or not anything is kept.
    const { redactArchive } = await import('../archive/keep.ts');
    await holdLock(host, 'archive', () => redactArchive(host));
  }
  if (!archives || !syncs || !hasJoined(host.at)) return { ...answer, archive, hub: null };
  const { sync } = await import('../hub/sync.ts');
  return { ...answer, archive, hub: await sync(host, { timeoutMs: connectionMs }) };
}

/** Whether something is left of forgotten sessions, or may be: the code that removes it takes 16 ms to load. */
function hasForgottenDue(db: Store['db'], archive: string): boolean {
  return isWipeDue(db) || (existsSync(archive) && !isCleaned(db, archive)) || hasMarks(archive);
}

/** How many sessions were indexed that only the archive has; or why it cannot be read. */
async function tryCopies(host: Host, store: Store): Promise<number | FailedFile> {
  const { indexCopies } = await import('../archive/keep.ts');
  try {
    return await indexCopies(host, store);
  } catch (error) {
    if (!(error instanceof UserError && error.code === 'archive-unreadable')) throw error;
    return { path: host.archivePath, reason: toReason(error.cause) };
  }
}

interface NamedYield extends PoorYield {
  readonly program: string;
}

export function findPoorYields(db: Store['db']): NamedYield[] {
  return readPoorYields(db).map((found) => ({ ...found, program: getSource(found.agent).name }));
}

/** If another indexer is doing the same work, a moment is usually enough for the newest files. */
const eachTime = { budgetMs: 1500, lockWaitMs: 300 } as const;
/** There is nothing to search yet. The first answer is to come within three seconds, including settling and searching. */
const firstTime = { budgetMs: 1700, lockWaitMs: 1700 } as const;
/** However long it took to look at the files: otherwise a very large home would never be read. */
const leastMs = 500;

const upToDate: Freshness = {
  refreshed: true,
  pendingFiles: 0,
  pendingBytes: 0,
  pendingAgain: 0,
  obstacle: null,
  failures: [],
};
export const notRefreshed: Freshness = { ...upToDate, refreshed: false };

/** `wanted` is the id of a session that should be in the index afterwards, if it is on disk at all. */
export async function refresh(host: Host, store: Store, wanted?: string): Promise<Freshness> {
  const isFirst = readTotals(store.db).sessions === 0;
  const { budgetMs, lockWaitMs } = isFirst ? firstTime : eachTime;
  try {
    const startedAt = host.elapsedMs();
    const look = { trustFolders: true, nowMs: host.now().getTime(), rebuild: false };
    const lookedAt = lookAtRoots(store.db, host.roots(), look);
    const { redact, done } = host.config();
    const isAsWanted =
      done === keepsToolTexts(store.db) && (await isRedactedAsWanted(store, redact || undefined));
    if (isAsWanted && !hasChanges(lookedAt) && areLabelsCopied(store)) return upToDate;
    const lock = acquireLock(host, 'index', lockWaitMs);
    if (!isLocked(lock)) return { ...notRefreshed, obstacle: { type: 'busy' } };
    try {
      const deadline = Math.max(startedAt + budgetMs, host.elapsedMs() + leastMs);
      const request = {
        trustFolders: true,
        rebuild: false,
        lookedAt,
        wanted,
        isBounded: true,
        isTimeUp: (share = 1) => host.elapsedMs() > deadline - (1 - share) * budgetMs,
      };
      const report = await update(host, store, host.roots(), request);
      const { pendingFiles, pendingBytes, pendingAgain, unseen, failures } = report;
      const refreshed = unseen.length === 0;
      const labels = failures.find(({ path }) => path === findLabelsPath(store.path));
      const obstacle = !refreshed
        ? { type: 'unseen' as const, places: findDenying(unseen) }
        : labels === undefined
          ? null
          : { type: 'failed' as const, message: labels.reason };
      return { refreshed, pendingFiles, pendingBytes, pendingAgain, obstacle, failures };
    } finally {
      lock.release();
    }
  } catch (error) {
    // The transcripts, or the permission to write, may be gone, but what was indexed can still be searched.
    const reason = toStoreError(error, host.indexPath);
    if (isFirst || !(reason instanceof UserError)) throw reason;
    return { ...notRefreshed, obstacle: { type: 'failed', message: reason.message } };
  }
}

/** There may be thousands of unreadable files and folders: only the folders that deny access are named. */
function findDenying(unseen: readonly FailedFile[]): FailedFile[] {
  const reasons = new Map<string, string>();
  for (const { path, reason } of unseen) reasons.set(findOutermost(path), reason);
  return [...reasons].map(([path, reason]) => ({ path, reason }));
}

/** The outermost folder that cannot be entered; otherwise the path itself. */
function findOutermost(path: string): string {
  const parent = dirname(path);
  if (parent === path) return path;
  try {
    accessSync(parent, constants.X_OK);
    return path;
  } catch {
    return findOutermost(parent);
  }
}

/** Check everything, however long it takes. */
export const fullUpdate = {
  rebuild: false,
  isBounded: false,
  isTimeUp: () => false,
  trustFolders: false,
} as const;

type UpdateRequest = Omit<UpdateOptions, 'signal' | 'threads' | 'nowMs' | 'onProgress'> & {
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
  const { updateIndex } = await import('../../indexing/update-index.ts');
  const failures = await applyLabels(store);
  try {
    const report = await updateIndex(store, roots, {
      ...options,
      signal,
      threads,
      nowMs: host.now().getTime(),
      onProgress: (progress) => host.onEvent({ type: 'progress', progress }),
    });
    report.failures.push(...failures);
    return report;
  } finally {
    host.onEvent({ type: 'progress-end' });
  }
}

/** The caller holds the index lock. Labels that cannot be read cost the labels, not the run. */
export async function applyLabels(store: Store): Promise<FailedFile[]> {
  if (areLabelsCopied(store)) return [];
  const clean = isRedacting(store.db)
    ? (await import('../../text/redact.ts')).redact
    : (text: string) => text;
  try {
    copyLabels(store, clean);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [{ path: findLabelsPath(store.path), reason: error.message }];
  }
  const { settleSessions } = await import('../../indexing/settle.ts');
  settleSessions(store);
  return [];
}

/**
 * The index remembers whether secrets are kept out of it, and by which rules. The configuration can start that; only a request
 * can stop it.
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
  if (await isRedactedAsWanted(store, isWanted)) return;
  const { startRedacting, stopRedacting } = await import('../../store/upkeep/privacy.ts');
  if (isWanted !== false) {
    const { rows, isWiped } = await startRedacting(store);
    host.onEvent({ type: 'redacted', texts: rows, isWiped });
  } else {
    stopRedacting(store.db);
    host.onEvent({ type: 'redaction-stopped' });
  }
}

/** Text that was redacted by older rules is redacted again. */
async function isRedactedAsWanted({ db }: Store, isWanted: boolean | undefined): Promise<boolean> {
  const version = readRedactionVersion(db);
  if (version === 0) return isWanted !== true;
  if (isWanted === false) return false;
  const { redactionVersion } = await import('../../text/redact.ts');
  return version >= redactionVersion;
}

async function applyDone(host: Host, store: Store): Promise<void> {
  const { done } = host.config();
  if (done === keepsToolTexts(store.db)) return;
  const { startKeepingToolTexts, stopKeepingToolTexts } = await import('../../store/upkeep/privacy.ts');
  if (done) startKeepingToolTexts(store.db);
  else host.onEvent({ type: 'redacted', texts: 0, isWiped: stopKeepingToolTexts(store) });
}
