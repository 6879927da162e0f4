// recall archive: reports the copies of transcripts that agents delete; turns the archive on and off, checks it, prunes it.

import { Argument, type FlagsOf, type Program } from '../command-line/commander.ts';
import {
  type Context,
  isConfirmed,
  printOutcome,
  type ToAction,
  toPageOptions,
  warnAbout,
} from '../command-line/context.ts';
import { parseNumber } from '../command-line/session-flags.ts';
import { EXIT_ERROR, EXIT_NOTHING_FOUND, EXIT_OK, usageError } from '../errors.ts';
import { type Hint, hint, recall } from '../hints.ts';
import {
  findArchiveHint,
  formatArchivePage,
  formatVerifyReport,
  toArchiveJson,
} from '../render/archive-page.ts';
import { fitTo } from '../render/columns.ts';
import { toJsonText } from '../render/json.ts';
import { formatBytes, formatNumbered } from '../render/quantities.ts';
import { quoteForShell } from '../text/printable.ts';

const actionNames = ['on', 'off', 'verify', 'prune'] as const;

export function define(program: Program, run: ToAction): void {
  addArchive(program).action(run((context, action, flags) => actions[action ?? 'status'](context, flags)));
}

type ArchiveFlags = FlagsOf<typeof addArchive>;

function addArchive(program: Program) {
  return program
    .command('archive')
    .description('keep a copy of every transcript, so that sessions which an agent deletes can be resumed')
    .addArgument(new Argument('[action]', 'leave it out to see what is kept').choices(actionNames))
    .option('--delete', 'off: also delete what is kept, after asking')
    .option('--older-than <days>', 'prune: sessions that were last used longer ago')
    .option('--project <text>', 'prune: sessions of this project (. = here)')
    .option('-y, --yes', 'do not ask for confirmation');
}

type Action = (context: Context, flags: ArchiveFlags) => Promise<number | undefined>;
const actions: Readonly<Record<'status' | (typeof actionNames)[number], Action>> = {
  status: async (context) => {
    const status = await context.recall.archive.status();
    if (context.json) context.print(toJsonText(toArchiveJson(status)));
    else {
      const { isTerminal, rows } = context.stdout;
      context.print(formatArchivePage(status, toPageOptions(context), isTerminal ? rows : undefined));
      const next = findArchiveHint(status);
      if (next !== null) context.note(next);
    }
    warnAbout(context, status.obstacle === null ? [] : [status.obstacle]);
    return status.obstacle === null ? EXIT_OK : EXIT_ERROR;
  },

  on: async (context) => {
    await context.recall.archive.turn(true);
    printOutcome(context, { isOn: true }, 'the archive is on');
    if (!context.json) context.note(hint`to fill it now: ${recall('index')}`);
  },

  off: async (context, flags) => {
    const copies = flags.delete ? await context.recall.archive.status() : null;
    if (copies !== null && copies.bytes > 0) {
      const { sessions, bytes, path } = copies;
      const what = `the copies of ${formatNumbered(sessions, 'session')} (${formatBytes(bytes)}) in ${path}`;
      const again = hint`${recall('archive', 'off', '--delete', '--yes')}`;
      if (!(await isWanted(context, flags, what, again))) return EXIT_NOTHING_FOUND;
    }
    await context.recall.archive.turn(false);
    if (copies !== null) await context.recall.archive.deleteAll();
    const deleted = copies?.bytes === 0 ? 'off; nothing was kept' : 'off, and what was kept is deleted';
    const outcome = copies === null ? 'off; what is kept stays' : deleted;
    printOutcome(context, { isOn: false, isDeleted: flags.delete === true }, `the archive is ${outcome}`);
  },

  verify: async (context) => {
    const verified = await context.recall.archive.verify();
    if (context.json) context.print(toJsonText({ schemaVersion: 1, ...verified }));
    else context.print(fitTo(context.stdout, formatVerifyReport(verified, context.givenFlags).join('\n')));
    return verified.damages.length > 0 ? EXIT_ERROR : EXIT_OK;
  },

  prune: async (context, flags) => {
    const { olderThan, project } = flags;
    const days = { what: 'a number of days', least: 0 };
    const olderThanDays = olderThan === undefined ? undefined : parseNumber('--older-than', olderThan, days);
    if (olderThan === undefined && project === undefined)
      throw usageError(
        'prune needs --older-than <days> or --project <text>',
        hint`${recall('archive', 'prune', '--older-than', '365')}`,
      );
    const prunable = await context.recall.archive.prunable({ olderThanDays, project });
    const { sessions, count, bytes } = prunable;
    if (sessions.length > 0) {
      const what = `the copies of ${formatNumbered(count, 'session')} (${formatBytes(bytes)})`;
      const chosen = [
        ...(olderThan === undefined ? [] : ['--older-than', String(olderThanDays)]),
        ...(project === undefined ? [] : ['--project', quoteForTyping(project)]),
      ];
      const again = hint`${recall('archive', 'prune', ...chosen, '--yes')}`;
      if (!(await isWanted(context, flags, what, again))) return EXIT_NOTHING_FOUND;
      await context.recall.archive.prune(prunable);
    }
    const outcome = `pruned ${formatNumbered(count, 'session')}, ${formatBytes(bytes)}`;
    printOutcome(context, { sessions: sessions.map(({ nativeId }) => nativeId), bytes }, outcome);
    return sessions.length > 0 ? EXIT_OK : EXIT_NOTHING_FOUND;
  },
};

function isWanted(context: Context, { yes }: ArchiveFlags, what: string, again: Hint): Promise<boolean> {
  return isConfirmed(context, {
    yes,
    question: () => `Delete ${what} for good? [y/N] `,
    refusal: `this would delete ${what} for good`,
    again,
    note: 'nothing was deleted',
  });
}

function quoteForTyping(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : quoteForShell(text);
}
