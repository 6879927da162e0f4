// recall projects: the projects, how many sessions each has, and whether its directory still exists.

import { toNamedProject } from '../api/read-filters.ts';
import { projectOrders } from '../api/requests.ts';
import { Option, type Program } from '../command-line/commander.ts';
import { printAnswer, type ToAction } from '../command-line/context.ts';
import { addLimitFlag, addRefreshFlag, addWhoseFlags, parseLimit } from '../command-line/session-flags.ts';
import { hint, recall } from '../hints.ts';
import { formatProjectsPage, toProjectsJson } from '../render/sessions.ts';
import { toPrintableLine } from '../text/printable.ts';

export function define(program: Program, run: ToAction): void {
  const projects = program
    .command('projects')
    .description('list projects, with the number of sessions in each')
    .argument('[text]', 'only these: a path, a name, or . for the current directory')
    .addOption(
      new Option('--sort <order>', 'order of the projects').choices(projectOrders).default('recent' as const),
    );
  addRefreshFlag(addWhoseFlags(addLimitFlag('projects')(projects))).action(
    run(async (context, text, { sort, limit, agent, machine, owner, refresh }) => {
      const request = { text, sort, agent, machine, owner, limit: parseLimit(limit) };
      const answer = await context.recall.projects(request, { refresh });
      return printAnswer(context, answer, {
        json: () => toProjectsJson(answer),
        nothing: () => ({
          message:
            text === undefined
              ? 'no projects'
              : `no project matching ${toPrintableLine(toNamedProject(text, context.at.cwd))}`,
          hint: hint`${recall('projects')}`,
        }),
        entries: answer.projects,
        limit,
        page: (projects, options) => formatProjectsPage({ ...answer, projects }, options),
      });
    }),
  );
}
