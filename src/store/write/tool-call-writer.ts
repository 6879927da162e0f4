// Writes tool calls, and closes those that wait for their result.

import { type IndexedToolCall, keepsToolUseId, type ToolResult } from '../../batch.ts';
import type { TranscriptStatements } from './transcript-statements.ts';

/** A call that waits for its result. */
interface OpenCall {
  readonly id: number;
  readonly toolUseId: string;
  readonly name: string;
}

export class ToolCallWriter {
  private readonly sql: TranscriptStatements;

  constructor(sql: TranscriptStatements) {
    this.sql = sql;
  }

  add(sessionId: number, calls: readonly IndexedToolCall[]): void {
    let nth = 0;
    let lastSeq = 0;
    for (const { seq, toolUseId, name, target, part, isError } of calls) {
      nth = seq === lastSeq ? nth + 1 : 0;
      lastSeq = seq;
      const place = [sessionId, seq, nth, sessionId, seq] as const;
      this.sql.insertToolCall.run(...place, toolUseId, name, target, Number(isError));
      if (target !== null) this.sql.insertToolCallFts.run(sessionId, seq, nth, target, part);
    }
  }

  /** Results for calls that were stored earlier; the first one decides. Call before adding a batch's own calls. */
  close(sessionId: number, results: readonly ToolResult[]): void {
    if (results.length === 0) return;
    const open = new Map<string, OpenCall[]>();
    for (const call of this.sql.openToolCalls.all({ sessionId }) as OpenCall[]) {
      const calls = open.get(call.toolUseId);
      if (calls === undefined) open.set(call.toolUseId, [call]);
      else calls.push(call);
    }
    for (const { id, isError } of results) {
      const calls = open.get(id);
      if (calls === undefined) continue;
      for (const call of calls) this.sql.closeToolCall.run({ id: call.id, isError: Number(isError) });
      open.set(
        id,
        calls.filter((call) => keepsToolUseId(call.name)),
      );
    }
  }
}
