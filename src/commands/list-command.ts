// recall list: the most recent sessions, numbered for open.

import type { Program } from '../command-line/commander.ts';
import { printAnswer, type ToAction } from '../command-line/context.ts';
import {
  addBriefFlags,
  addFilterFlags,
  addLimitFlag,
  addRefreshFlag,
  parseBudget,
  parseLimit,
} from '../command-line/session-flags.ts';
import { formatBriefList } from '../render/brief/brief-sessions.ts';
import { formatListPage, toListJson } from '../render/sessions.ts';

export function define(program: Program, run: ToAction): void {
  const list = program.command('list').description('list recent sessions');
  addRefreshFlag(addBriefFlags(addFilterFlags(addLimitFlag('list')(list)))).action(
    run(async (context, { limit, refresh, ...flags }) => {
      const budget = parseBudget(context, flags);
      const request = { ...flags, limit: parseLimit(limit) };
      const answer = await context.recall.list(request, { refresh });
      return printAnswer(context, answer, {
        json: () => toListJson(answer),
        nothing: () => ({ message: 'no matching session', hint: 'fewer filters, or --all' }),
        budget,
        brief: (voice, chars) => formatBriefList(answer, voice, chars),
        entries: answer.sessions,
        limit,
        page: (sessions, options) => formatListPage({ ...answer, sessions }, options),
      });
    }),
  );
}
