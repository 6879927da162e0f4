// The state of the index, what is wrong with it, with the archive or with the folders; and repairing it: its words are built
// again, or a new file from what can still be read of a damaged one.

import { deleteUnfinished } from '../../archive/restore-file.ts';
import { UserError } from '../../errors.ts';
import { type Hint, hint } from '../../hints.ts';
import { type Survey, surveyRoot } from '../../indexing/look.ts';
import { findUnsaved, type UnsavedSession } from '../../indexing/recover.ts';
import type { FailedFile, Root } from '../../records.ts';
import { getSource, sources } from '../../sources/index.ts';
import type { Source } from '../../sources/source.ts';
import { type Engine, openDatabase, readEngine } from '../../store/open/database.ts';
import type { Store } from '../../store/open/open-store.ts';
import { toStoreError } from '../../store/open/store-error.ts';
import { schemaVersion } from '../../store/open/versions.ts';
import { isRedacting } from '../../store/read/index-facts.ts';
import { type ExpiringSession, type Health, readHealth } from '../../store/upkeep/health.ts';
import { dropToolTexts, readTranscriptsAgain } from '../../store/upkeep/privacy.ts';
import { type LostSetting, salvageIndex } from '../../store/upkeep/salvage.ts';
import { areToolWordsSound, rebuildWords } from '../../store/upkeep/words-index.ts';
import { finishForgetting } from '../archive/forget.ts';
import { type ArchiveStatus, expiryDays, readArchiveStatus, readExpiringIn } from '../archive/status.ts';
import type { Host } from '../host.ts';
import { tryRoots } from '../roots.ts';
import { holdLock, withIndex } from './locks.ts';
import { findPoorYields, fullUpdate, update } from './update.ts';

export interface Diagnosis {
  readonly indexPath: string;
  readonly schemaVersion: number;
  readonly engine: Engine;
  readonly health: Health;
  readonly expiring: readonly ExpiringTranscript[];
  readonly archive: ArchiveStatus;
  /** After how many days the program deletes a transcript; null where it never does, or no folder could be read. */
  readonly cleanupDays: number | null;
  readonly expiryDays: number;
  /** How many files on disk differ from the index; null if no folder could be read. */
  readonly pendingFiles: number | null;
  readonly obstacles: readonly FailedFile[];
  readonly isRedacting: boolean;
  readonly repair: Repair | null;
  /** What is left of forgotten sessions, and why. */
  readonly due: readonly FailedFile[];
  readonly findings: readonly Finding[];
}

export type FindingCode =
  | 'index-damaged'
  | 'words-damaged'
  | 'forgetting'
  | 'unreadable-files'
  | 'missing-folder'
  | 'empty-folder'
  | 'unsettled'
  | 'pending'
  | 'obstacles'
  | 'few-messages'
  | 'not-understood'
  | 'not-saved'
  | 'skipped-lines'
  | 'unknown-types'
  | 'archive-unusable'
  | 'archive-holes'
  | 'archive-pending'
  | 'expiring';

export interface Finding {
  readonly code: FindingCode;
  readonly level: 'problem' | 'note';
  /** The full number, even if the details do not list everything. */
  readonly count: number;
  readonly details: readonly string[];
  /** A folder, or the error message for a missing folder. */
  readonly subject: string;
  readonly program: string;
  readonly cleanupDays: number | null;
  /** What to do, where it depends on the program. */
  readonly hint: Hint | undefined;
}

/** `isKept`: whether the archive has a copy. */
type ExpiringTranscript = ExpiringSession & { readonly isKept: boolean };

interface SurveyedRoot extends Survey {
  readonly root: Root;
  readonly source: Source;
  readonly expiring: readonly ExpiringTranscript[];
  readonly unsaved: readonly UnsavedSession[];
}

export async function diagnose(host: Host, isRepairing: boolean): Promise<Diagnosis> {
  const repair = isRepairing ? await holdLock(host, 'index', () => repairIndex(host)) : null;
  const { due } = await finishForgetting(host, { isWaiting: false, isThorough: true });
  return withIndex(host, (store) => examine(host, store, repair, due));
}

async function examine(
  host: Host,
  store: Store,
  repair: Repair | null,
  due: readonly FailedFile[],
): Promise<Diagnosis> {
  const health = await readHealth(store);
  const { roots, missing } = tryRoots(host.roots);
  const archive = readArchiveStatus(host, store);
  const keptIds = new Set(archive.expiringSoon.filter(({ isKept }) => isKept).map(({ id }) => id));
  const surveys: SurveyedRoot[] = [];
  for (const root of roots) {
    const found = readExpiringIn(host, store, root);
    const expiring = found.map((session) => ({ ...session, isKept: keptIds.has(session.id) }));
    const survey = surveyRoot(store, root);
    const unsaved = await findUnsaved(store, root, survey);
    surveys.push({ ...survey, root, source: getSource(root.agent), expiring, unsaved });
  }
  deleteUnfinished(
    surveys.flatMap(({ unfinished }) => unfinished),
    host.now().getTime(),
  );
  const facts = {
    indexPath: store.path,
    schemaVersion,
    engine: readEngine(store.db),
    health,
    expiring: surveys.flatMap((survey) => survey.expiring),
    archive,
    cleanupDays: surveys[0]?.cleanupDays ?? null,
    expiryDays,
    pendingFiles: roots.length === 0 ? null : surveys.reduce((sum, survey) => sum + survey.pendingFiles, 0),
    obstacles: surveys.flatMap((survey) => survey.obstacles),
    isRedacting: isRedacting(store.db),
    repair,
    due,
  };
  return { ...facts, findings: findFindings(facts, missing, surveys, store.db) };
}

function findFindings(
  { health, pendingFiles, archive, due }: Omit<Diagnosis, 'findings'>,
  missing: UserError | null,
  surveys: readonly SurveyedRoot[],
  db: Store['db'],
): Finding[] {
  const findings: Finding[] = [];
  const usual = { details: [], subject: '', program: '', cleanupDays: null, hint: undefined };
  const add = (level: Finding['level'], code: FindingCode, count: number, about: Partial<Finding> = {}) => {
    if (count > 0) findings.push({ code, level, count, ...usual, ...about });
  };
  const toReasons = (failed: readonly FailedFile[]) => failed.map(({ path, reason }) => `${path}: ${reason}`);
  add('problem', 'index-damaged', health.problems.length, { details: health.problems });
  add('problem', 'words-damaged', health.wordProblems.length, { details: health.wordProblems });
  add('problem', 'forgetting', due.length, { details: toReasons(due) });
  add('problem', 'unreadable-files', health.files.failed, { details: toReasons(health.failures) });
  if (missing !== null) add('problem', 'missing-folder', 1, { subject: missing.message, hint: missing.hint });
  for (const { isEmpty, root, source } of surveys)
    add('note', 'empty-folder', Number(isEmpty), {
      subject: root.path,
      program: source.name,
      hint: hint`start one, or pass another folder with ${source.rootParameter}`,
    });
  add('note', 'unsettled', health.unsettled);
  add('note', 'pending', pendingFiles ?? 0);
  for (const { obstacles, source } of surveys)
    add('note', 'obstacles', obstacles.length, {
      details: toReasons(obstacles),
      hint: hint`fix the permissions; to include a linked folder, pass it with ${source.rootParameter}`,
    });
  for (const { program, version, files, what } of findPoorYields(db)) {
    const yielded = what === 'none' ? 'no messages' : 'far fewer messages than before';
    add('note', 'few-messages', files, { program, details: [`version ${version ?? 'unknown'}: ${yielded}`] });
  }
  add('note', 'not-understood', health.obscure.count, { details: health.obscure.paths });
  for (const { unsaved, source } of surveys)
    add('note', 'not-saved', unsaved.length, {
      program: source.name,
      details: unsaved.map(
        ({ nativeId, savedAt, promptedAt }) => `${nativeId}: saved until ${savedAt}, typed in ${promptedAt}`,
      ),
    });
  add('note', 'skipped-lines', health.skippedLines, {
    details: health.skipped.map(({ path, line, reason }) => `${path}:${line}: ${reason}`),
  });
  const unknown = describeUnknownTypes(health.unknownTypes);
  add('note', 'unknown-types', unknown.details.length, unknown);
  const { obstacle, isOn } = archive;
  if (obstacle !== null)
    add(isOn ? 'problem' : 'note', 'archive-unusable', 1, { details: toReasons([obstacle]) });
  add('problem', 'archive-holes', archive.incomplete.length, { details: archive.incomplete });
  add('note', 'archive-pending', archive.isOn ? archive.pending : 0);
  for (const { expiring, cleanupDays, source } of surveys)
    add('note', 'expiring', expiring.length, {
      details: expiring.map(
        ({ id, title, deletedAt, isKept }) =>
          `${deletedAt.slice(0, 10)}  ${id}  ${isKept ? 'copy kept  ' : ''}${title ?? ''}`,
      ),
      program: source.name,
      cleanupDays,
      hint: source.cleanupAdvice,
    });
  return findings;
}

/** One type is one thing to know, in however many versions of the program it occurs. */
function describeUnknownTypes(unknown: Health['unknownTypes']): Pick<Finding, 'details' | 'program'> {
  const newer = Object.values(sources).find((source) =>
    unknown.every(({ version }) => isNewer(version, source.knownVersion)),
  );
  const details = [...new Set(unknown.map(({ type }) => type))].map((type) => {
    const of = unknown.filter((each) => each.type === type);
    const versions = of.map(({ version }) => version).join(', ');
    return `${type} (version ${versions}): ${of.reduce((sum, { count }) => sum + count, 0)}`;
  });
  return { details, program: newer?.name ?? '' };
}

/** Compares versions number by number; one with other text in it is not newer. */
function isNewer(version: string, known: string | undefined): boolean {
  const [parts, others] = [version, known ?? ''].map((each) => each.split('.').map(Number));
  const at = parts?.findIndex((part, i) => part !== others?.[i]) ?? -1;
  return known !== undefined && (parts?.[at] ?? 0) > (others?.[at] ?? 0);
}

export interface Repair {
  /** How many sessions were copied into a new index; null if the old one could be kept. */
  readonly salvagedSessions: number | null;
  readonly damagedPath: string | null;
  readonly filesRead: number;
  /** What had been asked for and is no longer known. Secrets are then kept out. */
  readonly lost: readonly LostSetting[];
}

/** Null where there is nothing to repair. The caller holds the index lock. */
async function repairIndex(host: Host): Promise<Repair | null> {
  const health = await tryHealth(host);
  if (health !== null && health.problems.length === 0 && health.wordProblems.length === 0) return null;
  const isSalvaged = health === null || health.problems.length > 0;
  const salvaged = isSalvaged ? await salvageIndex(host.indexPath, host.now().getTime()) : null;
  const repair = async (store: Store): Promise<Repair> => {
    if (salvaged === null) {
      await rebuildWords(store.db);
      if (!areToolWordsSound(store.db)) renewWork(store.db);
    }
    const { files } = await update(host, store, tryRoots(host.roots).roots, fullUpdate);
    return {
      salvagedSessions: salvaged?.sessions ?? null,
      damagedPath: salvaged?.damagedPath ?? null,
      filesRead: files.new + files.rewritten + files.grown,
      lost: (salvaged?.lost ?? []).filter((wish) => !(wish === 'redaction' && host.config().redact)),
    };
  };
  return withIndex(host, repair, { isLocked: true });
}

/** Tool texts cannot be repaired: they are read again from the transcripts that are still there. */
function renewWork(db: Store['db']): void {
  db.transaction(() => {
    dropToolTexts(db);
    readTranscriptsAgain(db);
  }).immediate();
}

/** Null if the index cannot even be opened. */
async function tryHealth(host: Host): Promise<Health | null> {
  try {
    return await withIndex(host, readHealth, { isLocked: true });
  } catch (error) {
    const reason = toStoreError(error, host.indexPath);
    if (reason instanceof UserError && reason.code === 'index-damaged') return null;
    throw reason;
  }
}

/** Which SQLite is in use, also where there is no index yet. Throws a UserError where there is none. */
export function getEngine(): Engine {
  const db = openDatabase(':memory:');
  try {
    return readEngine(db);
  } finally {
    db.close();
  }
}
