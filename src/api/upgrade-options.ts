// How an index that an older recall has left is upgraded when it is opened: under the index lock, with a note first and
// then how far it has come. For openStore.

import type { Context } from '../command-line/context.ts';
import type { OpenOptions, UpgradeOptions, UpgradeProgress } from '../store/open/open-store.ts';

/** `isLocked`: the caller holds the index lock already. */
export function upgradeOptions(context: Context, { isLocked = false } = {}): OpenOptions {
  return {
    upgrade: async (run) => {
      if (isLocked) return upgrade(context, run);
      const { holdIndexLock } = await import('./hold-index-lock.ts');
      return holdIndexLock(context, () => upgrade(context, run));
    },
  };
}

const terminalMs = 80;
const plainMs = 5000;

async function upgrade(context: Context, run: (options: UpgradeOptions) => Promise<void>): Promise<void> {
  const { isTerminal } = context.stderr;
  let shownAt: number | null = null;
  const onProgress = (progress: UpgradeProgress) => {
    // Not before there is something to do: whoever had the lock until now may have done it.
    if (shownAt === null) context.note('recall: upgrading the index for this version of recall');
    else if (context.elapsedMs() - shownAt < (isTerminal ? terminalMs : plainMs)) return;
    else if (isTerminal) context.redraw(toLine(progress));
    else context.note(toLine(progress));
    shownAt = context.elapsedMs();
  };
  try {
    await run({ onProgress, signal: context.signal });
  } finally {
    if (shownAt !== null && isTerminal) context.redraw('');
  }
}

function toLine({ what, done, total }: UpgradeProgress): string {
  return `upgrading the ${what} of the index: ${Math.floor((100 * done) / Math.max(1, total))}%`;
}
