// recall forget: removes a session from the index for good. The transcript itself is never touched.

import type { ForgetAnswer, Forgettable } from '../api/archive/forget.ts';
import type { Program } from '../command-line/commander.ts';
import {
  type Context,
  isConfirmed,
  printOutcome,
  type ToAction,
  warnAbout,
} from '../command-line/context.ts';
import { EXIT_ERROR, EXIT_NOTHING_FOUND, EXIT_OK } from '../errors.ts';
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
    .summary('remove a session from the index and the archive for good')
    .argument('<ref>', 'session id, its first four or more characters, or the number of a result')
    .option('-y, --yes', 'do not ask for confirmation')
    .action(
      run(async (context, ref, { yes }) => {
        const forgettable = await context.recall.forgettable(ref, { isNumbered: true });
        const what = nameSession(forgettable);
        const isWanted = await isConfirmed(context, {
          yes: yes || forgettable.forgottenAt !== null,
          question: async () => {
            const { resumption } = await context.recall.resume(ref, { isNumbered: true });
            return `Remove ${what} from the index? There is no way back: it will not be indexed again. ${formatForgetWarning(resumption)} [y/N] `;
          },
          refusal: `forget would remove ${what} for good`,
          again: hint`${recall('forget', toPrintableLine(forgettable.session.nativeId), '--yes')}`,
          note: 'nothing was removed',
        });
        if (!isWanted) return EXIT_NOTHING_FOUND;
        const answer = await context.recall.forget(forgettable);
        printForgotten(context, answer, forgettable, what);
        return answer.due.length > 0 ? EXIT_ERROR : EXIT_OK;
      }),
    );
}

function nameSession({ session, subagents, forgottenAt }: Forgettable): string {
  if (forgottenAt !== null) return toPrintableLine(session.nativeId);
  const name = `${toPrintableLine(session.nativeId)} (${toPrintableLine(session.title ?? 'untitled')})`;
  return subagents === 0 ? name : `${name} and ${formatNumbered(subagents, 'subagent')}`;
}

function printForgotten(
  context: Context,
  { forgotten, archived, isWiped, due, damagedFiles }: ForgetAnswer,
  { copies, forgottenAt }: Forgettable,
  what: string,
): void {
  const left = due.length > 0 ? 'not all of it could be removed' : 'nothing of it is left';
  const removed =
    forgottenAt === null
      ? `forgot ${what}: ${formatNumbered(forgotten.messages, 'message')} removed`
      : `${what} was forgotten on ${forgottenAt.slice(0, 10)}; ${left}`;
  if (archived > 0) context.note('its copy in the archive is deleted, too');
  printOutcome(context, { schemaVersion: 2, ...forgotten, archived, isWiped, copies }, removed);
  warnAbout(context, due);
  if (due.length > 0) context.note(hint`  try: fix it, then ${recall('index')}`);
  if (copies.length > 0) {
    const isOne = copies.length === 1;
    context.note(
      `${isOne ? 'a copy of the conversation contains' : `${copies.length} copies of the conversation contain`} the same text; to remove ${isOne ? 'it' : 'them'} too:`,
    );
    for (const copy of copies) context.note(hint`  ${recall('forget', toPrintableLine(copy))}`);
  }
  for (const file of damagedFiles)
    context.note(
      `a damaged index from before a repair may still contain the text; delete it: ${toPrintableLine(file)}`,
    );
}
