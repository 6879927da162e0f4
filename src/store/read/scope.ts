// Filters, as SQL over the session table → the sessions that pass. These are part of every full-text query, so that a limit
// never leaves a filtered search empty.

import { type FilterName, filterNames } from '../../filters.ts';
import { type KindTraits, messageKinds, type Role, type SearchedPart, sessionKinds } from '../../records.ts';
import type { Database } from '../open/database.ts';
import { sessionOfToolCall } from '../row-ids.ts';
import type { FilterValues, SessionFilters } from '../word-index.ts';

export interface Scope {
  /** The ids of the sessions in scope; null for all. */
  readonly only: readonly number[] | null;
  /** Include machinery and empty sessions, which have a title at most. */
  readonly includeHidden: boolean;
  readonly excluded: ReadonlySet<number>;
  readonly role: Role | null;
  /** Only what was said, or only what was done; null for both. */
  readonly part: SearchedPart | null;
}

export function withoutSessions(scope: Scope, ids: readonly number[]): Scope {
  return ids.length === 0 ? scope : { ...scope, excluded: new Set([...scope.excluded, ...ids]) };
}

/** These sessions, their parents, and all children of those. A subagent without a known parent is its own family. */
export function withFamilies(db: Database, ids: readonly number[]): number[] {
  if (ids.length === 0) return [];
  // Cross joins: from the other side, SQLite would compare every subagent with every family of its agent.
  const sql = `with family (agent, native_id) as materialized (
    select distinct agent, coalesce(
      (select parent.native_id from session parent
        where parent.native_id = session.parent_native_id and parent.agent = session.agent limit 1), native_id)
    from session where id in (select value from json_each(?)))
  select session.id from family cross join session using (agent, native_id)
  union select session.id from family
    cross join session on session.parent_native_id = family.native_id and session.agent = family.agent`;
  return db.prepare(sql).pluck().all(JSON.stringify(ids)) as number[];
}

interface Condition {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, string>>;
}

type Conditions = {
  /** `as` is the name of the parameter. Null if the filter is not a condition on sessions. */
  readonly [Name in FilterName]: ((value: FilterValues[Name], as: string) => Condition) | null;
};

const isPart = (column: string, as: string) => `instr(lower(${column}), lower(@${as})) > 0`;

/** The one that the agent itself gave a session, as `toTag` writes it. */
export const ownTag = "replace(lower(trim(session.tag)), ' ', '-')";

const conditions: Conditions = {
  project: (ids, as) => {
    const ofProjects = `project_id in (select value from json_each(@${as}))`;
    // A subagent may work elsewhere, for example in its own work tree; it belongs to its session's project.
    const parents = `select parent.agent, parent.native_id from session parent where parent.${ofProjects}`;
    return {
      sql: `(${ofProjects} or (agent, parent_native_id) in (${parents}))`,
      parameters: { [as]: JSON.stringify(ids) },
    };
  },
  since: (time, as) => ({ sql: `modified_at >= @${as}`, parameters: { [as]: time } }),
  until: (time, as) => ({ sql: `created_at <= @${as}`, parameters: { [as]: time } }),
  branch: (text, as) => ({ sql: isPart('branch', as), parameters: { [as]: text } }),
  role: null,
  model: (text, as) => ({
    // Compared with each name, not with the JSON list.
    sql: `exists (select 1 from json_each(session.models) where ${isPart('value', as)})`,
    parameters: { [as]: text },
  }),
  file: (path) => {
    // What a subagent did counts as done by its session.
    const parents = `select subagent.agent, subagent.parent_native_id from session subagent where subagent.id in (${touchingFile})`;
    return {
      sql: `(session.id in (${touchingFile}) or (session.agent, session.native_id) in (${parents}))`,
      parameters: toFileParameters(path),
    };
  },
  agent: (agent, as) => ({ sql: `agent = @${as}`, parameters: { [as]: agent } }),
  machine: (text, as) => onMachine(isPart('machine.name', as), { [as]: text }),
  owner: (text, as) => onMachine(`lower(machine.owner) = lower(@${as})`, { [as]: text }),
  kind: (kind, as) => ({ sql: `kind = @${as}`, parameters: { [as]: kind } }),
  tag: (tag, as) => ({
    sql: `(${isLabelled(`field = 'tag:' || @${as}`)} or ${ownTag} = @${as})`,
    parameters: { [as]: tag },
  }),
  is: () => ({ sql: isLabelled("field = 'star'"), parameters: {} }),
  has: (what, as) => ({ sql: isLabelled(`field = @${as}`), parameters: { [as]: what } }),
  in: null,
};

function isLabelled(condition: string): string {
  return `(session.agent, session.native_id) in (select agent, native_id from label where ${condition})`;
}

function onMachine(condition: string, parameters: Condition['parameters']): Condition {
  const roots = `select root.id from root join machine on machine.id = machine_id where ${condition}`;
  return { sql: `root_id in (${roots})`, parameters };
}

function writeCondition<Name extends FilterName>(
  name: Name,
  value: FilterValues[Name] | undefined,
  as: string,
): Condition[] {
  const write = conditions[name];
  return value === undefined || write === null ? [] : [write(value, as)];
}

/** A column without a value does not match. Not written as `not (…)`: SQLite would go through the list of an IN for null. */
function writeNegated<Name extends FilterName>(name: Name, filters: SessionFilters): Condition[] {
  const values: readonly FilterValues[Name][] = filters.without[name] ?? [];
  // A session that touched a file is excluded together with its whole family: see findExcluded.
  if (name === 'file') return [];
  return values
    .flatMap((value, i) => writeCondition(name, value, `not_${name}_${i}`))
    .map(({ sql, parameters }) => ({
      sql: `session.id not in (select session.id from session where ${sql})`,
      parameters,
    }));
}

/** Once for all queries of a search. Without filters there is no list: only the few hidden sessions are excluded. */
export function readScope(db: Database, filters: SessionFilters): Scope {
  const { only, includeAll } = filters;
  const all = filterNames.flatMap((name) => [
    ...writeCondition(name, only[name], `only_${name}`),
    ...writeNegated(name, filters),
  ]);
  const where = all.map(({ sql }) => sql);
  if (all.length > 0 && !includeAll) where.push('is_hidden = 0');
  const parameters = Object.assign({}, ...all.map((condition) => condition.parameters));
  const select = `select session.id from session where ${where.join(' and ')}`;
  return {
    only: all.length === 0 ? null : (db.prepare(select).pluck().all(parameters) as number[]),
    includeHidden: includeAll,
    excluded: findExcluded(db, filters),
    role: only.role ?? null,
    part: only.in ?? null,
  };
}

/** Warm-ups are the only hidden sessions with text. A subagent that touched an excluded file excludes its whole family. */
function findExcluded(db: Database, { includeAll, excludedNativeIds, without }: SessionFilters): Set<number> {
  const ids = (sql: string, parameters = {}) => db.prepare(sql).pluck().all(parameters) as number[];
  const named = 'select id from session where native_id = @id or parent_native_id = @id';
  return new Set([
    ...(includeAll ? [] : ids('select id from session where is_warmup = 1')),
    ...excludedNativeIds.flatMap((id) => ids(named, { id })),
    ...(without.file ?? []).flatMap((file) => withFamilies(db, ids(touchingFile, toFileParameters(file)))),
  ]);
}

/** With the parameters of `scopeParameters`. A row id has to name its table: unqualified, it would mean the session here. */
export function inScope(scope: Scope, session: string): string {
  const conditions = [];
  if (scope.only !== null) conditions.push(`${session} in (select value from json_each(@onlyIds))`);
  else if (!scope.includeHidden) {
    conditions.push(`not exists (
      select 1 from session hidden indexed by session_hidden where hidden.is_hidden = 1 and hidden.id = ${session})`);
  }
  if (scope.excluded.size > 0)
    conditions.push(`${session} not in (select value from json_each(@excludedIds))`);
  return conditions.length === 0 ? 'true' : conditions.join(' and ');
}

export function scopeParameters({ only, excluded }: Scope): Record<string, string> {
  return {
    ...(only === null ? {} : { onlyIds: JSON.stringify(only) }),
    ...(excluded.size === 0 ? {} : { excludedIds: JSON.stringify([...excluded]) }),
  };
}

/** Most targets do not even contain the path's last part, which is checked first: that is a fifth of the work. */
export const isOnFile = `instr(target, @fileName) > 0 and (replace(target, '\\', '/') = @file
    or substr(replace(target, '\\', '/'), -length(@fileTail)) = @fileTail
    or instr(replace(target, '\\', '/'), @fileFolder) > 0)`;

const touchingFile = `select distinct ${sessionOfToolCall('tool_call.id')} from tool_call where ${isOnFile}`;

export function toFileParameters(file: string): Record<string, string> {
  const path = file
    .replaceAll('\\', '/')
    .replace(/^\.\//, '')
    .replace(/(.)\/+$/, '$1');
  const isAbsolute = path.startsWith('/') || /^[A-Za-z]:(\/|$)/.test(path);
  const folder = toFolder(path);
  return {
    fileName: path.slice(path.lastIndexOf('/') + 1),
    file: path,
    fileTail: isAbsolute ? path : `/${path}`,
    fileFolder: isAbsolute ? folder : `/${folder}`,
  };
}

/** What the paths below a folder start with; `/` already ends with its slash. */
export function toFolder(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

export function isOfKind(trait: keyof KindTraits, column = 'kind'): string {
  return `${column} in ${writeList(sessionKinds, (kind) => kind[trait])}`;
}

const machineKinds = writeList(messageKinds, (kind) => kind.isMachine);

/** The person, or the assistant, speaks: not what a machine wrote in their name. */
export const isSaidBy = (role: Role) => `(role = '${role}' and kind not in ${machineKinds})`;

/** `('main', 'history')`. */
function writeList<T>(table: Readonly<Record<string, T>>, isWanted: (entry: T) => unknown): string {
  const names = Object.keys(table).filter((name) => isWanted(table[name] as T));
  return `(${names.map((name) => `'${name}'`).join(', ')})`;
}
