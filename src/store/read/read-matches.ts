// What is shown and ranked of messages and work texts that were found, by their ids.

import type { Database } from '../open/database.ts';

/** A work text as a passage of its session; tool-texts.ts reads the text itself. */
export interface WorkRow {
  readonly id: number;
  readonly sessionId: number;
  readonly seq: number;
  readonly kind: 'tool-input' | 'tool-output';
  readonly atMs: number | null;
  readonly tool: string | null;
  readonly target: string | null;
  readonly isError: number;
}

export function readWork(db: Database, ids: readonly number[]): Map<number, WorkRow> {
  const rows = db
    .prepare(
      `select work.id, work.session_id as sessionId, work.seq, work.kind, work.at_ms as atMs,
        tool_call.name as tool, tool_call.target, coalesce(tool_call.is_error, 0) as isError
      from work left join tool_call on tool_call.id = work.call_id
      where work.id in (select value from json_each(?))`,
    )
    .all(JSON.stringify(ids)) as WorkRow[];
  return new Map(rows.map((row) => [row.id, row]));
}

export interface MessageText {
  readonly id: number;
  readonly sessionId: number;
  readonly uuid: string | null;
  readonly role: 'user' | 'assistant';
  readonly kind: string;
  readonly timestamp: string | null;
  readonly text: string;
  readonly isSidechain: number;
}

export function readMessages(db: Database, ids: readonly number[]): MessageText[] {
  return db
    .prepare(
      `select id, session_id as sessionId, uuid, role, kind, timestamp, text, is_sidechain as isSidechain
      from message where id in (select value from json_each(?))`,
    )
    .all(JSON.stringify(ids)) as MessageText[];
}
