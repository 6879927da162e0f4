// recall list: the most recent sessions, numbered for open.

import type { Program } from '../command-line/commander.ts';
import { toPageOptions } from '../command-line/context.ts';
import { noteFreshness, printNothing } from '../command-line/notes.ts';
import { printNumbered } from '../command-line/print-numbered.ts';
import type { Run } from '../command-line/run.ts';
import {
  addBriefFlags,
  addFilterFlags,
  addLimitFlag,
  addRefreshFlag,
  defaultBudgets,
  toBudget,
  toLimit,
} from '../command-line/session-options.ts';
import { EXIT_NOTHING_FOUND, EXIT_OK } from '../errors.ts';
import { defaultLimits } from '../records.ts';
import { toBriefList, toCommandVoice } from '../render/brief/brief-sessions.ts';
import { toJsonText } from '../render/json.ts';
import { toListJson, toListPage } from '../render/sessions.ts';

export function define(program: Program, run: Run): void {
  const list = program.command('list').description('list recent sessions');
  addRefreshFlag(addBriefFlags(addFilterFlags(addLimitFlag(list, defaultLimits.list))))
    .addHelpText('after', examples)
    .action(
      run(async (context, { limit, refresh, ...flags }) => {
        const budget = toBudget(flags, defaultBudgets.list, context.json);
        const answer = await context.recall.list(
          { ...flags, limit: toLimit(limit, defaultLimits.list) },
          { refresh },
        );
        noteFreshness(context, answer.freshness);
        const { emptiness } = answer;
        const nothing = { message: 'no matching session', hint: 'fewer filters, or --all' };
        if (context.json) context.print(toJsonText(toListJson(answer)));
        else if (emptiness !== null) printNothing(context, emptiness, nothing);
        else if (budget !== null)
          context.print(toBriefList(answer, toCommandVoice(context.givenFlags), budget).text);
        else
          await printNumbered(context, {
            sessions: answer.sessions,
            limit,
            toPage: (sessions) => toListPage({ ...answer, sessions }, toPageOptions(context)),
          });
        return emptiness === null ? EXIT_OK : EXIT_NOTHING_FOUND;
      }),
    );
}

const examples = `
Examples:
  recall list
  recall list --project . --since "last week"
  recall list --file jwt-auth.ts --branch main
  recall list --subagents --limit 50 --json`;
