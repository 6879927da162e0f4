// Filters as typed, in a request or in the query itself → values for the store. A request overrides the same
// filter in the query. An invalid filter in a request is an error, while in a query it is just words.

import { normalize, resolve } from 'node:path';
import { usageError } from '../errors.ts';
import { type FilterName, filterNames, filters, findChoice } from '../filters.ts';
import { hint, parameter } from '../hints.ts';
import {
  type AgentName,
  type Role,
  roles,
  type SearchedPart,
  type SessionKind,
  type Surroundings,
  toTag,
} from '../records.ts';
import { findOccurring } from '../search/find-terms.ts';
import { parseDate } from '../search/query/parse-date.ts';
import type { Query, Term } from '../search/query/parse-query.ts';
import type { Store } from '../store/open/open-store.ts';
import { readProjects, readTotals } from '../store/read/index-facts.ts';
import { readScope } from '../store/read/scope.ts';
import { countSessions, readRecentIds } from '../store/read/sessions.ts';
import { openWordIndex } from '../store/read/sqlite-word-index.ts';
import type { FilterValues, SessionFilters } from '../store/word-index.ts';
import { toPrintableLine } from '../text/printable.ts';
import type { Blame, Emptiness, HiddenWords, NamedFilter } from './answers.ts';
import type { Host } from './host.ts';
import type { FilterRequest } from './requests.ts';

/** An index, or in its place where the sessions of a hub were. */
type Places = Store | { readonly projects: readonly { readonly id: number; readonly path: string }[] };

const meanings: {
  readonly [Name in FilterName]: (text: string, host: Host, places: Places) => FilterValues[Name];
} = {
  project: (text, { at }, places) => {
    const projects = 'projects' in places ? places.projects : readProjects(places.db);
    return findProjects(projects, text, at.cwd, at.homeDir).map((project) => project.id);
  },
  since: (text, host) => toTime('since', text, host.now()),
  until: (text, host) => toTime('until', text, host.now()),
  branch: (text) => text,
  role: (text) => toChoice('role', text) as Role,
  model: (text) => text,
  file: (text, { at }) => toWantedPath(text, at),
  agent: (text) => toChoice('agent', text) as AgentName,
  machine: (text) => text,
  owner: (text) => text,
  kind: (text) => toChoice('kind', text) as SessionKind,
  tag: toTag,
  is: (text) => toChoice('is', text),
  has: (text) => toChoice('has', text),
  in: (text) => toChoice('in', text) as SearchedPart,
};

interface FurtherFilters {
  readonly query?: Partial<Query>;
  /** A session that is not wanted, by its id. */
  readonly leftOut?: string | null;
}

export function readFilters(
  host: Host,
  places: Places,
  request: FilterRequest,
  { query = {}, leftOut = null }: FurtherFilters = {},
): SessionFilters {
  const { filters: inline = {}, excludedFilters: excluded = {} } = query;
  const only: Partial<Record<FilterName, unknown>> = {};
  const without: Partial<Record<FilterName, unknown>> = {};
  for (const name of filterNames) {
    const text = request[name] ?? inline[name];
    if (request[name]?.trim() === '')
      throw usageError(hint`${parameter(name)} needs a value`, hint`leave ${parameter(name)} out`);
    if (text !== undefined) only[name] = meanings[name](text, host, places);
    const negated = excluded[name]?.map((each) => meanings[name](each, host, places));
    if (negated !== undefined) without[name] = negated;
  }
  if (request.within !== undefined) {
    const inside = new Set(request.within.flatMap((path) => meanings.project(path, host, places)));
    const named = only.project as readonly number[] | undefined;
    only.project = named === undefined ? [...inside] : named.filter((id) => inside.has(id));
  }
  // Excluding one role means that the other one said it.
  const excludedRole = (without as SessionFilters['without']).role?.at(-1);
  if (excludedRole !== undefined) only.role ??= roles.find((role) => role !== excludedRole);
  return {
    only: only as SessionFilters['only'],
    without: without as SessionFilters['without'],
    includeAll: request.all ?? false,
    excludedNativeIds: leftOut === null ? [] : [leftOut],
  };
}

/** The path that the typed text means: absolute if the text says where it starts, otherwise the end of a path. */
export function toWantedPath(path: string, at: Surroundings): string {
  const slashed = path.replaceAll('\\', '/');
  if (slashed === '~' || slashed.startsWith('~/')) return normalize(at.homeDir + slashed.slice(1));
  const plain = normalize(slashed).replace(/(.)\/+$/, '$1');
  const isFromHere = [slashed, plain].some((each) => /^\.{1,2}(\/|$)/.test(each));
  return (isFromHere ? resolve(at.cwd, slashed) : plain).replaceAll('\\', '/');
}

function toChoice(name: FilterName, text: string): string {
  const found = findChoice(name, text);
  if (found !== undefined) return found;
  const { choices = [] } = filters[name];
  throw usageError(
    hint`${parameter(name)} must be one of ${choices.join(', ')}, not ${toPrintableLine(text)}`,
  );
}

/** Between these, times have a four-digit year and can be compared as text. */
const firstMs = Date.parse('0000-01-01T00:00:00.000Z');
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');

function toTime(name: 'since' | 'until', text: string, now: Date): string {
  const range = parseDate(text, now);
  if (range === null)
    throw usageError(
      hint`${parameter(name)} does not understand ${toPrintableLine(text)}`,
      'a day such as 2026-01-31, 2026-01, "Oct 6", 7d, today, yesterday, or "last week"',
    );
  const ms = name === 'since' ? range.fromMs : range.toMs;
  return new Date(Math.min(Math.max(ms, firstMs), lastMs)).toISOString();
}

/**
 * A path means that directory and everything below it, or the tail of a path. A name means a directory of
 * that name anywhere in the path; if there is none, any path that contains the name.
 */
export function findProjects<T extends { readonly path: string }>(
  projects: readonly T[],
  text: string,
  cwd: string,
  homeDir: string,
): T[] {
  const wanted = normalise(text === '~' || /^~[\\/]/.test(text) ? homeDir + text.slice(1) : text);
  if (/^\.{1,2}(\/|$)/.test(wanted)) return below(projects, resolveDots(normalise(cwd), wanted));
  if (/^(?:\/|[A-Za-z]:(?:\/|$))/.test(wanted)) return below(projects, wanted);
  const lower = wanted.toLowerCase();
  const paths = projects.map((project) => ({ project, path: normalise(project.path).toLowerCase() }));
  const bySegment = paths.filter(({ path }) => `${path}/`.includes(`/${lower}/`));
  const found = bySegment.length > 0 ? bySegment : paths.filter(({ path }) => path.includes(lower));
  return found.map(({ project }) => project);
}

function below<T extends { readonly path: string }>(projects: readonly T[], folder: string): T[] {
  const prefix = folder === '/' ? '/' : `${folder}/`;
  return projects.filter(({ path }) => `${normalise(path)}/`.startsWith(prefix));
}

function normalise(path: string): string {
  const slashed = path.replaceAll('\\', '/');
  return slashed.length > 1 ? slashed.replace(/\/+$/, '') || '/' : slashed;
}

function resolveDots(cwd: string, relative: string): string {
  const parts = cwd.split('/');
  for (const part of relative.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/') || '/';
}

/** Null if some session passes all filters, or if there are none. */
export function blameFilter(
  host: Host,
  store: Store,
  request: FilterRequest,
  query: Partial<Query> = {},
): Blame | null {
  const given = listGiven(request, query).filter(({ name }) => filters[name].complaint !== undefined);
  if (given.length === 0) return null;
  const isEmpty = (wanted: SessionFilters) =>
    readRecentIds(store.db, readScope(store.db, wanted), 1, true).total === 0;
  const all = readFilters(host, store, request, { query });
  if (!isEmpty(all)) return null;
  const since = given.find(({ name }) => name === 'since');
  const until = given.find(({ name }) => name === 'until');
  if (since !== undefined && until !== undefined && (all.only.since ?? '') > (all.only.until ?? ''))
    return { type: 'swapped', since, until };
  const only = given.find(({ name, value }) =>
    isEmpty(readFilters(host, store, { [name]: value, all: request.all })),
  );
  if (only !== undefined) {
    const meant = only.name === 'project' ? toNamedProject(only.value, host.at.cwd) : only.value;
    return { type: 'one', filter: only, meant };
  }
  // The real cause may be one of these, in combination with the others, so nothing is blamed.
  const isMixed = all.only.role !== undefined || Object.keys(all.without).length > 0;
  return isMixed ? null : { type: 'together', filters: given };
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
export async function findHidingFilters(
  host: Host,
  store: Store,
  request: FilterRequest,
  { query, hidden }: { readonly query: Query; readonly hidden: readonly Term[] },
): Promise<HiddenWords | null> {
  const given = listGiven(request, query);
  const excluded = query.excluded.map(({ text }) => text);
  if (hidden.length === 0 || given.length + excluded.length === 0) return null;
  const words = hidden.map(({ text }) => text);
  const index = openWordIndex(store.db);
  // The words after a minus are not among the filters, so each of these is without them.
  const areFoundWithout = async (name?: FilterName) => {
    const without = name === undefined ? {} : { [name]: undefined };
    const others = { ...query, filters: { ...query.filters, ...without } };
    const wanted = readFilters(host, store, { ...request, ...without }, { query: others });
    const scope = index.scope({ filters: wanted, excluded: [], listsSubagents: true });
    return (await findOccurring(scope, hidden)).length === hidden.length;
  };
  if (excluded.length > 0 && (await areFoundWithout())) return { words, filters: [], excluded };
  for (const filter of given)
    if (await areFoundWithout(filter.name)) return { words, filters: [filter], excluded };
  return { words, filters: given, excluded };
}

export function readEmptiness(store: Store, blame: Blame | null): Emptiness {
  const { sessions, messages } = countSessions(store.db);
  return { isIndexEmpty: readTotals(store.db).sessions === 0, sessions, messages, blame };
}
