// Filters as typed, in a request or in the query itself → values for the store. A request overrides the same
// filter in the query. An invalid filter in a request is an error, while in a query it is just words.

import { normalize, resolve } from 'node:path';
import type { Surroundings } from '../config.ts';
import { UserError } from '../errors.ts';
import {
  type FilterName,
  type FilterTexts,
  type FilterTraits,
  filterNames,
  filters,
  findChoice,
} from '../filters.ts';
import { hint, parameter } from '../hints.ts';
import { type AgentName, type Role, roles, type SearchedPart, type SessionKind } from '../records.ts';
import { findProjects } from '../search/find-projects.ts';
import { parseDate } from '../search/query/parse-date.ts';
import type { Query } from '../search/query/parse-query.ts';
import type { Store } from '../store/open/open-store.ts';
import { readProjects } from '../store/read/index-facts.ts';
import type { FilterValues, SessionFilters } from '../store/read/scope.ts';
import { toPrintableLine } from '../text/printable.ts';

export interface FilterContext {
  readonly store: Store;
  readonly at: Surroundings;
  readonly now: Date;
}

export interface FilterRequest extends FilterTexts {
  /** Include empty sessions, warm-ups and machinery. */
  readonly all?: boolean | undefined;
  /** Only sessions of projects in these directories or below them. */
  readonly within?: readonly string[] | undefined;
}

const meanings: {
  readonly [Name in FilterName]: (text: string, context: FilterContext) => FilterValues[Name];
} = {
  project: (text, { store, at }) =>
    findProjects(readProjects(store.db), text, at.cwd, at.homeDir).map((project) => project.id),
  since: (text, { now }) => toTime('since', text, now),
  until: (text, { now }) => toTime('until', text, now),
  branch: (text) => text,
  role: (text) => toChoice('role', text) as Role,
  model: (text) => text,
  file: (text, { at }) => toWantedPath(text, at),
  agent: readAgent,
  kind: (text) => toChoice('kind', text) as SessionKind,
  in: (text) => toChoice('in', text) as SearchedPart,
};

export function readFilters(
  request: FilterRequest,
  { filters: inline = {}, excludedFilters: excluded = {} }: Partial<Query>,
  context: FilterContext,
  /** A session to exclude. */
  currentSession: string | null = null,
): SessionFilters {
  const only: Partial<Record<FilterName, unknown>> = {};
  const without: Partial<Record<FilterName, unknown>> = {};
  for (const name of filterNames) {
    const text = request[name] ?? inline[name];
    if (request[name]?.trim() === '') throw noValue(name);
    if (text !== undefined) only[name] = meanings[name](text, context);
    const negated = excluded[name]?.map((each) => meanings[name](each, context));
    if (negated !== undefined) without[name] = negated;
  }
  if (request.within !== undefined) {
    const inside = new Set(request.within.flatMap((path) => meanings.project(path, context)));
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
    excludedNativeIds: currentSession === null ? [] : [currentSession],
  };
}

export function readAgent(text: string): AgentName {
  return toChoice('agent', text) as AgentName;
}

function noValue(name: FilterName): UserError {
  return new UserError(hint`${parameter(name)} needs a value`, {
    code: 'usage',
    hint: hint`leave ${parameter(name)} out`,
  });
}

/**
 * The path that the typed text means: absolute if the text says where it starts, otherwise the end of a path.
 */
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
  const { choices = [] }: FilterTraits = filters[name];
  throw new UserError(
    hint`${parameter(name)} must be one of ${choices.join(', ')}, not ${toPrintableLine(text)}`,
    { code: 'usage' },
  );
}

/** Between these, times have a four-digit year and can be compared as text. */
const firstMs = Date.parse('0000-01-01T00:00:00.000Z');
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');

function toTime(name: 'since' | 'until', text: string, now: Date): string {
  const range = parseDate(text, now);
  if (range === null) {
    throw new UserError(hint`${parameter(name)} does not understand ${toPrintableLine(text)}`, {
      code: 'usage',
      hint: 'a day such as 2026-01-31, 2026-01, "Oct 6", 7d, today, yesterday, or "last week"',
    });
  }
  const ms = name === 'since' ? range.fromMs : range.toMs;
  return new Date(Math.min(Math.max(ms, firstMs), lastMs)).toISOString();
}
