// Starts or stops keeping secrets out of the index, as a flag or the configuration asks. The index remembers it, so that
// every later refresh does the same.

import type { Context } from '../command-line/context.ts';
import { readConfig, toConfigPath } from '../config.ts';
import { UserError } from '../errors.ts';
import { formatNumbered } from '../render/quantities.ts';
import type { Store } from '../store/open/open-store.ts';
import { isRedacting } from '../store/read/index-facts.ts';

/** The caller holds the index lock. Without a flag, the configuration can start it, and only a flag stops it. */
export async function applyRedaction(
  context: Context,
  store: Store,
  flag: boolean | undefined,
): Promise<void> {
  const isSettled = readConfig(context.at).redact;
  if (isSettled && flag === false) {
    throw new UserError(`${toConfigPath(context.at)} asks for redaction`, {
      code: 'usage',
      hint: 'take "redact" out of it first',
    });
  }
  const isWanted = flag ?? (isSettled || undefined);
  if (isWanted === undefined || isWanted === isRedacting(store.db)) return;
  const { startRedacting, stopRedacting } = await import('../store/upkeep/redaction.ts');
  if (!isWanted) {
    stopRedacting(store.db);
    context.note(
      'recall: secrets are no longer taken out; what was taken out comes back with: recall index --rebuild',
    );
    return;
  }
  const { rows, isWiped } = await startRedacting(store);
  if (rows > 0) context.note(`recall: took secrets out of ${formatNumbered(rows, 'stored text')}`);
  if (!isWiped) context.note('another recall is reading the index; run any command again to finish wiping');
}
