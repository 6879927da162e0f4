// How much was said when, in one pass over the times of the messages; and what the sessions and their subagents used. Of
// copies of a conversation the newest counts. Subagents count for what they used, not as sessions or messages.

import type Database from 'better-sqlite3';
import { sessionOfToolCall } from '../row-ids.ts';
import { isOfKind, isSaidBy } from './kind-conditions.ts';
import { newestCopies } from './read-sessions.ts';
import { type Scope, scopeParameters } from './scope.ts';

/** A session or a subagent that counts, and what it is counted under. */
export interface CountedSession {
  readonly id: number;
  readonly isSubagent: number;
  readonly project: string | null;
  /** A JSON list. */
  readonly models: string;
}

export function readCounted(db: Database.Database, scope: Scope): CountedSession[] {
  const newest = newestCopies(scope, `(${isOfKind('isListed')} or kind = 'subagent')`);
  return db
    .prepare(
      `select session.id, session.kind = 'subagent' as isSubagent, project.path as project, session.models
      from session left join project on project.id = session.project_id
      where session.id in (select id from (${newest}))`,
    )
    .all(scopeParameters(scope)) as CountedSession[];
}

/** What was said in one session within one quarter of an hour. */
export interface ActivityRow {
  readonly sessionId: number;
  /** Counted from the beginning of 1970, UTC; null where no time is known. */
  readonly quarter: number | null;
  readonly messages: number;
  /** Those of the person. */
  readonly prompts: number;
}

export interface Period {
  readonly since: string | null;
  readonly until: string | null;
}

export const quarterMs = 15 * 60_000;

/** Quarters of an hour, because no place on earth is further off whole hours than by these: the local hour follows. */
export function readActivity(
  db: Database.Database,
  counted: readonly CountedSession[],
  { since, until }: Period,
): ActivityRow[] {
  const period = [
    since === null ? '' : 'and timestamp >= @since',
    until === null ? '' : 'and timestamp <= @until',
  ];
  const ids = JSON.stringify(counted.flatMap(({ id, isSubagent }) => (isSubagent === 0 ? [id] : [])));
  return db
    .prepare(
      `select session_id as sessionId, unixepoch(timestamp) / ${quarterMs / 1000} as quarter, count(*) as messages,
        sum(${isSaidBy('user')}) as prompts
      from message where session_id in (select value from json_each(@ids)) ${period.join(' ')}
      group by 1, 2`,
    )
    .all({
      ids,
      ...(since === null ? {} : { since }),
      ...(until === null ? {} : { until }),
    }) as ActivityRow[];
}

export interface ToolUse {
  readonly name: string;
  readonly calls: number;
  readonly failed: number;
}

/** The most used first. */
export function readToolUses(db: Database.Database, counted: readonly CountedSession[]): ToolUse[] {
  return db
    .prepare(
      `select name, count(*) as calls, sum(is_error) as failed from tool_call
      where ${sessionOfToolCall('id')} in (select value from json_each(?))
      group by name order by calls desc, name`,
    )
    .all(JSON.stringify(counted.map(({ id }) => id))) as ToolUse[];
}
