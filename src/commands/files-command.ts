// recall files: the sessions that read or changed a file, numbered for open.

import type { Program } from '../command-line/commander.ts';
import { toPageOptions } from '../command-line/context.ts';
import { noteFreshness, printNothing } from '../command-line/notes.ts';
import { printNumbered } from '../command-line/print-numbered.ts';
import type { Run } from '../command-line/run.ts';
import {
  addBriefFlags,
  addLimitFlag,
  addRefreshFlag,
  addScopeFlags,
  defaultBudgets,
  toBudget,
  toLimit,
} from '../command-line/session-options.ts';
import { EXIT_NOTHING_FOUND, EXIT_OK } from '../errors.ts';
import { type Hint, hint, recall } from '../hints.ts';
import { defaultLimits } from '../records.ts';
import { toBriefTouched, toCommandVoice } from '../render/brief/brief-sessions.ts';
import { toJsonText } from '../render/json.ts';
import { toFilesJson, toFilesPage } from '../render/sessions.ts';
import { toPrintableLine } from '../text/printable.ts';

export function define(program: Program, run: Run): void {
  const files = program
    .command('files')
    .description('show the sessions that read or changed a file')
    .argument(
      '<path>',
      'a path, the end of one (src/auth.ts), or a directory; ./ and ../ start at the current directory',
    )
    .option('--changed', 'only sessions that changed it');
  addRefreshFlag(addBriefFlags(addScopeFlags(addLimitFlag(files, defaultLimits.files))))
    .addHelpText('after', examples)
    .action(
      run(async (context, path, { limit, refresh, changed, ...flags }) => {
        const budget = toBudget(flags, defaultBudgets.files, context.json);
        const request = { ...flags, path, changedOnly: changed, limit: toLimit(limit, defaultLimits.files) };
        const history = await context.recall.fileHistory(request, { refresh });
        noteFreshness(context, history.freshness);
        const { emptiness } = history;
        if (context.json) context.print(toJsonText(toFilesJson(history)));
        else if (emptiness !== null)
          printNothing(context, emptiness, toNothing(history.path, changed ?? false));
        else if (budget !== null)
          context.print(toBriefTouched(history, toCommandVoice(context.givenFlags), budget).text);
        else
          await printNumbered(context, {
            sessions: history.sessions,
            limit,
            toPage: (sessions) => toFilesPage({ ...history, sessions }, toPageOptions(context)),
          });
        return emptiness === null ? EXIT_OK : EXIT_NOTHING_FOUND;
      }),
    );
}

function toNothing(path: string, changedOnly: boolean): { readonly message: string; readonly hint: Hint } {
  const shown = toPrintableLine(path);
  const name = toPrintableLine(path.replace(/[\\/]+$/, '').replace(/^.*[\\/]/, '')) || '<name>';
  return {
    message: `no session ${changedOnly ? 'changed' : 'read or changed'} ${shown}`,
    hint: name === path ? hint`${recall('search', name)}` : hint`only the name: ${recall('files', name)}`,
  };
}

const examples = `
Examples:
  recall files auth.ts
  recall files ./src/auth.ts --changed
  recall files src/middleware --since 30d
  recall files ~/shop/package.json --json`;
