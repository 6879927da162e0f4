// Writes tool calls, and closes those that wait for their result.

import type { Batch, IndexedToolCall, WorkText } from '../../batch.ts';
import type { PackedTexts } from '../../text/tool-text.ts';
import { toSearchable } from '../../text/words.ts';
import type { TranscriptStatements } from './transcript-statements.ts';

/** A call that waits for its result. */
interface OpenCall {
  readonly id: number;
  readonly toolUseId: string;
  readonly name: string;
}

const toPlace = (seq: number, nth: number) => `${seq} ${nth}`;

export class ToolCallWriter {
  private readonly sql: TranscriptStatements;

  constructor(sql: TranscriptStatements) {
    this.sql = sql;
  }

  add(sessionId: number, calls: readonly IndexedToolCall[]): void {
    for (const { seq, nth, toolUseId, name, target, part, isError } of calls) {
      const place = [sessionId, seq, nth, sessionId, seq] as const;
      this.sql.insertToolCall.run(...place, toolUseId, name, target, Number(isError));
      if (target !== null) this.sql.insertToolCallFts.run(sessionId, seq, nth, target, part);
    }
  }

  /** What the tools were given and answered. `earlier` are the ids of calls that were stored before, by the place of their result. */
  addWork(sessionId: number, work: readonly WorkText[], earlier: ReadonlyMap<string, number>): void {
    for (const { isOutput, seq, nth, atMs, call, text, part } of work) {
      const id = [sessionId, seq, nth, Number(isOutput)] as const;
      if (call !== null) this.sql.insertWork.run(...id, sessionId, call.seq, call.nth, atMs);
      else this.sql.insertLateWork.run(...id, earlier.get(toPlace(seq, nth)) ?? null, atMs);
      this.sql.insertWorkFts.run(...id, toSearchable(text), part);
    }
  }

  addTexts(sessionId: number, texts: readonly PackedTexts[]): void {
    for (const { lastSeq, packed } of texts) this.sql.insertToolTexts.run(sessionId, lastSeq, packed);
  }

  /**
   * Results for calls that were stored earlier; the first one decides. Call before adding a batch's own calls. Gives the ids
   * of these calls by the place of their result.
   */
  close(
    sessionId: number,
    { toolResults, subagentTools }: Pick<Batch, 'toolResults' | 'subagentTools'>,
  ): ReadonlyMap<string, number> {
    const closed = new Map<string, number>();
    if (toolResults.length === 0) return closed;
    const open = new Map<string, OpenCall[]>();
    for (const call of this.sql.openToolCalls.all({ sessionId }) as OpenCall[]) {
      const calls = open.get(call.toolUseId);
      if (calls === undefined) open.set(call.toolUseId, [call]);
      else calls.push(call);
    }
    for (const { id, isError, seq, nth } of toolResults) {
      const calls = open.get(id);
      if (calls === undefined) continue;
      const kept = calls.filter((call) => subagentTools.includes(call.name));
      for (const call of calls) {
        const keepsId = Number(kept.includes(call));
        this.sql.closeToolCall.run({ id: call.id, isError: Number(isError), keepsId });
      }
      const last = calls.at(-1);
      if (last !== undefined) closed.set(toPlace(seq, nth), last.id);
      open.set(id, kept);
    }
    return closed;
  }
}
