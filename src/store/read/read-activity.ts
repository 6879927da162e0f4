// How much was said when, in one pass over the times of the messages; and what the sessions and their subagents used. Of
// copies of a conversation the newest counts. Subagents count for what they used, not as sessions or messages.

import { sql } from 'kysely';
import type { Database } from '../open/database.ts';
import { all, anyOf, condition, query } from '../open/typed-query.ts';
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

export function readCounted(db: Database, scope: Scope): CountedSession[] {
  const newest = newestCopies(scope, `(${isOfKind('isListed')} or kind = 'subagent')`);
  const counted = query
    .selectFrom('session')
    .leftJoin('project', 'project.id', 'session.project_id')
    .select((q) => [
      'session.id',
      q('session.kind', '=', 'subagent').$castTo<number>().as('isSubagent'),
      'project.path as project',
      'session.models',
    ])
    .where(condition(`session.id in (select id from (${newest}))`));
  return all(db, counted, scopeParameters(scope));
}

/** What was said in one session within one quarter of an hour. */
export interface ActivityRow {
  readonly sessionId: number;
  /** Counted from the start of 1970, UTC; null where no time is known. */
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

/** Quarters of an hour, because every time zone is a whole number of them from UTC: the local hour follows. */
export function readActivity(
  db: Database,
  counted: readonly CountedSession[],
  { since, until }: Period,
): ActivityRow[] {
  const ids = counted.flatMap(({ id, isSubagent }) => (isSubagent === 0 ? [id] : []));
  const said = query
    .selectFrom('message')
    .select((q) => [
      'session_id as sessionId',
      sql<number | null>`unixepoch(timestamp) / ${sql.lit(quarterMs / 1000)}`.as('quarter'),
      q.fn.countAll<number>().as('messages'),
      q.fn.sum<number>(condition(isSaidBy('user'))).as('prompts'),
    ])
    .where('session_id', 'in', anyOf(ids))
    .$if(since !== null, (q) => q.where('timestamp', '>=', since))
    .$if(until !== null, (q) => q.where('timestamp', '<=', until))
    .groupBy(['sessionId', 'quarter']);
  return all(db, said);
}

export interface ToolUse {
  readonly name: string;
  readonly calls: number;
  readonly failed: number;
}

/** The most used first. */
export function readToolUses(db: Database, counted: readonly CountedSession[]): ToolUse[] {
  const uses = query
    .selectFrom('tool_call')
    .select((q) => ['name', q.fn.countAll<number>().as('calls'), q.fn.sum<number>('is_error').as('failed')])
    .where('session_id', 'in', anyOf(counted.map(({ id }) => id)))
    .groupBy('name')
    .orderBy('calls', 'desc')
    .orderBy('name');
  return all(db, uses);
}
