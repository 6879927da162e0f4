// The projects, how many sessions each has, and whether its directory still exists.

import { defaultLimits } from '../records.ts';
import type { Store } from '../store/open/open-store.ts';
import { readProjectSummaries } from '../store/read/activity.ts';
import { readScope } from '../store/read/scope.ts';
import type { ProjectSummary } from '../store/word-index.ts';
import { compareText } from '../text/compare.ts';
import type { ProjectsAnswer } from './answers.ts';
import type { Host } from './host.ts';
import { findProjects, readEmptiness, readFilters } from './read-filters.ts';
import type { ProjectsRequest, projectOrders } from './requests.ts';
import { isDirectory } from './resume.ts';

export function listProjects(
  host: Host,
  store: Store,
  { text, sort, limit, agent, machine, owner }: ProjectsRequest,
): ProjectsAnswer {
  const filters = readFilters(host, store, { agent, machine, owner });
  const all = readProjectSummaries(store.db, readScope(store.db, filters));
  const wanted = text === undefined ? all : choose(all, text, host);
  const projects = wanted
    .sort(comparisons[sort ?? 'recent'])
    .slice(0, limit ?? defaultLimits.projects)
    .map((project) => ({ ...project, exists: project.path === null ? null : isDirectory(project.path) }));
  return { projects, total: wanted.length, emptiness: wanted.length > 0 ? null : readEmptiness(store, null) };
}

/** Follows the rules of the `project` filter. */
function choose(all: readonly ProjectSummary[], text: string, { at }: Host): ProjectSummary[] {
  const named = all.flatMap(({ id, path }) => (id === null || path === null ? [] : [{ id, path }]));
  const ids = new Set(findProjects(named, text, at.cwd, at.homeDir).map((project) => project.id));
  return all.filter(({ id }) => id !== null && ids.has(id));
}

type Compare = (a: ProjectSummary, b: ProjectSummary) => number;

const byName: Compare = (a, b) => compareText(a.path ?? '', b.path ?? '');
const byTime: Compare = (a, b) => compareText(b.lastUsedAt ?? '', a.lastUsedAt ?? '') || byName(a, b);

const comparisons: Readonly<Record<(typeof projectOrders)[number], Compare>> = {
  recent: byTime,
  sessions: (a, b) => b.sessions - a.sessions || byTime(a, b),
  messages: (a, b) => b.messages - a.messages || byTime(a, b),
  size: (a, b) => b.textChars - a.textChars || byTime(a, b),
  name: byName,
};
