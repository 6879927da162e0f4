// How much was said when, in one pass over the times of the messages; and what the sessions and their subagents used. Of
// copies of a conversation the newest counts. Subagents count for what they used, not as sessions or messages.

import { sql } from 'kysely';
import type { AgentName, FileTools } from '../../records.ts';
import { type Database, withBooleans } from '../open/database.ts';
import { all, anyOf, condition, query } from '../open/typed-query.ts';
import type { ProjectSummary } from '../word-index.ts';
import {
  inScope,
  isOfKind,
  isOnFile,
  isSaidBy,
  type Scope,
  scopeParameters,
  toFileParameters,
} from './scope.ts';
import { listedKinds, newestCopies } from './sessions.ts';

export interface CountedSession {
  readonly id: number;
  readonly isSubagent: boolean;
  readonly project: string | null;
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
  return withBooleans<CountedSession>(all(db, counted, scopeParameters(scope)), 'isSubagent');
}

export interface ActivityRow {
  readonly sessionId: number;
  /** Counted from the start of 1970, UTC; null where no time is known. */
  readonly quarter: number | null;
  readonly messages: number;
  /** Those of the person. */
  readonly prompts: number;
}

export type Period = Readonly<Record<'since' | 'until', string | null>>;

export const quarterMs = 15 * 60_000;

/** Quarters of an hour, because every time zone is a whole number of them from UTC: the local hour follows. */
export function readActivity(
  db: Database,
  counted: readonly CountedSession[],
  { since, until }: Period,
): ActivityRow[] {
  const ids = counted.flatMap(({ id, isSubagent }) => (isSubagent ? [] : [id]));
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

const conversation = sql<number>`coalesce(conversation_id, session.id)`;

/** In one group of copies, SQLite takes the other columns from the row with the latest time. */
const selectNewest = (agent: AgentName | null) =>
  query
    .selectFrom('session')
    .$if(agent !== null, (q) => q.where('session.agent', '=', agent as AgentName))
    .select((q) => ['project_id', 'message_count', q.fn.max('modified_at').as('modified_at')])
    .where('is_hidden', '=', 0)
    .where(condition(listedKinds))
    .groupBy(['project_id', conversation]);

const selectHeld = (agent: AgentName | null) =>
  query
    .selectFrom('session')
    .$if(agent !== null, (q) => q.where('session.agent', '=', agent as AgentName))
    .leftJoin('transcript', 'transcript.id', 'session.transcript_id')
    .select((q) => [
      'project_id',
      sql<string | null>`max(iif(is_hidden, null, modified_at))`.as('lastUsedAt'),
      q.fn.sum<number>('text_chars').as('textChars'),
      sql<number>`count(distinct iif(session.kind = 'subagent' and is_hidden = 0, ${conversation}, null))`.as(
        'subagents',
      ),
      sql<number>`coalesce(sum(iif(transcript.state = 'current', transcript.size_bytes, 0)), 0)`.as(
        'diskBytes',
      ),
    ])
    .groupBy('project_id');

/** Of one agent only, or of all. */
export function readProjectSummaries(db: Database, agent: AgentName | null): ProjectSummary[] {
  const summaries = query
    .with('newest', () => selectNewest(agent))
    .with('listed', (q) =>
      q
        .selectFrom('newest')
        .select((each) => [
          'project_id',
          each.fn.countAll<number>().as('sessions'),
          each.fn.sum<number>('message_count').as('messages'),
        ])
        .groupBy('project_id'),
    )
    .with('held', () => selectHeld(agent))
    .selectFrom('held')
    .leftJoin('listed', (join) => join.onRef('listed.project_id', 'is', 'held.project_id'))
    .leftJoin('project', 'project.id', 'held.project_id')
    .select((q) => [
      'project.id',
      'project.path',
      q.fn.coalesce('sessions', q.lit(0)).as('sessions'),
      'subagents',
      q.fn.coalesce('messages', q.lit(0)).as('messages'),
      'lastUsedAt',
      'textChars',
      'diskBytes',
    ])
    .where((q) => q.or([q('sessions', '>', 0), q('subagents', '>', 0)]));
  return all(db, summaries);
}

export interface Touch {
  readonly sessionId: number;
  readonly tool: string;
  /** With forward slashes. */
  readonly path: string;
  readonly calls: number;
}

export function readTouches(
  db: Database,
  file: string,
  scope: Scope,
  { changing, reading, other, changedOnly }: FileTools & { readonly changedOnly: boolean },
): Touch[] {
  const fileTools = changedOnly ? changing : [...changing, ...reading];
  const touches = query
    .selectFrom('tool_call')
    .select((q) => [
      'session_id as sessionId',
      'name as tool',
      sql<string>`replace(target, '\\', '/')`.as('path'),
      q.fn.countAll<number>().as('calls'),
    ])
    .where(condition(isOnFile))
    .where('is_error', '=', 0)
    .where((q) => {
      const name = q.fn<string>('lower', ['name']);
      const isFileTool = q(name, 'in', fileTools);
      if (changedOnly) return isFileTool;
      // Other tools, those of servers above all, take any kind of target; one that is a whole path is a path.
      const isPath = q.or([
        sql<boolean>`target glob '/*'`,
        sql<boolean>`target glob ${sql.lit('[A-Za-z]:[\\/]*')}`,
      ]);
      return q.or([isFileTool, q.and([q(name, 'not in', other), isPath])]);
    })
    .where(condition(inScope(scope, 'tool_call.session_id')))
    .groupBy(['sessionId', 'tool', 'path']);
  return all(db, touches, { ...scopeParameters(scope), ...toFileParameters(file) });
}
