// recall projects: the projects, how many sessions each has, and whether its directory still exists.

import { projectOrders } from '../api/projects.ts';
import { toNamedProject } from '../api/read-filters.ts';
import { Option, type Program } from '../command-line/commander.ts';
import { toPageOptions } from '../command-line/context.ts';
import { fitPage } from '../command-line/fit-page.ts';
import { noteFreshness, printNothing } from '../command-line/notes.ts';
import type { Run } from '../command-line/run.ts';
import { addAgentFlag, addRefreshFlag, toLimit } from '../command-line/session-options.ts';
import { EXIT_NOTHING_FOUND, EXIT_OK } from '../errors.ts';
import { hint, recall } from '../hints.ts';
import { defaultLimits } from '../records.ts';
import { toJsonText } from '../render/json.ts';
import { toProjectsJson, toProjectsPage } from '../render/sessions.ts';
import { toPrintableLine } from '../text/printable.ts';

export function define(program: Program, run: Run): void {
  const projects = program
    .command('projects')
    .description('list projects, with the number of sessions in each')
    .argument('[text]', 'only these: a path, a name, or . for the current directory')
    .addOption(
      new Option('--sort <order>', 'order of the projects').choices(projectOrders).default('recent' as const),
    )
    .option(
      '--limit <n>',
      `how many projects to show (default: ${defaultLimits.projects}, on a terminal as many as fit)`,
    );
  addRefreshFlag(addAgentFlag(projects))
    .addHelpText('after', examples)
    .action(
      run(async (context, text, { sort, limit, agent, refresh }) => {
        const request = { text, sort, agent, limit: toLimit(limit, defaultLimits.projects) };
        const answer = await context.recall.projects(request, { refresh });
        noteFreshness(context, answer.freshness);
        const { emptiness } = answer;
        const nothing = {
          message:
            text === undefined
              ? 'no projects'
              : `no project matching ${toPrintableLine(toNamedProject(text, context.at.cwd))}`,
          hint: hint`${recall('projects')}`,
        };
        if (context.json) context.print(toJsonText(toProjectsJson(answer)));
        else if (emptiness !== null) printNothing(context, emptiness, nothing);
        else {
          const toPage = (shown: typeof answer.projects) =>
            toProjectsPage({ ...answer, projects: shown }, toPageOptions(context));
          context.print(fitPage(context, answer.projects, limit, toPage).page);
        }
        return emptiness === null ? EXIT_OK : EXIT_NOTHING_FOUND;
      }),
    );
}

const examples = `
Examples:
  recall projects
  recall projects shop
  recall projects --sort messages --limit 5
  recall projects ~/work --json`;
