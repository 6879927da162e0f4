// recall files: the sessions that read or changed a file, numbered for open.

import type { FileHistory } from '../api/answers.ts';
import type { Program } from '../command-line/commander.ts';
import { type Context, type Nothing, printAnswer, type ToAction } from '../command-line/context.ts';
import {
  addBriefFlags,
  addLimitFlag,
  addRefreshFlag,
  addScopeFlags,
  parseBudget,
  parseLimit,
} from '../command-line/session-flags.ts';
import { hint, recall } from '../hints.ts';
import { formatBriefFiles } from '../render/brief/brief-sessions.ts';
import { formatFilesPage, type SessionLineOptions, toFilesJson } from '../render/sessions.ts';
import { toPrintableLine } from '../text/printable.ts';

export function define(program: Program, run: ToAction): void {
  const files = program
    .command('files')
    .description('show the sessions that read or changed a file')
    .argument(
      '<path>',
      'a path, the end of one (src/auth.ts), or a directory; ./ and ../ start at the current directory',
    )
    .option('--changed', 'only sessions that changed it');
  addRefreshFlag(addBriefFlags(addScopeFlags(addLimitFlag('files')(files)))).action(
    run(async (context, path, { limit, refresh, changed, ...flags }) => {
      const budget = parseBudget(context, flags);
      const request = { ...flags, path, changedOnly: changed, limit: parseLimit(limit) };
      const history = await context.recall.fileHistory(request, { refresh });
      return printAnswer(context, history, {
        json: () => toFilesJson(history),
        nothing: () => explainNothing(history.path, changed ?? false),
        budget,
        brief: (voice, chars) => formatBriefFiles(history, voice, chars),
        entries: history.sessions,
        limit,
        page: (sessions, options) => fitFiles(context, { ...history, sessions }, options),
        isPaged: true,
      });
    }),
  );
}

/** The files that match are worth less than the sessions: on a terminal as many as leave room for these. */
function fitFiles({ stdout }: Context, history: FileHistory, options: SessionLineOptions): string {
  const pages = [10, 5, 3].map((count) => formatFilesPage(history, options, count));
  const fits = (page: string) => !stdout.isTerminal || page.split('\n').length <= stdout.rows - 2;
  return pages.find(fits) ?? pages.at(-1) ?? '';
}

function explainNothing(path: string, changedOnly: boolean): Nothing {
  const shown = toPrintableLine(path);
  const name = toPrintableLine(path.replace(/[\\/]+$/, '').replace(/^.*[\\/]/, '')) || '<name>';
  return {
    message: `no session ${changedOnly ? 'changed' : 'read or changed'} ${shown}`,
    hint: name === path ? hint`${recall('search', name)}` : hint`only the name: ${recall('files', name)}`,
  };
}
