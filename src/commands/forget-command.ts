// recall forget: removes a session from the index for good. The transcript itself is never touched.

import { findOne } from '../api/find-one.ts';
import { holdIndexLock } from '../api/hold-index-lock.ts';
import { upgradeOptions } from '../api/upgrade-options.ts';
import type { Context } from '../command-line/context.ts';
import { fitTo } from '../command-line/fit-to.ts';
import { EXIT_NOTHING_FOUND, EXIT_OK, UserError } from '../errors.ts';
import { forgetForGood } from '../indexing/forget-for-good.ts';
import { toJsonText } from '../render/json-text.ts';
import { toPrintableLine } from '../render/printable.ts';
import { formatNumbered } from '../render/quantities.ts';
import { forgetLastResults } from '../store/open/last-results.ts';
import { openStore, withStore } from '../store/open/open-store.ts';
import { findCopies, findFamily } from '../store/upkeep/forget.ts';
import { findDamaged } from '../store/upkeep/salvage.ts';

export async function runForget(
  context: Context,
  ref: string,
  flags: { readonly yes?: boolean },
): Promise<number> {
  const store = await openStore(context.indexPath, upgradeOptions(context));
  try {
    const session = findOne(store, ref, context.indexPath);
    const subagents = findFamily(store, session).length - 1;
    const copies = findCopies(store, session);
    const title = toPrintableLine(session.title ?? 'untitled');
    const id = toPrintableLine(session.nativeId);
    const what = `${id} (${title})${subagents === 0 ? '' : ` and ${formatNumbered(subagents, 'subagent')}`}`;
    if (!flags.yes) {
      if (!context.stdout.isTerminal || context.json) {
        throw new UserError(`forget would remove ${what} for good`, {
          code: 'needs-confirmation',
          hint: `recall forget ${id} --yes`,
        });
      }
      const isSure = await context.confirm(
        `Remove ${what} from the index for good? The transcript stays. [y/N] `,
      );
      if (!isSure) {
        context.note('nothing was removed');
        return EXIT_NOTHING_FOUND;
      }
    }
    const forgotten = await holdIndexLock(context, () =>
      // Not the one at hand: a repair that had the lock until now has put another file in its place.
      withStore(context.indexPath, (current) => forgetForGood(current, session, context.now().toISOString())),
    );
    forgetLastResults(context.indexPath);
    if (context.json) context.print(toJsonText({ schemaVersion: 1, ...forgotten, copies }));
    else if (!context.quiet)
      context.print(
        fitTo(context.stdout, `forgot ${what}: ${formatNumbered(forgotten.messages, 'message')} removed`),
      );
    if (copies.length > 0) {
      const isOne = copies.length === 1;
      context.note(
        `${isOne ? 'a copy of the conversation holds' : `${copies.length} copies of the conversation hold`} the same text; to remove ${isOne ? 'it' : 'them'} too:`,
      );
      for (const copy of copies) context.note(`  recall forget ${toPrintableLine(copy)}`);
    }
    if (!forgotten.isWiped)
      context.note('another recall is reading the index; run any command again to finish wiping');
    for (const file of findDamaged(context.indexPath)) {
      context.note(
        `a damaged index from before a repair may still hold its text; delete it: ${toPrintableLine(file)}`,
      );
    }
    return EXIT_OK;
  } finally {
    store.close();
  }
}
