// Which session to resume for a given one: itself when it is a main session, else the one it belongs to.

import type { SessionKind } from '../records.ts';
import type { Store } from './open-store.ts';

export interface Resumable {
  readonly claudeId: string;
  readonly kind: SessionKind;
  readonly cwd: string | null;
  readonly root: string;
  /** Its transcript, relative to the root; null when it never had one. */
  readonly path: string | null;
}

export function findResumable(store: Store, sessionId: number): Resumable {
  const read = store.db.prepare(
    `select session.claude_id as claudeId, session.kind, coalesce(session.relocated_cwd, session.first_cwd) as cwd,
      root.path as root, transcript.path as path, session.parent_claude_id as parentClaudeId
    from session join root on root.id = session.root_id
    left join transcript on transcript.id = session.transcript_id
    where session.id = ?`,
  );
  const session = read.get(sessionId) as Resumable & { parentClaudeId: string | null };
  if (session.kind === 'main' || session.parentClaudeId === null) return session;
  const parent = store.db
    .prepare(
      "select id from session where claude_id = ? and kind = 'main' order by is_gone, modified_at desc limit 1",
    )
    .get(session.parentClaudeId) as { id: number } | undefined;
  return parent === undefined ? session : (read.get(parent.id) as Resumable);
}
