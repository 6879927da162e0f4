// What the index knows of the sessions that the archive keeps or that are rebuilt: their project, when they were last active.

import type { AgentName } from '../../records.ts';
import type { Database } from '../open/database.ts';

export interface ArchivedFacts {
  readonly agent: AgentName;
  readonly nativeId: string;
  readonly title: string | null;
  readonly projectId: number | null;
  readonly project: string | null;
  readonly modifiedAt: string | null;
}

/** Of every session; the newest last where several have one id. */
export function readArchivedFacts(db: Database): ArchivedFacts[] {
  return db
    .prepare(
      `select agent, native_id as nativeId, title, project_id as projectId, project.path as project,
        modified_at as modifiedAt
      from session left join project on project.id = project_id order by modified_at`,
    )
    .all() as ArchivedFacts[];
}

/** Sessions of an agent that are on disk, without their subagents. */
export function countOnDisk(db: Database, agent: AgentName): number {
  return db
    .prepare("select count(*) from session where agent = ? and kind = 'main' and is_gone = 0")
    .pluck()
    .get(agent) as number;
}

/** What a transcript that is rebuilt says on each of its lines. */
export interface RebuildFacts {
  readonly branch: string | null;
  /** Of the program, as last seen. */
  readonly version: string | null;
  readonly model: string | null;
}

export function readRebuildFacts(db: Database, sessionId: number): RebuildFacts {
  return db
    .prepare(
      "select branch, versions ->> '$[#-1]' as version, models ->> '$[#-1]' as model from session where id = ?",
    )
    .get(sessionId) as RebuildFacts;
}

/** A transcript as the index knows it, on disk or not. */
export interface KnownTranscript {
  readonly root: string;
  /** Relative to the root. */
  readonly path: string;
}

const knownTranscripts = `select root.path as root, transcript.path from session
  join transcript on transcript.id = session.transcript_id join root on root.id = session.root_id`;

/** Of the subagents of a session, and of theirs. */
export function readSubagentTranscripts(db: Database, agent: AgentName, nativeId: string): KnownTranscript[] {
  return db
    .prepare(
      `with recursive family(native_id) as (select ? union select session.native_id from family
        join session on session.parent_native_id = family.native_id where session.agent = ? and session.kind = 'subagent')
      ${knownTranscripts} where session.agent = ? and session.kind = 'subagent' and session.native_id in family`,
    )
    .all(nativeId, agent, agent) as KnownTranscript[];
}

export function findKnownTranscript(
  db: Database,
  agent: AgentName,
  nativeId: string,
): KnownTranscript | undefined {
  return db
    .prepare(
      `${knownTranscripts} where session.agent = ? and session.native_id = ? order by session.modified_at desc limit 1`,
    )
    .get(agent, nativeId) as KnownTranscript | undefined;
}
