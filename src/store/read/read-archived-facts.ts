// What the index knows of the sessions that the archive keeps or that are rebuilt: their project, when they were last active.

import type { Database } from '../open/database.ts';

export interface ArchivedFacts {
  readonly agent: string;
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
