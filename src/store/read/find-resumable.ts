// Which session to resume for a given one: itself when it is a main session, else the one it belongs to.

import type { SessionKind } from '../../records.ts';
import type { Store } from '../open/open-store.ts';

export interface Resumable {
  readonly nativeId: string;
  readonly kind: SessionKind;
  readonly relocatedCwd: string | null;
  readonly firstCwd: string | null;
  readonly lastCwd: string | null;
  readonly project: string | null;
  readonly slug: string | null;
  readonly root: string;
  /** Its transcript, relative to the root; null when it never had one. */
  readonly path: string | null;
}

interface Row extends Resumable {
  readonly parentNativeId: string | null;
}

export function findResumable(store: Store, sessionId: number): Resumable {
  const read = store.db.prepare(
    `select session.native_id as nativeId, session.kind, session.slug,
      session.relocated_cwd as relocatedCwd, session.first_cwd as firstCwd, session.last_cwd as lastCwd,
      project.path as project, root.path as root, transcript.path as path, session.parent_native_id as parentNativeId
    from session join root on root.id = session.root_id
    left join transcript on transcript.id = session.transcript_id
    left join project on project.id = session.project_id
    where session.id = ?`,
  );
  const session = read.get(sessionId) as Row;
  const { parentNativeId } = session;
  if (session.kind === 'main' || parentNativeId === null) return session;
  const parent = store.db
    .prepare(
      "select id from session where native_id = ? and kind = 'main' order by is_gone, modified_at desc limit 1",
    )
    .get(parentNativeId) as { id: number } | undefined;
  return parent === undefined ? session : (read.get(parent.id) as Row);
}
