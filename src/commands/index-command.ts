// recall index: brings the index up to date and says what it did.

import { holdIndexLock } from '../api/hold-index-lock.ts';
import type { Context } from '../command-line/context.ts';
import { fitTo } from '../command-line/fit-to.ts';
import { updateWithProgress } from '../command-line/update-with-progress.ts';
import { EXIT_ERROR, EXIT_OK } from '../errors.ts';
import type { IndexReport } from '../indexing/report.ts';
import { toIndexJson, toIndexNotes, toIndexSummary } from '../render/index-summary.ts';
import { toJsonText } from '../render/json-text.ts';
import { toPrintableLine } from '../render/printable.ts';
import { formatNumbered } from '../render/quantities.ts';
import { withStore } from '../store/open/open-store.ts';
import { type IndexTotals, readTotals } from '../store/read/totals.ts';

export interface IndexFlags {
  readonly rebuild?: boolean;
  readonly watch?: boolean;
  readonly redact?: boolean;
}

export async function runIndex(context: Context, flags: IndexFlags): Promise<number> {
  const roots = context.roots();
  const rebuild = flags.rebuild ?? false;
  const report = await updateOnce(context, roots, {
    rebuild,
    trustFolders: false,
    ...(flags.redact === undefined ? {} : { redact: flags.redact }),
  });
  if (!flags.watch) return report.failures.length > 0 ? EXIT_ERROR : EXIT_OK;
  context.note('watching for changes; stop with Ctrl-C');
  const { watchRoots } = await import('../indexing/watch-roots.ts');
  const claudeRoots = roots.map((path) => ({ agent: 'claude', path }) as const);
  await watchRoots(claudeRoots, context.signal, async () => {
    await updateOnce(context, roots, { rebuild: false, trustFolders: true, onlyIfChanged: true });
  });
  return EXIT_OK;
}

interface UpdateManner {
  readonly rebuild: boolean;
  readonly trustFolders: boolean;
  readonly onlyIfChanged?: boolean;
  readonly redact?: boolean;
}

/** The index is opened under the lock: a repair that had it until now has put another file in its place. */
async function updateOnce(
  context: Context,
  roots: string[],
  { redact, onlyIfChanged, ...how }: UpdateManner,
): Promise<IndexReport> {
  const startedAt = context.elapsedMs();
  const options = {
    ...how,
    quietLooks: Number.POSITIVE_INFINITY,
    isBounded: false,
    isTimeUp: () => false,
  };
  return holdIndexLock(context, () =>
    withStore(context.indexPath, async (store) => {
      const report = await updateWithProgress(context, store, roots, options, redact);
      const tookMs = context.elapsedMs() - startedAt;
      if (!onlyIfChanged || report.hasChanges) printReport(context, report, readTotals(store.db), tookMs);
      return report;
    }),
  );
}

function printReport(context: Context, report: IndexReport, total: IndexTotals, tookMs: number): void {
  for (const { path, reason } of report.failures) context.warn(`recall: ${toPrintableLine(path)}: ${reason}`);
  if (context.verbose) {
    for (const { path, line, reason } of report.skipped)
      context.warn(`${toPrintableLine(path)}:${line}: ${reason}`);
    if (report.unnamedLines > 0)
      context.warn(`and ${formatNumbered(report.unnamedLines, 'more line', 'more lines')} of these files`);
    for (const { path, reason } of report.links) context.warn(`${toPrintableLine(path)}: ${reason}`);
  }
  if (context.json) {
    context.print(toJsonText(toIndexJson(report, total, tookMs)));
    return;
  }
  if (context.quiet) return;
  context.print(fitTo(context.stdout, toIndexSummary(report, total, tookMs)));
  for (const note of toIndexNotes(report)) context.note(toPrintableLine(note));
}
