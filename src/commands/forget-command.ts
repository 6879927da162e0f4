// recall forget: removes a session from the index for good. The transcript itself is never touched.

import type { ForgetAnswer, Forgettable } from '../api/archive/delete.ts';
import type { Program } from '../command-line/commander.ts';
import { type Context, isConfirmed, printOutcome, type ToAction } from '../command-line/context.ts';
import { EXIT_NOTHING_FOUND } from '../errors.ts';
import { hint, recall } from '../hints.ts';
import { formatNumbered } from '../render/quantities.ts';
import { formatForgetWarning } from '../render/resumption.ts';
import { toPrintableLine } from '../text/printable.ts';

export function define(program: Program, run: ToAction): void {
  program
    .command('forget')
    .description(
      'remove a session and its subagents from the index and the archive for good; the transcript stays',
    )
    .argument('<ref>', 'session id, its first four or more characters, or the number of a result')
    .option('-y, --yes', 'do not ask for confirmation')
    .action(
      run(async (context, ref, { yes }) => {
        const forgettable = await context.recall.forgettable(ref, { isNumbered: true });
        const what = nameSession(forgettable);
        const isWanted = await isConfirmed(context, {
          yes,
          question: async () => {
            const { resumption } = await context.recall.resume(ref, { isNumbered: true });
            return `Remove ${what} from the index? There is no way back: it will not be indexed again. ${formatForgetWarning(resumption)} [y/N] `;
          },
          refusal: `forget would remove ${what} for good`,
          again: hint`${recall('forget', toPrintableLine(forgettable.session.nativeId), '--yes')}`,
          note: 'nothing was removed',
        });
        if (!isWanted) return EXIT_NOTHING_FOUND;
        printForgotten(context, await context.recall.forget(forgettable), forgettable, what);
      }),
    );
}

function nameSession({ session, subagents }: Forgettable): string {
  const name = `${toPrintableLine(session.nativeId)} (${toPrintableLine(session.title ?? 'untitled')})`;
  return subagents === 0 ? name : `${name} and ${formatNumbered(subagents, 'subagent')}`;
}

function printForgotten(
  context: Context,
  { forgotten, archived, isWiped, damagedFiles }: ForgetAnswer,
  { copies }: Forgettable,
  what: string,
): void {
  const removed = `forgot ${what}: ${formatNumbered(forgotten.messages, 'message')} removed`;
  if (archived > 0) context.note('its copy in the archive is deleted, too');
  printOutcome(context, { schemaVersion: 2, ...forgotten, archived, isWiped, copies }, removed);
  if (copies.length > 0) {
    const isOne = copies.length === 1;
    context.note(
      `${isOne ? 'a copy of the conversation contains' : `${copies.length} copies of the conversation contain`} the same text; to remove ${isOne ? 'it' : 'them'} too:`,
    );
    for (const copy of copies) context.note(hint`  ${recall('forget', toPrintableLine(copy))}`);
  }
  if (!isWiped) context.note('another recall is reading the index; run any command again to finish wiping');
  for (const file of damagedFiles)
    context.note(
      `a damaged index from before a repair may still contain the text; delete it: ${toPrintableLine(file)}`,
    );
}
