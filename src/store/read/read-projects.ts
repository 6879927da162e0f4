// What each project holds. Sessions and messages are those that a list of the project shows: of copies the newest,
// subagents apart. Text and transcripts are all there is, copies and subagents too, since that is what takes the room.

import { sql } from 'kysely';
import type { AgentName } from '../../records.ts';
import type { Database } from '../open/database.ts';
import { all, condition, query } from '../open/typed-query.ts';
import { listedKinds } from './read-sessions.ts';

export interface ProjectSummary {
  readonly id: number | null;
  /** Null for sessions that do not say where they ran. */
  readonly path: string | null;
  readonly sessions: number;
  readonly subagents: number;
  readonly messages: number;
  readonly lastUsedAt: string | null;
  /** Of the text in the index. */
  readonly textChars: number;
  /** Of the transcripts that are still there. */
  readonly diskBytes: number;
}

/** Of one agent only, or of all. */
export function readProjectSummaries(db: Database, agent: AgentName | null): ProjectSummary[] {
  return all(db, toSummaries(agent));
}

const conversation = sql<number>`coalesce(conversation_id, session.id)`;

/** In one group of copies, SQLite takes the other columns from the row with the latest time. */
const toNewest = (agent: AgentName | null) =>
  query
    .selectFrom('session')
    .$if(agent !== null, (q) => q.where('session.agent', '=', agent as AgentName))
    .select((q) => ['project_id', 'message_count', q.fn.max('modified_at').as('modified_at')])
    .where('is_hidden', '=', 0)
    .where(condition(listedKinds))
    .groupBy(['project_id', conversation]);

const toHeld = (agent: AgentName | null) =>
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

const toSummaries = (agent: AgentName | null) =>
  query
    .with('newest', () => toNewest(agent))
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
    .with('held', () => toHeld(agent))
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
