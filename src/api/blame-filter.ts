// When nothing was found: is it because of the words, or does a filter exclude every session? Then it is
// named.

import { resolve } from 'node:path';
import { type FilterName, filterNames, filters } from '../filters.ts';
import { occurs } from '../search/find-terms.ts';
import type { Query, Term } from '../search/query/parse-query.ts';
import type { Store } from '../store/open/open-store.ts';
import { Matcher } from '../store/read/match.ts';
import { readRecentIds } from '../store/read/read-sessions.ts';
import { readScope, type SessionFilters } from '../store/read/scope.ts';
import type { Host } from './host.ts';
import { type FilterRequest, readFilters } from './read-filters.ts';

export interface NamedFilter {
  readonly name: FilterName;
  readonly value: string;
  /** Written in the query, as project:shop. */
  readonly isInline: boolean;
}

export type Blame =
  /** No session passes this filter. `meant` is its value, with the directory in place of `.`. */
  | { readonly type: 'one'; readonly filter: NamedFilter; readonly meant: string }
  /** Some sessions pass each of them, but none passes all. */
  | { readonly type: 'together'; readonly filters: readonly NamedFilter[] }
  | { readonly type: 'swapped'; readonly since: NamedFilter; readonly until: NamedFilter }
  | ({ readonly type: 'hides' } & HiddenWords);

/** Words that occur, but only in what these filters, or these words after a minus, leave out. */
export interface HiddenWords {
  readonly words: readonly string[];
  readonly filters: readonly NamedFilter[];
  readonly excluded: readonly string[];
}

/** Null if some session passes all filters, or if there are none. */
export function blameFilter(
  host: Host,
  store: Store,
  request: FilterRequest,
  query: Partial<Query> = {},
): Blame | null {
  const given = listGiven(request, query).filter(({ name }) => filters[name].complaint !== null);
  if (given.length === 0) return null;
  const context = { store, at: host.at, now: host.now() };
  const isEmpty = (wanted: SessionFilters) =>
    readRecentIds(store.db, readScope(store.db, wanted), 1, true).total === 0;
  const all = readFilters(request, query, context);
  if (!isEmpty(all)) return null;
  const since = given.find(({ name }) => name === 'since');
  const until = given.find(({ name }) => name === 'until');
  if (since !== undefined && until !== undefined && (all.only.since ?? '') > (all.only.until ?? ''))
    return { type: 'swapped', since, until };
  const { all: includesAll } = request;
  const only = given.find(({ name, value }) =>
    isEmpty(readFilters({ [name]: value, all: includesAll }, {}, context)),
  );
  if (only !== undefined) return { type: 'one', filter: only, meant: toMeant(only, host.at.cwd) };
  // The real cause may be one of these, in combination with the others, so nothing is blamed.
  const isMixed = all.only.role !== undefined || Object.keys(all.without).length > 0;
  return isMixed ? null : { type: 'together', filters: given };
}

function toMeant({ name, value }: NamedFilter, cwd: string): string {
  return name === 'project' ? toNamedProject(value, cwd) : value;
}

/** `.` says nothing to whoever does not know where the command was run. */
export function toNamedProject(text: string, cwd: string): string {
  return /^\.{1,2}([\\/]|$)/.test(text) ? resolve(cwd, text) : text;
}

function listGiven(request: FilterRequest, query: Partial<Query>): NamedFilter[] {
  return filterNames.flatMap((name): NamedFilter[] => {
    const value = request[name] ?? query.filters?.[name];
    return value === undefined ? [] : [{ name, value, isInline: request[name] === undefined }];
  });
}

/** What has to go for the words to be found: the words after a minus, or the one filter; all of them if it takes several. */
export function findHidingFilters(
  host: Host,
  store: Store,
  request: FilterRequest,
  query: Query,
  hidden: readonly Term[],
): HiddenWords | null {
  const given = listGiven(request, query);
  const excluded = query.excluded.map(({ text }) => text);
  if (hidden.length === 0 || given.length + excluded.length === 0) return null;
  const context = { store, at: host.at, now: host.now() };
  const words = hidden.map(({ text }) => text);
  // The words after a minus are not among the filters, so each of these is without them.
  const isFoundWithout = (name?: FilterName) => {
    const without = name === undefined ? {} : { [name]: undefined };
    const others = { ...query, filters: { ...query.filters, ...without } };
    const scope = readScope(store.db, readFilters({ ...request, ...without }, others, context));
    const matcher = new Matcher(store.db, scope);
    return hidden.every((term) => occurs(matcher, term));
  };
  if (excluded.length > 0 && isFoundWithout()) return { words, filters: [], excluded };
  const cause = given.find(({ name }) => isFoundWithout(name));
  return { words, filters: cause === undefined ? given : [cause], excluded };
}
