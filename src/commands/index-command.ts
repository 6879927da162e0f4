// recall index: brings the index up to date and says what it did.

import { EXIT_ERROR, EXIT_OK } from '../errors.ts';
import type { IndexReport } from '../indexing/report.ts';
import { watchRoots } from '../indexing/watch-roots.ts';
import { toIndexJson, toIndexNotes, toIndexSummary } from '../render/index-summary.ts';
import { toJsonText } from '../render/json-text.ts';
import { toPrintableLine } from '../render/printable.ts';
import { openStore, type Store } from '../store/open-store.ts';
import { readTotals } from '../store/read-known.ts';
import type { Context } from './context.ts';
import { holdIndexLock } from './hold-index-lock.ts';
import { updateWithProgress } from './update-with-progress.ts';

export interface IndexFlags {
  readonly rebuild?: boolean;
  readonly watch?: boolean;
}

export async function runIndex(context: Context, flags: IndexFlags): Promise<number> {
  const roots = context.roots();
  const store = await openStore(context.indexPath);
  try {
    const report = await updateOnce(context, store, roots, flags.rebuild ?? false);
    if (!flags.watch) return report.failures.length > 0 ? EXIT_ERROR : EXIT_OK;
    context.note('watching for changes; stop with Ctrl-C');
    await watchRoots(roots, context.signal, async () => {
      await updateOnce(context, store, roots, false, true);
    });
    return EXIT_OK;
  } finally {
    store.close();
  }
}

async function updateOnce(
  context: Context,
  store: Store,
  roots: string[],
  rebuild: boolean,
  onlyIfChanged = false,
): Promise<IndexReport> {
  const startedAt = performance.now();
  const report = await holdIndexLock(context, () =>
    updateWithProgress(context, store, roots, { rebuild, isTimeUp: () => false }),
  );
  const tookMs = performance.now() - startedAt;
  if (!onlyIfChanged || report.hasChanges) printReport(context, report, await readTotals(store), tookMs);
  return report;
}

function printReport(
  context: Context,
  report: IndexReport,
  total: Awaited<ReturnType<typeof readTotals>>,
  tookMs: number,
): void {
  for (const { path, reason } of report.failures) context.warn(`recall: ${toPrintableLine(path)}: ${reason}`);
  if (context.verbose) {
    for (const { path, line, reason } of report.skipped)
      context.warn(`${toPrintableLine(path)}:${line}: ${reason}`);
    for (const { path, reason } of report.links) context.warn(`${toPrintableLine(path)}: ${reason}`);
  }
  if (context.json) {
    context.print(toJsonText(toIndexJson(report, total, tookMs)));
    return;
  }
  if (context.quiet) return;
  context.print(toIndexSummary(report, total, tookMs));
  for (const note of toIndexNotes(report)) context.note(toPrintableLine(note));
}
