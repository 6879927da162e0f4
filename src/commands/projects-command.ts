// recall projects: where sessions were, how many, and whether the directory is still there.

import { isDirectory } from '../api/is-directory.ts';
import { type FreshnessFlags, withFreshStore } from '../api/with-fresh-store.ts';
import type { Context } from '../command-line/context.ts';
import { toLimit } from '../command-line/limit-flag.ts';
import { toNothingNote } from '../command-line/nothing-note.ts';
import { toPageOptions } from '../command-line/page-options.ts';
import { EXIT_NOTHING_FOUND, EXIT_OK } from '../errors.ts';
import { toJsonText } from '../render/json-text.ts';
import { toPrintableLine } from '../text/printable.ts';
import { type ListedProject, toProjectsJson, toProjectsPage } from '../render/sessions/projects.ts';
import { findProjects } from '../search/find-projects.ts';
import { type ProjectSummary, readProjectSummaries } from '../store/read/read-projects.ts';
import { compareText } from '../text/compare-text.ts';

type Order = 'recent' | 'sessions' | 'messages' | 'size' | 'name';

export interface ProjectsFlags extends FreshnessFlags {
  readonly sort?: Order;
  readonly limit?: string;
}

export async function runProjects(
  context: Context,
  text: string | undefined,
  flags: ProjectsFlags,
): Promise<number> {
  const limit = toLimit(flags.limit);
  return withFreshStore(context, flags, (store) => {
    const all = readProjectSummaries(store.db);
    const wanted = text === undefined ? all : choose(all, text, context);
    const shown = wanted
      .sort(orders[flags.sort ?? 'recent'])
      .slice(0, limit)
      .map(
        (project): ListedProject => ({
          ...project,
          exists: project.path === null ? null : isDirectory(project.path),
        }),
      );
    if (context.json) context.print(toJsonText(toProjectsJson(shown, wanted.length)));
    else if (shown.length > 0) {
      context.print(toProjectsPage(shown, wanted.length, toPageOptions(context)));
    } else {
      const what = text === undefined ? 'no project' : `no project ${toPrintableLine(text)}`;
      context.note(toNothingNote(context, store, what, 'recall projects'));
    }
    return shown.length > 0 ? EXIT_OK : EXIT_NOTHING_FOUND;
  });
}

/** As the flag --project of other commands takes it. */
function choose(all: readonly ProjectSummary[], text: string, { at }: Context): ProjectSummary[] {
  const named = all.flatMap(({ id, path }) => (id === null || path === null ? [] : [{ id, path }]));
  const ids = new Set(findProjects(named, text, at.cwd, at.homeDir).map((project) => project.id));
  return all.filter(({ id }) => id !== null && ids.has(id));
}

type Compare = (a: ProjectSummary, b: ProjectSummary) => number;

const byName: Compare = (a, b) => compareText(a.path ?? '', b.path ?? '');
const byTime: Compare = (a, b) => compareText(b.lastUsedAt ?? '', a.lastUsedAt ?? '') || byName(a, b);

const orders: Readonly<Record<Order, Compare>> = {
  recent: byTime,
  sessions: (a, b) => b.sessions - a.sessions || byTime(a, b),
  messages: (a, b) => b.messages - a.messages || byTime(a, b),
  size: (a, b) => b.textChars - a.textChars || byTime(a, b),
  name: byName,
};
