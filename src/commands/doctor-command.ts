// recall doctor: says how the index is and what to do about what it found; --repair does it.

import { existingRoots } from '../api/existing-roots.ts';
import { holdIndexLock } from '../api/hold-index-lock.ts';
import type { Context } from '../command-line/context.ts';
import { withFlags } from '../command-line/hint-flags.ts';
import { updateWithProgress } from '../command-line/update-with-progress.ts';
import { EXIT_ERROR, EXIT_OK, UserError } from '../errors.ts';
import { surveyRoot } from '../indexing/survey.ts';
import { type DoctorFacts, toDoctorJson, toDoctorReport, toFindings } from '../render/doctor-report.ts';
import { toJsonText } from '../render/json-text.ts';
import { formatNumbered } from '../render/quantities.ts';
import { openStore, type Store, schemaVersion } from '../store/open/open-store.ts';
import { toStoreError } from '../store/open/store-error.ts';
import { isRedacting } from '../store/read/setting.ts';
import { type Health, readExpiring, readHealth } from '../store/upkeep/health.ts';
import { salvageIndex } from '../store/upkeep/salvage.ts';
import { rebuildWords } from '../store/upkeep/words-index.ts';

const expiryDays = 7;

export async function runDoctor(context: Context, flags: { readonly repair?: boolean }): Promise<number> {
  const repaired = flags.repair ? await holdIndexLock(context, () => repair(context)) : [];
  const store = await openStore(context.indexPath);
  try {
    const facts = await gatherFacts(context, store, repaired);
    const findings = toFindings(facts).map((finding) => ({
      ...finding,
      fix: withFlags(finding.fix, context.givenFlags),
    }));
    const columns = context.stdout.isTerminal ? context.stdout.columns : Number.POSITIVE_INFINITY;
    context.print(
      context.json ? toJsonText(toDoctorJson(facts, findings)) : toDoctorReport(facts, findings, columns),
    );
    return findings.some((finding) => finding.level === 'problem') ? EXIT_ERROR : EXIT_OK;
  } finally {
    store.close();
  }
}

async function gatherFacts(
  context: Context,
  store: Store,
  repaired: readonly string[],
): Promise<DoctorFacts> {
  const health = await readHealth(store);
  const base = {
    indexPath: store.path,
    schemaVersion,
    health,
    repaired,
    isRedacting: isRedacting(store.db),
  };
  const nowMs = context.now().getTime();
  let missingFolder: DoctorFacts['missingFolder'] = null;
  const roots = existingRoots(context, (error) => {
    missingFolder = error;
  });
  const surveys = roots.map((root) => ({ root, ...surveyRoot(store, { agent: 'claude', path: root }) }));
  return {
    ...base,
    missingFolder,
    emptyFolders: surveys.filter((survey) => survey.isEmpty).map((survey) => survey.root),
    pendingFiles: roots.length === 0 ? null : surveys.reduce((sum, survey) => sum + survey.pendingFiles, 0),
    obstacles: surveys.flatMap((survey) => survey.obstacles),
    cleanupDays: surveys[0]?.cleanupDays ?? 30,
    expiring: surveys.flatMap(({ root, cleanupDays }) =>
      cleanupDays === null ? [] : readExpiring(store, root, cleanupDays, nowMs, expiryDays),
    ),
  };
}

/** What was done, a line each. */
async function repair(context: Context): Promise<string[]> {
  const health = await tryHealth(context.indexPath);
  if (health !== null && health.problems.length === 0 && health.wordProblems.length === 0) return [];
  const done: string[] = [];
  if (health === null || health.problems.length > 0) {
    const salvaged = await salvageIndex(context.indexPath, context.now().getTime());
    done.push(`saved ${formatNumbered(salvaged.sessions, 'session')} into a new index`);
    done.push(`the damaged file is kept as ${salvaged.damagedPath}; delete it when all is well`);
  }
  const store = await openStore(context.indexPath);
  try {
    if (done.length === 0) {
      rebuildWords(store.db);
      done.push('built the full-text index again from the stored text');
    }
    const options = {
      rebuild: false,
      isBounded: false,
      isTimeUp: () => false,
      trustFolders: false,
      quietLooks: Number.POSITIVE_INFINITY,
    };
    const report = await updateWithProgress(context, store, existingRoots(context), options);
    const read = report.files.new + report.files.rewritten + report.files.grown;
    if (read > 0) done.push(`read ${formatNumbered(read, 'file')} again`);
  } finally {
    store.close();
  }
  return done;
}

/** Null when the index cannot even be opened. */
async function tryHealth(indexPath: string): Promise<Health | null> {
  try {
    const store = await openStore(indexPath);
    try {
      return await readHealth(store);
    } finally {
      store.close();
    }
  } catch (error) {
    const reason = toStoreError(error, indexPath);
    if (reason instanceof UserError && reason.code === 'index-damaged') return null;
    throw reason;
  }
}
