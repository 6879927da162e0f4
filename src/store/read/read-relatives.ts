// What the head of a conversation tells beyond the session itself, and the sessions that hang together with it: its
// subagents, its copies, the histories saved before its compactions.

import type Database from 'better-sqlite3';
import { isMessageOf, isToolCallOf } from '../row-ids.ts';
import { readSessions, type SessionInfo } from './read-sessions.ts';

export interface SessionDetails {
  readonly models: readonly string[];
  readonly toolCallCount: number;
  readonly compactionCount: number;
  readonly continuedIn: string | null;
  readonly prUrl: string | null;
}

export function readDetails(db: Database.Database, sessionId: number): SessionDetails {
  const row = db
    .prepare(
      `select models, tool_call_count as toolCallCount, compaction_count as compactionCount,
        continued_in as continuedIn, pr_url as prUrl from session where id = ?`,
    )
    .get(sessionId) as Omit<SessionDetails, 'models'> & { models: string };
  return { ...row, models: JSON.parse(row.models) as string[] };
}

/** Other sessions with the same entries, the newest first; one file under two folders is one copy. */
export function readCopies(db: Database.Database, session: SessionInfo, limit: number): SessionInfo[] {
  const ids = db
    .prepare(
      `select id from session where conversation_id = @conversationId and native_id <> @nativeId
      group by native_id order by max(modified_at) desc limit @limit`,
    )
    .pluck()
    .all({ conversationId: session.conversationId, nativeId: session.nativeId, limit }) as number[];
  return inOrder(db, ids);
}

/** Histories that were saved before the session was compacted. */
export function readSavedHistories(db: Database.Database, session: SessionInfo): SessionInfo[] {
  return readChildren(db, session, 'precompact');
}

export interface PlacedSubagent {
  readonly subagent: SessionInfo;
  /** The line of the conversation after which it was at work. */
  readonly seq: number;
}

/** The subagents of a session in the order in which they were started, without warm-ups and machinery. */
export function readSubagents(db: Database.Database, session: SessionInfo): PlacedSubagent[] {
  const subagents = readChildren(db, session, 'subagent');
  if (subagents.length === 0) return [];
  const started = new Map(
    db
      .prepare(
        `select subagent.id, tool_call.seq from session subagent
        join tool_call on ${isToolCallOf('@sessionId', 'tool_call.id')} and tool_use_id = subagent.subagent_tool_use_id
        where subagent.parent_native_id = @nativeId`,
      )
      .raw()
      .all({ sessionId: session.id, nativeId: session.nativeId }) as [number, number][],
  );
  // A subagent of older versions names no call: it stands where its first words fall in time.
  const lineAt = db
    .prepare(`select max(seq) from message where ${isMessageOf('@sessionId')} and timestamp <= @createdAt`)
    .pluck();
  const placed = subagents.map((subagent): PlacedSubagent => {
    const byTime = () =>
      lineAt.get({ sessionId: session.id, createdAt: subagent.createdAt }) as number | null;
    return { subagent, seq: started.get(subagent.id) ?? byTime() ?? 0 };
  });
  return placed.sort((a, b) => a.seq - b.seq);
}

function readChildren(
  db: Database.Database,
  session: SessionInfo,
  kind: 'subagent' | 'precompact',
): SessionInfo[] {
  const ids = db
    .prepare(
      `select id from session where parent_native_id = ? and kind = ? and is_hidden = 0
      order by created_at, is_gone, modified_at desc`,
    )
    .pluck()
    .all(session.nativeId, kind) as number[];
  // One id may stand under two folders, each with subagents of its own; and one subagent's file may stand in both.
  const own = inOrder(db, ids).filter((child) => child.ownerId === session.id);
  return own.filter((child, i) => own.findIndex((other) => other.nativeId === child.nativeId) === i);
}

function inOrder(db: Database.Database, ids: readonly number[]): SessionInfo[] {
  const infos = readSessions(db, ids);
  return ids.flatMap((id) => infos.get(id) ?? []);
}
