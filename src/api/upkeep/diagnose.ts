// The state of the index, what is wrong with it or with the folders, and the repair of what can be repaired.

import { UserError } from '../../errors.ts';
import type { Hint } from '../../hints.ts';
import type { FailedFile } from '../../indexing/report.ts';
import { surveyRoot } from '../../indexing/survey.ts';
import { openStore, type Store, withStore } from '../../store/open/open-store.ts';
import { schemaVersion } from '../../store/open/schema-version.ts';
import { toStoreError } from '../../store/open/store-error.ts';
import { isRedacting } from '../../store/read/index-facts.ts';
import { type ExpiringSession, type Health, readExpiring, readHealth } from '../../store/upkeep/health.ts';
import { salvageIndex } from '../../store/upkeep/salvage.ts';
import { isWorkSound, rebuildWords } from '../../store/upkeep/words-index.ts';
import { dropWork, readWorkAgain } from '../../store/upkeep/work-text.ts';
import type { Host } from '../host.ts';
import { tryRoots } from '../roots.ts';
import { holdIndexLock } from './hold-index-lock.ts';
import { fullUpdate, update } from './update.ts';
import { upgradeOptions } from './upgrade-options.ts';

export interface Diagnosis {
  readonly indexPath: string;
  readonly schemaVersion: number;
  readonly health: Health;
  readonly expiring: readonly ExpiringSession[];
  /** After how many days the program deletes a transcript; null where it never does, or no folder could be read. */
  readonly cleanupDays: number | null;
  /** How far ahead that was looked for. */
  readonly expiryDays: number;
  /** How many files on disk differ from the index; null if no folder could be read. */
  readonly pendingFiles: number | null;
  readonly obstacles: readonly FailedFile[];
  readonly isRedacting: boolean;
  readonly repair: Repair | null;
  readonly findings: readonly Finding[];
}

export interface Repair {
  /** How many sessions were copied into a new index; null if the old one could be kept. */
  readonly salvagedSessions: number | null;
  /** Where the damaged file is kept. */
  readonly damagedPath: string | null;
  readonly filesRead: number;
}

export type FindingCode =
  | 'index-damaged'
  | 'words-damaged'
  | 'unreadable-files'
  | 'missing-folder'
  | 'empty-folder'
  | 'unsettled'
  | 'pending'
  | 'obstacles'
  | 'skipped-lines'
  | 'unknown-types'
  | 'expiring';

export interface Finding {
  readonly code: FindingCode;
  readonly level: 'problem' | 'note';
  /** The full number, even if the details do not list everything. */
  readonly count: number;
  readonly details: readonly string[];
  /** A folder, or the error message for a missing folder. */
  readonly subject: string;
  readonly hint: Hint | undefined;
}

/** Transcripts that their program will delete within this many days are listed. */
const expiryDays = 7;

export async function diagnose(host: Host, repairs: boolean): Promise<Diagnosis> {
  const repair = repairs ? await holdIndexLock(host, () => repairIndex(host)) : null;
  return withStore(host.indexPath, (store) => examine(host, store, repair), upgradeOptions(host));
}

async function examine(host: Host, store: Store, repair: Repair | null): Promise<Diagnosis> {
  const health = await readHealth(store);
  const { roots, missing } = tryRoots(host.roots);
  const surveys = roots.map((root) => ({ root, ...surveyRoot(store, root) }));
  const facts = {
    indexPath: store.path,
    schemaVersion,
    health,
    repair,
    isRedacting: isRedacting(store.db),
    pendingFiles: roots.length === 0 ? null : surveys.reduce((sum, survey) => sum + survey.pendingFiles, 0),
    obstacles: surveys.flatMap((survey) => survey.obstacles),
    cleanupDays: surveys[0]?.cleanupDays ?? null,
    expiryDays,
    expiring: surveys.flatMap(({ root, cleanupDays }) =>
      cleanupDays === null
        ? []
        : readExpiring(store, root.path, cleanupDays, host.now().getTime(), expiryDays),
    ),
  };
  const emptyFolders = surveys.filter((survey) => survey.isEmpty).map((survey) => survey.root.path);
  return { ...facts, findings: toFindings(facts, missing, emptyFolders) };
}

function toFindings(
  { health, pendingFiles, obstacles, expiring }: Omit<Diagnosis, 'findings'>,
  missing: UserError | null,
  emptyFolders: readonly string[],
): Finding[] {
  const toReasons = (failed: readonly FailedFile[]) => failed.map(({ path, reason }) => `${path}: ${reason}`);
  const all: (Pick<Finding, 'code' | 'level' | 'count'> & Partial<Finding>)[] = [
    {
      ...{ code: 'index-damaged', level: 'problem', count: health.problems.length },
      details: health.problems,
    },
    {
      ...{ code: 'words-damaged', level: 'problem', count: health.wordProblems.length },
      details: health.wordProblems,
    },
    {
      ...{ code: 'unreadable-files', level: 'problem', count: health.files.failed },
      details: toReasons(health.failures),
    },
    {
      ...{ code: 'missing-folder', level: 'problem', count: missing === null ? 0 : 1 },
      subject: missing?.message ?? '',
      hint: missing?.hint,
    },
    ...emptyFolders.map((subject) => ({
      ...{ code: 'empty-folder' as const, level: 'note' as const, count: 1 },
      subject,
    })),
    { code: 'unsettled', level: 'note', count: health.unsettled },
    { code: 'pending', level: 'note', count: pendingFiles ?? 0 },
    { code: 'obstacles', level: 'note', count: obstacles.length, details: toReasons(obstacles) },
    {
      ...{ code: 'skipped-lines', level: 'note', count: health.skippedLines },
      details: health.skipped.map(({ path, line, reason }) => `${path}:${line}: ${reason}`),
    },
    {
      ...{ code: 'unknown-types', level: 'note', count: health.unknownTypes.length },
      details: health.unknownTypes.map(
        ({ type, version, count }) => `${type} (version ${version}): ${count}`,
      ),
    },
    {
      ...{ code: 'expiring', level: 'note', count: expiring.length },
      details: expiring.map(({ id, title, deletedAt }) => `${deletedAt.slice(0, 10)}  ${id}  ${title ?? ''}`),
    },
  ];
  return all
    .filter(({ count }) => count > 0)
    .map((finding) => ({ details: [], subject: '', hint: undefined, ...finding }));
}

async function repairIndex(host: Host): Promise<Repair | null> {
  const health = await tryHealth(host);
  if (health !== null && health.problems.length === 0 && health.wordProblems.length === 0) return null;
  const isSalvaged = health === null || health.problems.length > 0;
  const salvaged = isSalvaged ? await salvageIndex(host.indexPath, host.now().getTime()) : null;
  const restore = async (store: Store): Promise<Repair> => {
    if (salvaged === null) {
      await rebuildWords(store.db);
      if (!isWorkSound(store.db)) renewWork(store.db);
    }
    const { files } = await update(host, store, tryRoots(host.roots).roots, fullUpdate);
    return {
      salvagedSessions: salvaged?.sessions ?? null,
      damagedPath: salvaged?.damagedPath ?? null,
      filesRead: files.new + files.rewritten + files.grown,
    };
  };
  return withStore(host.indexPath, restore, upgradeOptions(host, { isLocked: true }));
}

/** What tools were given and answered is not stored: it is read again from the transcripts that are still there. */
function renewWork(db: Store['db']): void {
  db.transaction(() => {
    dropWork(db);
    readWorkAgain(db);
  }).immediate();
}

/** Null if the index cannot even be opened. */
async function tryHealth(host: Host): Promise<Health | null> {
  try {
    const store = await openStore(host.indexPath, upgradeOptions(host, { isLocked: true }));
    try {
      return await readHealth(store);
    } finally {
      store.close();
    }
  } catch (error) {
    const reason = toStoreError(error, host.indexPath);
    if (reason instanceof UserError && reason.code === 'index-damaged') return null;
    throw reason;
  }
}
