// Filters as SQL over the session table. They are part of every full-text query, so a limit never empties a
// filtered search.

import type { SessionKind } from '../records.ts';
import type { Scope } from './match.ts';
import type { Store } from './open-store.ts';
import { sessionOfToolCall } from './row-ids.ts';

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
  readonly excludedClaudeIds: readonly string[];
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
  excludedClaudeIds: [],
};

/** The same scope without these sessions. */
export function withoutSessions(scope: Scope, ids: readonly number[]): Scope {
  if (ids.length === 0) return scope;
  return {
    ...scope,
    sessions: `select id from (${scope.sessions}) where id not in (select value from json_each(@excludedIds))`,
    parameters: { ...scope.parameters, excludedIds: JSON.stringify(ids) },
  };
}

export function toScope(filters: SessionFilters): Scope {
  const conditions: string[] = [];
  const parameters: Record<string, string | number | null> = {};
  const where = (condition: string, values: Record<string, string | number | null> = {}) => {
    conditions.push(condition);
    Object.assign(parameters, values);
  };
  // A session recovered from a hint has no messages, and is not empty for that.
  if (!filters.includeAll) where("is_machinery = 0 and is_warmup = 0 and (is_empty = 0 or kind = 'history')");
  if (filters.projectIds !== null) {
    where('project_id in (select value from json_each(@projectIds))', {
      projectIds: JSON.stringify(filters.projectIds),
    });
  }
  if (filters.branch !== null) where('instr(lower(branch), lower(@branch)) > 0', { branch: filters.branch });
  if (filters.model !== null) where('instr(lower(models), lower(@model)) > 0', { model: filters.model });
  if (filters.kind !== null) where('kind = @kind', { kind: filters.kind });
  if (filters.since !== null) where('modified_at >= @since', { since: filters.since });
  if (filters.until !== null) where('created_at <= @until', { until: filters.until });
  if (filters.file !== null) where(`session.id in (${touchingFile})`, toFileParameters(filters.file));
  if (filters.excludedClaudeIds.length > 0) {
    const excluded = JSON.stringify(filters.excludedClaudeIds);
    where(
      `claude_id not in (select value from json_each(@excluded))
      and (parent_claude_id is null or parent_claude_id not in (select value from json_each(@excluded)))`,
      { excluded },
    );
  }
  const sql = `select session.id from session${conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`}`;
  return { sessions: sql, parameters, role: filters.role };
}

/** Sessions with a tool call on this path, on a path that ends with it, or below it. */
const touchingFile = `select ${sessionOfToolCall('tool_call.id')} from tool_call
  where target is not null and (replace(target, '\\', '/') = @file
    or substr(replace(target, '\\', '/'), -length(@fileTail)) = @fileTail
    or instr(replace(target, '\\', '/'), @fileFolder) > 0)`;

function toFileParameters(file: string): Record<string, string> {
  const path = file
    .replaceAll('\\', '/')
    .replace(/^\.\//, '')
    .replace(/(.)\/+$/, '$1');
  const isAbsolute = path.startsWith('/') || /^[A-Za-z]:\//.test(path);
  return {
    file: path,
    fileTail: isAbsolute ? path : `/${path}`,
    fileFolder: isAbsolute ? `${path}/` : `/${path}/`,
  };
}

export interface Project {
  readonly id: number;
  readonly path: string;
}

export async function readProjects(store: Store): Promise<Project[]> {
  return store.query.selectFrom('project').select(['id', 'path']).execute();
}
