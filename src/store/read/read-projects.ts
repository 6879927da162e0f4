// What each project holds. Sessions and messages are those that a list of the project shows: of copies the newest,
// subagents apart. Text and transcripts are all there is, copies and subagents too, since that is what takes the room.

import type Database from 'better-sqlite3';
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

export function readProjectSummaries(db: Database.Database): ProjectSummary[] {
  return db
    .prepare(
      `with
        newest as (
          select project_id, message_count, max(modified_at) from session
          where is_hidden = 0 and ${listedKinds} group by project_id, coalesce(conversation_id, id)),
        listed as (
          select project_id, count(*) as sessions, sum(message_count) as messages from newest group by project_id),
        held as (
          select project_id, max(iif(is_hidden, null, modified_at)) as lastUsedAt, sum(text_chars) as textChars,
            count(distinct iif(session.kind = 'subagent' and is_hidden = 0, coalesce(conversation_id, session.id), null)) as subagents,
            coalesce(sum(iif(transcript.state = 'current', transcript.size_bytes, 0)), 0) as diskBytes
          from session left join transcript on transcript.id = session.transcript_id group by project_id)
      select project.id, project.path, coalesce(sessions, 0) as sessions, subagents, coalesce(messages, 0) as messages,
        lastUsedAt, textChars, diskBytes
      from held left join listed on listed.project_id is held.project_id
      left join project on project.id = held.project_id
      where sessions > 0 or subagents > 0`,
    )
    .all() as ProjectSummary[];
}
