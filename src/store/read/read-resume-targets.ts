// What has to be known of a session to resume it: of itself when it can be resumed, else of the one it belongs to.

import type { AgentName, SessionKind } from '../../records.ts';
import type { Database } from '../open/database.ts';
import { isOfKind } from './kind-conditions.ts';

export interface ResumeTarget {
  /** The session's own id in the index. */
  readonly targetId: number;
  readonly agent: AgentName;
  readonly nativeId: string;
  readonly kind: SessionKind;
  readonly relocatedCwd: string | null;
  readonly firstCwd: string | null;
  readonly lastCwd: string | null;
  /** As other files name it, where no line of its own does. */
  readonly project: string | null;
  /** The folder of its transcript. */
  readonly slug: string | null;
  readonly root: string;
  /** Whether its transcript was missing at the last look: 1 or 0. */
  readonly isGone: number;
  /** Its transcript, relative to the root; null when it never had one. */
  readonly path: string | null;
  /** Other transcripts on disk with the same id. */
  readonly twins: number;
  readonly messageCount: number;
}

const selection = `
  select asked.id as askedId, target.id as targetId, target.agent, target.native_id as nativeId, target.kind, target.slug,
    target.is_gone as isGone,
    target.relocated_cwd as relocatedCwd, target.first_cwd as firstCwd, target.last_cwd as lastCwd,
    project.path as project, root.path as root, transcript.path as path, target.message_count as messageCount,
    (select count(*) from session twin where twin.native_id = target.native_id and twin.agent = target.agent
      and ${isOfKind('isResumable', 'twin.kind')} and twin.is_gone = 0 and twin.id <> target.id) as twins
  from session asked
  join session target on target.id = iif(${isOfKind('isResumable', 'asked.kind')}, asked.id, coalesce(
    (select parent.id from session parent
      where parent.native_id = asked.parent_native_id and parent.agent = asked.agent
        and ${isOfKind('isResumable', 'parent.kind')}
      order by parent.is_gone, parent.modified_at desc limit 1), asked.id))
  join root on root.id = target.root_id
  left join transcript on transcript.id = target.transcript_id
  left join project on project.id = target.project_id
  where asked.id in (select value from json_each(?))`;

/** By the id of the session that was asked for. */
export function readResumeTargets(db: Database, ids: Iterable<number>): Map<number, ResumeTarget> {
  const rows = db.prepare(selection).all(JSON.stringify([...ids])) as (ResumeTarget & { askedId: number })[];
  return new Map(rows.map((row) => [row.askedId, row]));
}
