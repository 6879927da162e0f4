// How much was said when, in one pass over the times of the messages; and what the sessions and their agents used. Of
// copies of a conversation the newest counts. Agents count for what they used, not as sessions or messages.

import type Database from 'better-sqlite3';
import { listedKinds, newestCopies } from './read-sessions.ts';
import { sessionOfToolCall } from './row-ids.ts';
import { type Scope, scopeParameters } from './scope.ts';

/** What was said in one session within one quarter of an hour. */
export interface ActivityRow {
  readonly sessionId: number;
  /** UTC, as `2026-10-06T08:2` for the third quarter after eight; null where no time is known. */
  readonly quarter: string | null;
  readonly messages: number;
  /** Those of the person. */
  readonly prompts: number;
}

export interface Period {
  readonly since: string | null;
  readonly until: string | null;
}

/** Quarters of an hour, because no place on earth is further off whole hours than by these: the local hour follows. */
export function readActivity(db: Database.Database, scope: Scope, { since, until }: Period): ActivityRow[] {
  const period = [
    since === null ? '' : 'and timestamp >= @fromTime',
    until === null ? '' : 'and timestamp <= @toTime',
  ];
  return db
    .prepare(
      `select session_id as sessionId, substr(timestamp, 1, 14) || (substr(timestamp, 15, 2) / 15) as quarter,
        count(*) as messages, sum(role = 'user' and kind not in ('recap', 'task')) as prompts
      from message where session_id in (select id from (${newestCopies(scope, listedKinds)})) ${period.join(' ')}
      group by 1, 2`,
    )
    .all({
      ...scopeParameters(scope),
      ...(since === null ? {} : { fromTime: since }),
      ...(until === null ? {} : { toTime: until }),
    }) as ActivityRow[];
}

/** What a session, or an agent, is counted under. */
export interface UsedBy {
  readonly id: number;
  readonly isAgent: number;
  readonly project: string | null;
  /** A JSON list. */
  readonly models: string;
}

const withAgents = `kind in ('main', 'history', 'transcript', 'agent')`;

export function readUsers(db: Database.Database, scope: Scope): UsedBy[] {
  return db
    .prepare(
      `select session.id, session.kind = 'agent' as isAgent, project.path as project, session.models
      from session left join project on project.id = session.project_id
      where session.id in (select id from (${newestCopies(scope, withAgents)}))`,
    )
    .all(scopeParameters(scope)) as UsedBy[];
}

export interface ToolUse {
  readonly name: string;
  readonly calls: number;
  readonly failed: number;
}

/** The most used first. */
export function readToolUses(db: Database.Database, scope: Scope): ToolUse[] {
  return db
    .prepare(
      `select name, count(*) as calls, sum(is_error) as failed from tool_call
      where ${sessionOfToolCall('id')} in (select id from (${newestCopies(scope, withAgents)}))
      group by name order by calls desc, name`,
    )
    .all(scopeParameters(scope)) as ToolUse[];
}
