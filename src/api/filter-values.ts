// The values that a filter can have, each with the number of sessions it would leave: what a menu offers.

import { filters } from '../filters.ts';
import { parseQuery } from '../search/query/parse-query.ts';
import { fileTools } from '../sources/index.ts';
import type { Store } from '../store/open/open-store.ts';
import { isCountable, readFilterValues } from '../store/read/activity.ts';
import { readScope } from '../store/read/scope.ts';
import { readRecentIds } from '../store/read/sessions.ts';
import type { Host } from './host.ts';
import { readFilters } from './read-filters.ts';
import type { FilterValuesRequest } from './requests.ts';

export interface FilterValue {
  readonly value: string;
  readonly sessions: number;
}

const maxValues = 500;

const toolsWithPaths = [...fileTools.changing, ...fileTools.reading];

/** Those of the index come with the one that was used last first. */
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
    return { values: readFilterValues(store.db, name, scopeWith(undefined), toolsWithPaths, maxValues) };
  const count = (value: string) => readRecentIds(store.db, scopeWith(value), 1, name === 'kind').total;
  const values = filters[name].choices ?? among;
  return { values: values.map((value) => ({ value, sessions: count(value) })) };
}
