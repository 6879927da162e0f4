// recall stats: how much was said: when, in which projects, and with which models and tools.

import type { Program } from '../command-line/commander.ts';
import { toPageOptions } from '../command-line/context.ts';
import { noteFreshness, printNothing } from '../command-line/notes.ts';
import { printNumbered } from '../command-line/print-numbered.ts';
import type { Run } from '../command-line/run.ts';
import { addRefreshFlag, addScopeFlags } from '../command-line/session-options.ts';
import { EXIT_NOTHING_FOUND, EXIT_OK } from '../errors.ts';
import { toStatsJson, toStatsPage } from '../render/activity.ts';
import { toJsonText } from '../render/json.ts';

export function define(program: Program, run: Run): void {
  const stats = program.command('stats').description('show activity by day, hour, project, model and tool');
  addRefreshFlag(addScopeFlags(stats))
    .addHelpText('after', examples)
    .action(
      run(async (context, { refresh, ...flags }) => {
        const activity = await context.recall.activity(flags, { refresh });
        noteFreshness(context, activity.freshness);
        const { emptiness } = activity;
        const nothing = { message: 'no matching activity', hint: 'fewer filters' };
        if (context.json) context.print(toJsonText(toStatsJson(activity)));
        else if (emptiness !== null) printNothing(context, emptiness, nothing);
        else
          await printNumbered(context, {
            sessions: activity.longest,
            // The whole page is taller than most terminals, with or without these.
            limit: 'all',
            toPage: () =>
              toStatsPage(activity, { ...toPageOptions(context), columns: context.stdout.columns }),
          });
        return emptiness === null ? EXIT_OK : EXIT_NOTHING_FOUND;
      }),
    );
}

const examples = `
Examples:
  recall stats
  recall stats --project . --since 2026-01
  recall stats --since "last month" --until "last month"
  recall stats --json`;
