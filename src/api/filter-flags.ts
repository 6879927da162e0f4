// Filters from flags and from the query itself → what the store looks at. A flag wins over the same filter in the
// query; a flag that makes no sense is an error, while odd words in a query are just words.

import type { Surroundings } from '../config.ts';
import { UserError } from '../errors.ts';
import type { SessionKind } from '../records.ts';
import { toPrintableLine } from '../render/printable.ts';
import { findProjects } from '../search/find-projects.ts';
import { parseDate } from '../search/parse-date.ts';
import type { Query } from '../search/parse-query.ts';
import type { Store } from '../store/open/open-store.ts';
import { readProjects, type SessionFilters } from '../store/read/scope.ts';
import { toWantedPath } from './wanted-path.ts';

export interface FilterFlags {
  readonly project?: string;
  readonly branch?: string;
  readonly role?: string;
  readonly model?: string;
  readonly file?: string;
  readonly kind?: string;
  readonly since?: string;
  readonly until?: string;
  readonly all?: boolean;
}

/** Each of them chooses among sessions. */
export const filterFlags = [
  ...(['project', 'branch', 'role', 'model', 'file', 'kind', 'since', 'until'] as const),
] satisfies readonly (keyof FilterFlags)[];

interface FilterContext {
  readonly at: Surroundings;
  readonly now: Date;
  readonly currentSession: string | null;
}

const kinds: readonly SessionKind[] = ['main', 'subagent', 'transcript', 'precompact', 'history'];
const roles = ['user', 'assistant'] as const;

export function toFilters(
  store: Store,
  flags: FilterFlags,
  { filters: inline = {}, excludedFilters: excluded = {} }: Partial<Query>,
  context: FilterContext,
): SessionFilters {
  for (const name of ['project', 'branch', 'model', 'file', 'since', 'until'] as const) {
    if (flags[name]?.trim() === '')
      throw new UserError(`--${name} takes a value, not an empty one`, {
        code: 'usage',
        hint: `leave --${name} out`,
      });
  }
  const project = flags.project ?? inline.project;
  const kind = flags.kind ?? inline.kind ?? (inline.is !== undefined ? 'subagent' : undefined);
  return {
    projectIds: project === undefined ? null : toProjectIds(store, project, context.at),
    branch: flags.branch ?? inline.branch ?? null,
    model: flags.model ?? inline.model ?? null,
    file: toFile(flags.file ?? inline.file, context.at),
    kind: toChoice('kind', kind, kinds),
    role: toChoice('role', flags.role ?? inline.role ?? toOther(excluded.role?.at(-1)), roles),
    since: toTime('since', flags.since ?? inline.since, context.now),
    until: toTime('until', flags.until ?? inline.until, context.now),
    includeAll: flags.all ?? false,
    without: {
      projectIds: (excluded.project ?? []).flatMap((text) => toProjectIds(store, text, context.at)),
      branches: excluded.branch ?? [],
      models: excluded.model ?? [],
      files: (excluded.file ?? []).map((path) => toWantedPath(path, context.at)),
      kinds: [...(excluded.kind ?? []), ...(excluded.is ?? [])].map((name) => name.toLowerCase()),
    },
    excludedNativeIds: context.currentSession === null ? [] : [context.currentSession],
  };
}

function toFile(path: string | undefined, at: Surroundings): string | null {
  return path === undefined ? null : toWantedPath(path, at);
}

/** Who else could have said it. */
function toOther(role: string | undefined): string | undefined {
  return role === undefined ? undefined : roles.find((each) => each !== role.toLowerCase());
}

function toProjectIds(store: Store, text: string, at: Surroundings): number[] {
  return findProjects(readProjects(store.db), text, at.cwd, at.homeDir).map((project) => project.id);
}

function toChoice<T extends string>(
  name: string,
  value: string | undefined,
  choices: readonly T[],
): T | null {
  if (value === undefined) return null;
  const found = choices.find((choice) => choice === value.toLowerCase());
  if (found !== undefined) return found;
  throw new UserError(`${name} is one of ${choices.join(', ')}, not ${toPrintableLine(value)}`, {
    code: 'usage',
  });
}

/** Between these, times are written with four digits for the year and compare as text. */
const firstMs = Date.parse('0000-01-01T00:00:00.000Z');
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');

function toTime(name: 'since' | 'until', value: string | undefined, now: Date): string | null {
  if (value === undefined) return null;
  const range = parseDate(value, now);
  if (range === null) {
    throw new UserError(`--${name} does not understand ${toPrintableLine(value)}`, {
      code: 'usage',
      hint: 'a day such as 2026-01-31, 2026-01, "Oct 6", 7d, today, yesterday, or "last week"',
    });
  }
  const ms = name === 'since' ? range.fromMs : range.toMs;
  return new Date(Math.min(Math.max(ms, firstMs), lastMs)).toISOString();
}
