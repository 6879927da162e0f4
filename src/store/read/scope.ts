// Filters as SQL over the session table. They are part of every full-text query, so a limit never empties a filtered
// search.

import type Database from 'better-sqlite3';
import type { SessionKind } from '../../records.ts';
import { sessionOfToolCall } from '../row-ids.ts';

export interface SessionFilters {
  readonly projectIds: readonly number[] | null;
  readonly branch: string | null;
  readonly model: string | null;
  /** A path, or the tail of one, that a tool was pointed at. */
  readonly file: string | null;
  readonly kind: SessionKind | null;
  readonly since: string | null;
  readonly until: string | null;
  readonly role: 'user' | 'assistant' | null;
  /** Also empty sessions, warm-ups and machinery. */
  readonly includeAll: boolean;
  readonly without: ExcludedFilters;
  readonly excludedNativeIds: readonly string[];
}

/** What sessions must not be; each value by the rules of the filter of its name. */
export interface ExcludedFilters {
  readonly projectIds: readonly number[];
  readonly branches: readonly string[];
  readonly models: readonly string[];
  readonly files: readonly string[];
  readonly kinds: readonly string[];
}

/** Narrows what is looked at: sessions by id, messages by who spoke. */
export interface Scope {
  /** SQL over the session table that selects the ids looked at, with its named parameters; null for all. */
  readonly only: string | null;
  readonly parameters: Readonly<Record<string, string | number | null>>;
  /** Also machinery and empty sessions, which have a title at most. */
  readonly includeHidden: boolean;
  readonly excluded: ReadonlySet<number>;
  readonly role: 'user' | 'assistant' | null;
}

export const noFilters: SessionFilters = {
  projectIds: null,
  branch: null,
  model: null,
  file: null,
  kind: null,
  since: null,
  until: null,
  role: null,
  includeAll: false,
  without: { projectIds: [], branches: [], models: [], files: [], kinds: [] },
  excludedNativeIds: [],
};

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

/**
 * Filters become a list of sessions to look at. Without any there is none: then only the few sessions that are not
 * shown are left out, and no query has to go through all sessions.
 */
export function toScope(db: Database.Database, filters: SessionFilters): Scope {
  const conditions: string[] = [];
  const parameters: Record<string, string | number | null> = {};
  const where = (condition: string, values: Record<string, string | number | null> = {}) => {
    conditions.push(condition);
    Object.assign(parameters, values);
  };
  if (filters.projectIds !== null) {
    const ofProjects = 'project_id in (select value from json_each(@projectIds))';
    // A subagent may work elsewhere, in a work tree of its own say; it belongs where its session does.
    where(
      `(${ofProjects} or parent_native_id in (select parent.native_id from session parent where parent.${ofProjects}))`,
      { projectIds: JSON.stringify(filters.projectIds) },
    );
  }
  if (filters.branch !== null) where('instr(lower(branch), lower(@branch)) > 0', { branch: filters.branch });
  if (filters.model !== null) where('instr(lower(models), lower(@model)) > 0', { model: filters.model });
  if (filters.kind !== null) where('kind = @kind', { kind: filters.kind });
  if (filters.since !== null) where('modified_at >= @since', { since: filters.since });
  if (filters.until !== null) where('created_at <= @until', { until: filters.until });
  if (filters.file !== null) {
    // What a subagent did, its session did.
    const parents = `select subagent.parent_native_id from session subagent where subagent.id in (${touchingFile})`;
    where(
      `(session.id in (${touchingFile}) or session.native_id in (${parents}))`,
      toFileParameters(filters.file),
    );
  }
  const { projectIds, branches, models, kinds } = filters.without;
  const notAmong = (name: string, values: readonly unknown[], isAmong: string) => {
    if (values.length > 0)
      where(`not exists (select 1 from json_each(@${name}) where ${isAmong})`, {
        [name]: JSON.stringify(values),
      });
  };
  const isParentThere = `exists (
    select 1 from session parent where parent.native_id = session.parent_native_id
      and parent.agent = session.agent and parent.project_id = value)`;
  notAmong('withoutProjectIds', projectIds, `project_id = value or ${isParentThere}`);
  notAmong('withoutBranches', branches, 'instr(lower(branch), lower(value)) > 0');
  notAmong('withoutModels', models, 'instr(lower(models), lower(value)) > 0');
  notAmong('withoutKinds', kinds, 'kind = value');
  if (conditions.length > 0 && !filters.includeAll) where('is_hidden = 0');
  const only =
    conditions.length === 0 ? null : `select session.id from session where ${conditions.join(' and ')}`;
  return {
    only,
    parameters,
    includeHidden: filters.includeAll,
    excluded: findExcluded(db, filters),
    role: filters.role,
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
    ...filters.without.files.flatMap((file) => findTouching(db, file)),
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
