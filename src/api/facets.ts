// How the sessions that were found are spread over agents, projects, branches and days. Copies count once, and a subagent as the
// session that it belongs to.

import type { Store } from '../store/open/open-store.ts';
import { quarterMs, readFacetRows } from '../store/read/activity.ts';
import { readScope } from '../store/read/scope.ts';
import type { SessionFilters } from '../store/word-index.ts';
import { compareText } from '../text/compare.ts';
import { toDay } from './activity.ts';
import type { FacetCount, Facets } from './answers.ts';

/** Nobody looks through more, and a query finds the rest. */
const maxValues = 100;

/** `ids` null: all sessions that the filters let through. */
export function readFacets({ db }: Store, filters: SessionFilters, ids: readonly number[] | null): Facets {
  const rows = readFacetRows(db, ids === null ? readScope(db, filters) : ids);
  const days = new Map<number, string>();
  const toLocalDay = (quarter: number | null) => {
    if (quarter === null) return null;
    const day = days.get(quarter) ?? toDay(new Date(quarter * quarterMs));
    days.set(quarter, day);
    return day;
  };
  const byDay = count(rows.map(({ quarter }) => toLocalDay(quarter)));
  return {
    agents: count(rows.map(({ agent }) => agent)),
    projects: count(rows.map(({ project }) => project)).slice(0, maxValues),
    branches: count(rows.map(({ branch }) => (branch === 'HEAD' ? null : branch))).slice(0, maxValues),
    days: byDay.sort((a, b) => compareText(a.value, b.value)),
  };
}

function count(values: readonly (string | null)[]): FacetCount[] {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, sessions]) => ({ value, sessions }))
    .sort((a, b) => b.sessions - a.sessions || compareText(a.value, b.value));
}
