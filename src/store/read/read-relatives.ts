// What the head of a conversation tells beyond the session itself, and the sessions that hang together with it: its
// agents, its copies, the histories saved before its compactions.

import type Database from 'better-sqlite3';
import { isMessageOf, isToolCallOf } from '../row-ids.ts';
import { toTimeMs } from './message-row.ts';
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
      `select id from session where conversation_id = @conversationId and claude_id <> @claudeId
      group by claude_id order by max(modified_at) desc limit @limit`,
    )
    .pluck()
    .all({ conversationId: session.conversationId, claudeId: session.claudeId, limit }) as number[];
  return inOrder(db, ids);
}

/** Histories that were saved before the session was compacted. */
export function readSavedHistories(db: Database.Database, session: SessionInfo): SessionInfo[] {
  return readChildren(db, session, 'precompact');
}

export interface PlacedAgent {
  readonly agent: SessionInfo;
  /** The line of the conversation after which it was at work. */
  readonly seq: number;
}

/** The agents of a session in the order in which they were started, without warm-ups and machinery. */
export function readAgents(db: Database.Database, session: SessionInfo): PlacedAgent[] {
  const agents = readChildren(db, session, 'agent');
  if (agents.length === 0) return [];
  const started = new Map(
    db
      .prepare(
        `select agent.id, tool_call.seq from session agent
        join tool_call on ${isToolCallOf('@sessionId', 'tool_call.id')} and tool_use_id = agent.agent_tool_use_id
        where agent.parent_claude_id = @claudeId`,
      )
      .raw()
      .all({ sessionId: session.id, claudeId: session.claudeId }) as [number, number][],
  );
  // An agent of older versions names no call: it stands where its first words fall in time.
  const lineAt = db
    .prepare(`select max(seq) from message where ${isMessageOf('@sessionId')} and time_ms <= @timeMs`)
    .pluck();
  const placed = agents.map((agent): PlacedAgent => {
    const byTime = () =>
      lineAt.get({ sessionId: session.id, timeMs: toTimeMs(agent.createdAt) }) as number | null;
    return { agent, seq: started.get(agent.id) ?? byTime() ?? 0 };
  });
  return placed.sort((a, b) => a.seq - b.seq);
}

function readChildren(
  db: Database.Database,
  session: SessionInfo,
  kind: 'agent' | 'precompact',
): SessionInfo[] {
  const ids = db
    .prepare(
      `select id from session where parent_claude_id = ? and kind = ? and is_hidden = 0
      order by created_at, is_gone, modified_at desc`,
    )
    .pluck()
    .all(session.claudeId, kind) as number[];
  // One id may stand under two folders, each with agents of its own; and one agent's file may stand in both.
  const own = inOrder(db, ids).filter((child) => child.ownerId === session.id);
  return own.filter((child, i) => own.findIndex((other) => other.claudeId === child.claudeId) === i);
}

function inOrder(db: Database.Database, ids: readonly number[]): SessionInfo[] {
  const infos = readSessions(db, ids);
  return ids.flatMap((id) => infos.get(id) ?? []);
}
