// recall stats: how much was said: when, in which projects, and with which models and tools.

import type { Program } from '../command-line/commander.ts';
import { printAnswer, type ToAction } from '../command-line/context.ts';
import { addRefreshFlag, addScopeFlags } from '../command-line/session-flags.ts';
import { formatStatsPage, toStatsJson } from '../render/activity.ts';

export function define(program: Program, run: ToAction): void {
  const stats = program.command('stats').description('show activity by day, hour, project, model and tool');
  addRefreshFlag(addScopeFlags(stats)).action(
    run(async (context, { refresh, ...flags }) => {
      const activity = await context.recall.activity(flags, { refresh });
      return printAnswer(context, activity, {
        json: () => toStatsJson(activity),
        nothing: () => ({ message: 'no matching activity', hint: 'fewer filters' }),
        entries: activity.longest,
        limit: 'all',
        // The whole page is taller than most terminals, with or without the sessions.
        isPaged: true,
        page: (_, options) => formatStatsPage(activity, { ...options, columns: context.stdout.columns }),
      });
    }),
  );
}
