// recall index: brings the index up to date and says what it did.

import { EXIT_ERROR, EXIT_OK } from '../errors.ts';
import type { IndexReport, Progress } from '../indexing/report.ts';
import { updateIndex } from '../indexing/update-index.ts';
import { watchRoots } from '../indexing/watch-roots.ts';
import { toIndexJson, toIndexNotes, toIndexSummary } from '../render/index-summary.ts';
import { toPrintableLine } from '../render/printable.ts';
import { toProgressLine } from '../render/progress-line.ts';
import { openStore, type Store } from '../store/open-store.ts';
import { readTotals } from '../store/read-known.ts';
import type { Context } from './context.ts';
import { holdIndexLock } from './hold-index-lock.ts';

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
  const progress = new ProgressDisplay(context, startedAt);
  const report = await holdIndexLock(context, () =>
    updateIndex(store, roots, {
      rebuild,
      signal: context.signal,
      onProgress: (now) => progress.show(now),
      isTimeUp: () => false,
    }),
  ).finally(() => progress.clear());
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
    context.print(JSON.stringify(toIndexJson(report, total, tookMs)));
    return;
  }
  if (context.quiet) return;
  context.print(toIndexSummary(report, total, tookMs));
  for (const note of toIndexNotes(report)) context.note(toPrintableLine(note));
}

/** A bar redrawn a few times a second on a terminal, a plain line every few seconds elsewhere. */
class ProgressDisplay {
  private readonly context: Context;
  private readonly startedAt: number;
  private shownAt: number;
  private isDrawn = false;

  constructor(context: Context, startedAt: number) {
    this.context = context;
    this.startedAt = startedAt;
    this.shownAt = startedAt;
  }

  show(progress: Progress): void {
    const { isTerminal, columns } = this.context.stderr;
    const now = performance.now();
    if (now - this.shownAt < (isTerminal ? 80 : 5000)) return;
    this.shownAt = now;
    const line = toProgressLine(progress, now - this.startedAt, isTerminal ? columns : 120);
    if (!isTerminal) {
      this.context.note(line);
      return;
    }
    this.context.redraw(line);
    this.isDrawn = true;
  }

  clear(): void {
    if (this.isDrawn) this.context.redraw('');
  }
}
