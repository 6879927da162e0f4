// Filters as SQL over the session table. They are part of every full-text query, so a limit never empties a filtered
// search.

import type Database from 'better-sqlite3';
import { type FilterName, filterNames } from '../../filters.ts';
import type { Role, SearchedPart, SessionKind } from '../../records.ts';
import { sessionOfToolCall } from '../row-ids.ts';

/** What the text of a filter means. */
export interface FilterValues {
  /** Ids of projects. */
  readonly project: readonly number[];
  readonly since: string;
  readonly until: string;
  readonly branch: string;
  readonly role: Role;
  readonly model: string;
  /** A path, or the tail of one, that a tool was pointed at. */
  readonly file: string;
  readonly kind: SessionKind;
  readonly in: SearchedPart;
}

export interface SessionFilters {
  readonly only: { readonly [Name in FilterName]?: FilterValues[Name] };
  /** What sessions must not be; each value by the rules of the filter of its name. */
  readonly without: { readonly [Name in FilterName]?: readonly FilterValues[Name][] };
  /** Also empty sessions, warm-ups and machinery. */
  readonly includeAll: boolean;
  readonly excludedNativeIds: readonly string[];
}

/** Narrows what is looked at: sessions by id, messages by who spoke. */
export interface Scope {
  /** SQL over the session table that selects the ids looked at, with its named parameters; null for all. */
  readonly only: string | null;
  readonly parameters: Readonly<Record<string, string | number | null>>;
  /** Also machinery and empty sessions, which have a title at most. */
  readonly includeHidden: boolean;
  readonly excluded: ReadonlySet<number>;
  readonly role: Role | null;
  /** Only what was said, or only what was done; null for both. */
  readonly part: SearchedPart | null;
}

export const noFilters: SessionFilters = { only: {}, without: {}, includeAll: false, excludedNativeIds: [] };

/** These sessions and no others, whatever they are. */
export function toSessionsScope(ids: readonly number[], role: Role | null): Scope {
  return {
    only: 'select value from json_each(@shownIds)',
    parameters: { shownIds: JSON.stringify(ids) },
    includeHidden: true,
    excluded: new Set(),
    role,
    part: null,
  };
}

/** The same scope without these sessions. */
export function withoutSessions(scope: Scope, ids: readonly number[]): Scope {
  return ids.length === 0 ? scope : { ...scope, excluded: new Set([...scope.excluded, ...ids]) };
}

/** These sessions, those they belong to, and all that belongs to those. A subagent whose session is not known stands for itself. */
export function withFamilies(db: Database.Database, ids: readonly number[]): number[] {
  if (ids.length === 0) return [];
  return db
    .prepare(
      `with family (native_id) as materialized (
        select distinct coalesce(
          (select parent.native_id from session parent
            where parent.native_id = session.parent_native_id and parent.agent = session.agent limit 1), native_id)
        from session where id in (select value from json_each(?)))
      select session.id from family join session on session.native_id = family.native_id
      union select session.id from family join session on session.parent_native_id = family.native_id`,
    )
    .pluck()
    .all(JSON.stringify(ids)) as number[];
}

type Parameters = Record<string, string | number | null>;

interface Condition {
  readonly sql: string;
  readonly parameters: Parameters;
}

type Conditions = {
  /** `as` is the name of the parameter. Null where the filter is no condition on sessions. */
  readonly [Name in FilterName]: ((value: FilterValues[Name], as: string) => Condition) | null;
};

const isPart = (column: string) => (value: string, as: string) => ({
  sql: `instr(lower(${column}), lower(@${as})) > 0`,
  parameters: { [as]: value },
});

const conditions: Conditions = {
  project: (ids, as) => {
    const ofProjects = `project_id in (select value from json_each(@${as}))`;
    // A subagent may work elsewhere, in a work tree of its own say; it belongs where its session does.
    const parents = `select parent.native_id from session parent where parent.${ofProjects}`;
    return {
      sql: `(${ofProjects} or parent_native_id in (${parents}))`,
      parameters: { [as]: JSON.stringify(ids) },
    };
  },
  since: (time, as) => ({ sql: `modified_at >= @${as}`, parameters: { [as]: time } }),
  until: (time, as) => ({ sql: `created_at <= @${as}`, parameters: { [as]: time } }),
  branch: isPart('branch'),
  /** Of messages. */
  role: null,
  model: isPart('models'),
  file: (path) => {
    // What a subagent did, its session did.
    const parents = `select subagent.parent_native_id from session subagent where subagent.id in (${touchingFile})`;
    return {
      sql: `(session.id in (${touchingFile}) or session.native_id in (${parents}))`,
      parameters: toFileParameters(path),
    };
  },
  kind: (kind, as) => ({ sql: `kind = @${as}`, parameters: { [as]: kind } }),
  /** Of texts. */
  in: null,
};

function toCondition<Name extends FilterName>(
  name: Name,
  value: FilterValues[Name] | undefined,
  as: string,
): Condition[] {
  const toSql = conditions[name];
  return value === undefined || toSql === null ? [] : [toSql(value, as)];
}

/** A column without a value is not what is to be left out. */
function toNegated<Name extends FilterName>(name: Name, filters: SessionFilters): Condition[] {
  const values: readonly FilterValues[Name][] = filters.without[name] ?? [];
  // Whoever touched a file is left out with all that belongs to it: see findExcluded.
  if (name === 'file') return [];
  return values
    .flatMap((value, i) => toCondition(name, value, `not_${name}_${i}`))
    .map(({ sql, parameters }) => ({ sql: `not coalesce(${sql}, false)`, parameters }));
}

/**
 * Filters become a list of sessions to look at. Without any there is none: then only the few sessions that are not
 * shown are left out, and no query has to go through all sessions.
 */
export function toScope(db: Database.Database, filters: SessionFilters): Scope {
  const { only, includeAll } = filters;
  const all = filterNames.flatMap((name) => [
    ...toCondition(name, only[name], `only_${name}`),
    ...toNegated(name, filters),
  ]);
  const where = all.map(({ sql }) => sql);
  if (all.length > 0 && !includeAll) where.push('is_hidden = 0');
  return {
    only: all.length === 0 ? null : `select session.id from session where ${where.join(' and ')}`,
    parameters: Object.assign({}, ...all.map(({ parameters }) => parameters)) as Parameters,
    includeHidden: includeAll,
    excluded: findExcluded(db, filters),
    role: only.role ?? null,
    part: only.in ?? null,
  };
}

/** Warm-ups are the only sessions with text that are not shown. */
function findExcluded(db: Database.Database, filters: SessionFilters): Set<number> {
  const warmups = filters.includeAll
    ? []
    : (db.prepare('select id from session where is_warmup = 1').pluck().all() as number[]);
  const named = db.prepare('select id from session where native_id = @id or parent_native_id = @id').pluck();
  return new Set([
    ...warmups,
    ...filters.excludedNativeIds.flatMap((id) => named.all({ id }) as number[]),
    ...(filters.without.file ?? []).flatMap((file) => findTouching(db, file)),
  ]);
}

/** With what a subagent touches, its session and all that belongs to it are out: they are shown as one. */
function findTouching(db: Database.Database, file: string): number[] {
  return withFamilies(db, db.prepare(touchingFile).pluck().all(toFileParameters(file)) as number[]);
}

/**
 * The condition that a session is in scope; named parameters are those of `scopeParameters`. A row id has to name its table:
 * alone it would be that of the session in here.
 */
export function inScope(scope: Scope, session: string): string {
  const conditions = [];
  if (scope.only !== null) conditions.push(`${session} in (${scope.only})`);
  else if (!scope.includeHidden) {
    conditions.push(`not exists (
      select 1 from session hidden indexed by session_hidden where hidden.is_hidden = 1 and hidden.id = ${session})`);
  }
  if (scope.excluded.size > 0)
    conditions.push(`${session} not in (select value from json_each(@excludedIds))`);
  return conditions.length === 0 ? 'true' : conditions.join(' and ');
}

export function scopeParameters({ parameters, excluded }: Scope): Record<string, string | number | null> {
  return excluded.size === 0
    ? { ...parameters }
    : { ...parameters, excludedIds: JSON.stringify([...excluded]) };
}

/**
 * The condition that a tool was pointed at this path, at one that ends with it, or at one below it. Most targets do not
 * even hold the last part of it, which is asked first because it is a fifth of the work.
 */
export const isOnFile = `instr(target, @fileName) > 0 and (replace(target, '\\', '/') = @file
    or substr(replace(target, '\\', '/'), -length(@fileTail)) = @fileTail
    or instr(replace(target, '\\', '/'), @fileFolder) > 0)`;

const touchingFile = `select distinct ${sessionOfToolCall('tool_call.id')} from tool_call where ${isOnFile}`;

export function toFileParameters(file: string): Record<string, string> {
  const path = file
    .replaceAll('\\', '/')
    .replace(/^\.\//, '')
    .replace(/(.)\/+$/, '$1');
  const isAbsolute = path.startsWith('/') || /^[A-Za-z]:\//.test(path);
  return {
    fileName: path.slice(path.lastIndexOf('/') + 1),
    file: path,
    fileTail: isAbsolute ? path : `/${path}`,
    fileFolder: isAbsolute ? `${path}/` : `/${path}/`,
  };
}

export interface Project {
  readonly id: number;
  readonly path: string;
}

export function readProjects(db: Database.Database): Project[] {
  return db.prepare('select id, path from project').all() as Project[];
}
