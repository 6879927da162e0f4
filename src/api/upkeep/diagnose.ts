// The state of the index, and what is wrong with it, with the archive or with the folders.

import type { UserError } from '../../errors.ts';
import { type Hint, hint } from '../../hints.ts';
import { type Survey, surveyRoot } from '../../indexing/look.ts';
import type { FailedFile } from '../../indexing/update-index.ts';
import type { Root } from '../../records.ts';
import { getSource, sources } from '../../sources/index.ts';
import type { Source } from '../../sources/source.ts';
import { type Engine, readEngine } from '../../store/open/database.ts';
import { type Store, withStore } from '../../store/open/open-store.ts';
import { schemaVersion } from '../../store/open/versions.ts';
import { isRedacting } from '../../store/read/index-facts.ts';
import { type ExpiringSession, type Health, readExpiring, readHealth } from '../../store/upkeep/health.ts';
import { type ArchiveStatus, readArchiveStatus } from '../archive/status.ts';
import type { Host } from '../host.ts';
import { tryRoots } from '../roots.ts';
import { holdIndexLock } from './hold-index-lock.ts';
import { findPoorYields, type NamedYield } from './poor-yields.ts';
import { type Repair, repairIndex } from './repair.ts';
import { upgradeOptions } from './upgrade-options.ts';

export interface Diagnosis {
  readonly indexPath: string;
  readonly schemaVersion: number;
  readonly engine: Engine;
  readonly health: Health;
  readonly expiring: readonly ExpiringKept[];
  readonly archive: ArchiveStatus;
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

export type FindingCode =
  | 'index-damaged'
  | 'words-damaged'
  | 'unreadable-files'
  | 'missing-folder'
  | 'empty-folder'
  | 'unsettled'
  | 'pending'
  | 'obstacles'
  | 'few-messages'
  | 'skipped-lines'
  | 'unknown-types'
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
  /** What people call the program whose folders or files it is about. */
  readonly program: string;
  /** After how many days that program deletes a transcript. */
  readonly cleanupDays: number | null;
  /** What to do, where it depends on the program. */
  readonly hint: Hint | undefined;
}

/** With whether there is a copy in the archive. */
export type ExpiringKept = ExpiringSession & { readonly isKept: boolean };

/** What was seen of a folder. */
interface SurveyedRoot extends Survey {
  readonly root: Root;
  readonly source: Source;
  readonly expiring: readonly ExpiringKept[];
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
  const archive = readArchiveStatus(host, store);
  const keptIds = new Set(archive.expiringSoon.filter(({ isKept }) => isKept).map(({ id }) => id));
  const surveys = roots.map((root): SurveyedRoot => {
    const survey = surveyRoot(store, root);
    const { cleanupDays } = survey;
    const nowMs = host.now().getTime();
    const expiring =
      cleanupDays === null
        ? []
        : readExpiring(store, { root: root.path, cleanupDays, nowMs, withinDays: expiryDays });
    const withKept = expiring.map((session) => ({ ...session, isKept: keptIds.has(session.id) }));
    return { ...survey, root, source: getSource(root.agent), expiring: withKept };
  });
  const facts = {
    indexPath: store.path,
    schemaVersion,
    engine: readEngine(store.db),
    health,
    repair,
    isRedacting: isRedacting(store.db),
    pendingFiles: roots.length === 0 ? null : surveys.reduce((sum, survey) => sum + survey.pendingFiles, 0),
    obstacles: surveys.flatMap((survey) => survey.obstacles),
    cleanupDays: surveys[0]?.cleanupDays ?? null,
    expiryDays,
    expiring: surveys.flatMap((survey) => survey.expiring),
    archive,
  };
  return { ...facts, findings: toFindings(facts, missing, surveys, findPoorYields(store.db)) };
}

function toFindings(
  { health, pendingFiles, archive }: Omit<Diagnosis, 'findings'>,
  missing: UserError | null,
  surveys: readonly SurveyedRoot[],
  poorYields: readonly NamedYield[],
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
    ...surveys.map(({ isEmpty, root, source }) => ({
      ...{ code: 'empty-folder' as const, level: 'note' as const, count: Number(isEmpty) },
      subject: root.path,
      program: source.name,
      hint: hint`start one, or pass another folder with ${source.rootParameter}`,
    })),
    { code: 'unsettled', level: 'note', count: health.unsettled },
    { code: 'pending', level: 'note', count: pendingFiles ?? 0 },
    ...surveys.map(({ obstacles, source }) => ({
      ...{ code: 'obstacles' as const, level: 'note' as const, count: obstacles.length },
      details: toReasons(obstacles),
      hint: hint`fix the permissions; to include a linked folder, pass it with ${source.rootParameter}`,
    })),
    ...poorYields.map(({ program, version, files, what }) => ({
      ...{ code: 'few-messages' as const, level: 'note' as const, count: files, program },
      details: [
        `version ${version ?? 'unknown'}: ${what === 'none' ? 'no messages' : 'far fewer messages than before'}`,
      ],
    })),
    {
      ...{ code: 'skipped-lines', level: 'note', count: health.skippedLines },
      details: health.skipped.map(({ path, line, reason }) => `${path}:${line}: ${reason}`),
    },
    {
      ...{ code: 'unknown-types', level: 'note' },
      ...toUnknownTypes(health.unknownTypes),
    },
    {
      ...{ code: 'archive-holes', level: 'problem', count: archive.incomplete.length },
      details: archive.incomplete,
    },
    { code: 'archive-pending', level: 'note', count: archive.isOn ? archive.pending : 0 },
    ...surveys.map(({ expiring, cleanupDays, source }) => ({
      ...{ code: 'expiring' as const, level: 'note' as const, count: expiring.length },
      details: expiring.map(
        ({ id, title, deletedAt, isKept }) =>
          `${deletedAt.slice(0, 10)}  ${id}  ${isKept ? 'copy kept  ' : ''}${title ?? ''}`,
      ),
      program: source.name,
      cleanupDays,
      hint: source.cleanupAdvice,
    })),
  ];
  return all
    .filter(({ count }) => count > 0)
    .map((finding) => ({
      ...{ details: [], subject: '', program: '', cleanupDays: null, hint: undefined },
      ...finding,
    }));
}

/** One type is one thing to know, in however many versions of the program it occurs. */
function toUnknownTypes(unknown: Health['unknownTypes']) {
  const types = [...new Set(unknown.map(({ type }) => type))];
  const newer = Object.values(sources).find((source) =>
    unknown.every(({ version }) => isNewer(version, source.knownVersion)),
  );
  return {
    count: types.length,
    details: types.map((type) => {
      const of = unknown.filter((each) => each.type === type);
      const versions = of.map(({ version }) => version).join(', ');
      return `${type} (version ${versions}): ${of.reduce((sum, { count }) => sum + count, 0)}`;
    }),
    program: newer?.name ?? '',
  };
}

/** A version that is not a number is not newer. */
function isNewer(version: string, known: string | undefined): boolean {
  const [parts, others] = [version, known ?? ''].map((each) => each.split('.').map(Number));
  const at = parts?.findIndex((part, i) => part !== others?.[i]) ?? -1;
  return known !== undefined && (parts?.[at] ?? 0) > (others?.[at] ?? 0);
}
