// The tool calls of one batch, and which of them still wait for their result.

import type { IndexedToolCall, ToolResult } from '../../batch.ts';

/** A call while its result may still come. */
type OpenToolCall = { -readonly [K in keyof IndexedToolCall]: IndexedToolCall[K] };

export class ToolCalls {
  readonly all: OpenToolCall[] = [];
  private readonly open = new Map<string, OpenToolCall[]>();
  private readonly subagentTools: readonly string[];

  constructor(subagentTools: readonly string[]) {
    this.subagentTools = subagentTools;
  }

  /** The call is changed when its result comes. */
  add(call: OpenToolCall): void {
    this.all.push(call);
    if (call.toolUseId === null) return;
    const open = this.open.get(call.toolUseId);
    if (open === undefined) this.open.set(call.toolUseId, [call]);
    else open.push(call);
  }

  /** The call that a result answers, while it is still open in this batch. */
  find(toolUseId: string): OpenToolCall | undefined {
    return this.open.get(toolUseId)?.at(-1);
  }

  /**
   * The first result of a call decides, and closes it. Results follow their call closely, so the call is mostly still in
   * this batch; calls of earlier batches are closed in the index, by the same rule.
   */
  close(result: ToolResult): void {
    const calls = this.open.get(result.id);
    if (calls === undefined) return;
    for (const call of calls) {
      call.isError ||= result.isError;
      if (!this.subagentTools.includes(call.name)) call.toolUseId = null;
    }
    const kept = calls.filter((call) => call.toolUseId !== null);
    if (kept.length === 0) this.open.delete(result.id);
    else this.open.set(result.id, kept);
  }
}
