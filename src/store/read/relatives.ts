// What the head of a conversation says beyond the session itself, and the sessions that belong together with it: its subagents,
// its copies, the histories saved before its compactions.

import type { Database } from '../open/database.ts';
import { all, condition, get, query } from '../open/typed-query.ts';
import { isMessageOf, isToolCallOf } from '../row-ids.ts';
import type { SessionDetails, SessionInfo } from '../word-index.ts';
import { readSessions } from './sessions.ts';

export function readDetails(db: Database, sessionId: number): SessionDetails {
  const details = query
    .selectFrom('session')
    .select(['models', 'tool_call_count as toolCallCount', 'compaction_count as compactionCount'])
    .select(['continued_in as continuedIn', 'pr_url as prUrl'])
    .where('id', '=', sessionId);
  const { models, ...rest } = get(db, details);
  return { ...rest, models: JSON.parse(models) as string[] };
}

/** Other sessions with the same entries, the newest first; one file under two folders is one copy. */
export function readCopies(db: Database, session: SessionInfo, limit: number): SessionInfo[] {
  const copies = query
    .selectFrom('session')
    .select('id')
    .where('conversation_id', '=', session.conversationId)
    .where('native_id', '<>', session.nativeId)
    .groupBy('native_id')
    .orderBy((q) => q.fn.max('modified_at'), 'desc')
    .limit(limit);
  return inOrder(db, all(db, copies));
}

export interface PlacedSubagent {
  readonly subagent: SessionInfo;
  /** The line of the conversation after which it was at work. */
  readonly seq: number;
}

/** The subagents of a session in the order in which they were started, without warm-ups and machinery. */
export function readSubagents(db: Database, session: SessionInfo): PlacedSubagent[] {
  const subagents = readChildren(db, session, 'subagent');
  if (subagents.length === 0) return [];
  const calls = query
    .selectFrom('session as subagent')
    .innerJoin('tool_call', 'tool_call.tool_use_id', 'subagent.subagent_tool_use_id')
    .select(['subagent.id', 'tool_call.seq'])
    .where('subagent.agent', '=', session.agent)
    .where('subagent.parent_native_id', '=', session.nativeId)
    .where(condition(isToolCallOf('@sessionId', 'tool_call.id')));
  const started = new Map(all(db, calls, { sessionId: session.id }).map(({ id, seq }) => [id, seq]));
  // A subagent of older versions names no call: it belongs where its first words fall in time.
  const sql = `select max(seq) from message where ${isMessageOf('@sessionId')} and timestamp <= @createdAt`;
  const lineAt = db.prepare(sql).pluck();
  const placed = subagents.map((subagent): PlacedSubagent => {
    const byTime = () =>
      lineAt.get({ sessionId: session.id, createdAt: subagent.createdAt }) as number | null;
    return { subagent, seq: started.get(subagent.id) ?? byTime() ?? 0 };
  });
  return placed.sort((a, b) => a.seq - b.seq);
}

export function readChildren(
  db: Database,
  session: SessionInfo,
  kind: 'subagent' | 'precompact',
): SessionInfo[] {
  const children = query
    .selectFrom('session')
    .select('id')
    .where('agent', '=', session.agent)
    .where('parent_native_id', '=', session.nativeId)
    .where('kind', '=', kind)
    .where('is_hidden', '=', 0)
    .orderBy('created_at')
    .orderBy('is_gone')
    .orderBy('modified_at', 'desc');
  // One id may be in two folders, each with subagents of its own; and one subagent's file may be in both.
  const own = inOrder(db, all(db, children)).filter((child) => child.ownerId === session.id);
  return own.filter((child, i) => own.findIndex((other) => other.nativeId === child.nativeId) === i);
}

function inOrder(db: Database, rows: readonly { readonly id: number }[]): SessionInfo[] {
  const ids = rows.map(({ id }) => id);
  const infos = readSessions(db, ids);
  return ids.flatMap((id) => infos.get(id) ?? []);
}
