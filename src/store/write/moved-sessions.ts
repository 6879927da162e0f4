// Sessions whose transcript an agent has moved to another place in the same root, archived or compressed: they were read again
// from there, and are not kept twice.

import type { Database } from '../open/database.ts';
import { dropSnapshot } from './saved-snapshot.ts';
import type { TranscriptWriter } from './transcript-writer.ts';

interface MovedSession {
  readonly sessionId: number;
  readonly transcriptId: number;
}

/** Those whose transcript is gone while another one has at least as many messages of the same session. */
const moved = `
  select id as sessionId, transcript_id as transcriptId from session
  where root_id = ? and is_gone = 1 and transcript_id is not null and exists (
    select 1 from session heir join transcript on transcript.id = heir.transcript_id
    where heir.native_id = session.native_id and heir.agent = session.agent and heir.root_id = session.root_id
      and heir.is_gone = 0 and transcript.state = 'current' and heir.message_count >= session.message_count)`;

export function dropMovedSessions(db: Database, writer: TranscriptWriter, rootId: number): void {
  const sessions = db.prepare(moved).all(rootId) as MovedSession[];
  if (sessions.length === 0) return;
  const deleteTranscript = db.prepare('delete from transcript where id = ?');
  const drop = db.transaction(() => {
    dropSnapshot(db, rootId);
    for (const { sessionId, transcriptId } of sessions) {
      writer.clearFindings(transcriptId);
      writer.deleteSession(sessionId);
      deleteTranscript.run(transcriptId);
    }
  });
  drop.immediate();
}
