// The values that a filter can have, each with the number of sessions it would leave: what a menu offers. And how the sessions that
// were found are spread over them: copies count once, and a subagent as the session that it belongs to.

import { filters } from '../filters.ts';
import { parseQuery } from '../search/query/parse-query.ts';
import { groupBy } from '../search/rank.ts';
import { fileTools } from '../sources/index.ts';
import type { Store } from '../store/open/open-store.ts';
import { isCountable, quarterMs, readFacetRows, readFilterValues } from '../store/read/activity.ts';
import { readScope } from '../store/read/scope.ts';
import { readRecentIds } from '../store/read/sessions.ts';
import type { SessionFilters } from '../store/word-index.ts';
import { compareText } from '../text/compare.ts';
import { toDay } from './activity.ts';
import type { Facets, FilterValue } from './answers.ts';
import type { Host } from './host.ts';
import { readFilters } from './read-filters.ts';
import type { FilterValuesRequest } from './requests.ts';

const maxValues = 500;

const toolsWithPaths = [...fileTools.changing, ...fileTools.reading];

/** Values that the index has are sorted by when they were last used, the latest first. */
export function listFilterValues(
  host: Host,
  store: Store,
  { filter: name, query = '', within, among = [] }: FilterValuesRequest,
): { readonly values: readonly FilterValue[] } {
  const typed = parseQuery(query);
  const scopeWith = (value: string | undefined) => {
    const others = { ...typed, filters: { ...typed.filters, [name]: value } };
    return readScope(store.db, readFilters(host, store, { within }, { query: others }));
  };
  if (isCountable(name))
    return {
      values: readFilterValues(store.db, scopeWith(undefined), {
        name,
        tools: toolsWithPaths,
        limit: maxValues,
      }),
    };
  const count = (value: string) => readRecentIds(store.db, scopeWith(value), 1, name === 'kind').total;
  const values = filters[name].choices ?? among;
  return { values: values.map((value) => ({ value, sessions: count(value) })) };
}

/** Nobody looks through more, and a query finds the rest. */
const maxFacetValues = 100;

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
    projects: count(rows.map(({ project }) => project)).slice(0, maxFacetValues),
    branches: count(rows.map(({ branch }) => (branch === 'HEAD' ? null : branch))).slice(0, maxFacetValues),
    days: byDay.sort((a, b) => compareText(a.value, b.value)),
  };
}

function count(values: readonly (string | null)[]): FilterValue[] {
  const known = values.filter((value) => value !== null);
  return [...groupBy(known, (value) => value)]
    .map(([value, { length }]) => ({ value, sessions: length }))
    .sort((a, b) => b.sessions - a.sessions || compareText(a.value, b.value));
}
