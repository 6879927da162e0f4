// Updates the index and shows how far it has come. The caller holds the index lock.

import { applyRedaction } from '../api/apply-redaction.ts';
import type { IndexReport, Progress } from '../indexing/report.ts';
import { type UpdateOptions, updateIndex } from '../indexing/update-index.ts';
import { toProgressLine } from '../render/progress-line.ts';
import type { Store } from '../store/open/open-store.ts';
import type { Context } from './context.ts';

export async function updateWithProgress(
  context: Context,
  store: Store,
  roots: readonly string[],
  options: Pick<
    UpdateOptions,
    'rebuild' | 'isBounded' | 'isTimeUp' | 'trustFolders' | 'quietLooks' | 'lookedAt'
  >,
  redact?: boolean,
): Promise<IndexReport> {
  applyRedaction(context, store, redact);
  const display = new ProgressDisplay(context, context.elapsedMs());
  const { signal, threads } = context;
  try {
    const claudeRoots = roots.map((path) => ({ agent: 'claude', path }) as const);
    return await updateIndex(store, claudeRoots, {
      ...options,
      signal,
      threads,
      nowMs: context.now().getTime(),
      onProgress: (progress) => display.show(progress),
    });
  } finally {
    display.clear();
  }
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
    const now = this.context.elapsedMs();
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
