// Nothing was found: is it the words, or does a filter alone leave no session to look at? Then that one is named.

import type { Context } from '../command-line/context.ts';
import { toPrintableLine } from '../render/printable.ts';
import type { Query } from '../search/parse-query.ts';
import type { Store } from '../store/open/open-store.ts';
import { readRecentIds } from '../store/read/read-sessions.ts';
import { type SessionFilters, toScope } from '../store/read/scope.ts';
import { type FilterFlags, toFilters } from './filter-flags.ts';

export interface Blame {
  readonly message: string;
  readonly hint: string;
}

const named = ['project', 'branch', 'model', 'file', 'kind', 'since', 'until'] as const;
type Named = (typeof named)[number];

const complaints: Readonly<Record<Named, (value: string) => string>> = {
  project: (value) => `no session is in project ${value}`,
  branch: (value) => `no session is on a branch ${value}`,
  model: (value) => `no session used a model ${value}`,
  file: (value) => `no session touched ${value}`,
  kind: (value) => `no session is of kind ${value}`,
  since: (value) => `no session was active since ${value}`,
  until: (value) => `no session was begun by ${value}`,
};

/** Null when there are sessions that fit all filters, or none was given. */
export function blameFilter(
  context: Pick<Context, 'at' | 'now'>,
  store: Store,
  flags: FilterFlags,
  query: Partial<Query> = {},
  /** Whether the command has --all, which it is not given yet. */
  knowsAll = flags.all !== true,
): Blame | null {
  const inline = query.filters ?? {};
  const given = named.filter((name) => (flags[name] ?? inline[name]) !== undefined);
  if (given.length === 0) return null;
  const at = { at: context.at, now: context.now(), currentSession: null };
  const isEmpty = (filters: SessionFilters) =>
    readRecentIds(store.db, toScope(store.db, filters), 1, true).total === 0;
  const all = toFilters(store, flags, query, at);
  // What only together with these leaves nothing would be blamed on others.
  const isMixed = all.role !== null || Object.values(all.without).some((values) => values.length > 0);
  if (!isEmpty(all)) return null;
  const toTyped = (name: Named) =>
    toPrintableLine(flags[name] !== undefined ? `--${name} ${flags[name]}` : `${name}:${inline[name]}`);
  if (all.since !== null && all.until !== null && all.since > all.until)
    return { message: `${toTyped('since')} is after ${toTyped('until')}`, hint: 'swap them' };
  const orAll = knowsAll ? ', or --all' : '';
  for (const name of given) {
    const value = flags[name] ?? inline[name] ?? '';
    if (!isEmpty(toFilters(store, { [name]: value, all: flags.all ?? false }, {}, at))) continue;
    const hint = name === 'project' ? 'recall projects' : `leave ${toTyped(name)} out`;
    return {
      message: complaints[name](toPrintableLine(value)),
      hint: `${hint}${orAll}`,
    };
  }
  if (isMixed) return null;
  return { message: `no session fits ${given.map(toTyped).join(' and ')}`, hint: `fewer filters${orAll}` };
}
