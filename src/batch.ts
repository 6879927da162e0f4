// What the reading side hands to the writing side: a stretch of a transcript as records. Neither side imports the other.

import type {
  HistoryPrompt,
  Identity,
  MessageRecord,
  SessionFacts,
  SummaryRecord,
  ToolCallRecord,
} from './records.ts';
import type { PackedTexts } from './text/tool-text.ts';

/** A message with the parts of its identifiers, which its index row needs. */
export interface IndexedMessage extends MessageRecord {
  readonly part: string;
}

/** The same of a tool call, with the parts of identifiers in its target. */
export interface IndexedToolCall extends ToolCallRecord {
  readonly nth: number;
  readonly part: string;
}

export interface ToolResult {
  readonly id: string;
  readonly isError: boolean;
}

/** Where the result is: its line, and its place among the results of that line. */
export interface PlacedResult extends ToolResult {
  readonly seq: number;
  readonly nth: number;
}

/** What a tool was given, or what it answered. */
export interface WorkText {
  readonly isOutput: boolean;
  /** The line that holds it, and its place among the calls or the results of that line. */
  readonly seq: number;
  readonly nth: number;
  readonly atMs: number | null;
  /** The call, where it is in the same batch; else its result says which it is. */
  readonly call: { readonly seq: number; readonly nth: number } | null;
  /** What is searched of it. */
  readonly text: string;
  readonly part: string;
}

export interface SkippedLine {
  readonly line: number;
  readonly reason: string;
}

export interface Batch {
  /** The first of a transcript that is read from its start: whatever was known of it no longer counts. */
  readonly isRestart: boolean;
  readonly identity: Identity | null;
  readonly messages: readonly IndexedMessage[];
  readonly toolCalls: readonly IndexedToolCall[];
  /** Results whose call may be in an earlier batch; none where there is no earlier one. */
  readonly toolResults: readonly PlacedResult[];
  /** The names of the tools that start subagents: their call is where a subagent belongs in its parent, so its id is kept. */
  readonly subagentTools: readonly string[];
  readonly work: readonly WorkText[];
  readonly packedTexts: readonly PackedTexts[];
  readonly summaries: readonly SummaryRecord[];
  /** Of every entry, and of those among them that hold a message. */
  readonly uuidHashes: readonly number[];
  readonly messageHashes: readonly number[];
  /** Words that are not their own stem and were not in an earlier batch of this reader. */
  readonly forms: readonly string[];
  readonly prompts: readonly HistoryPrompt[];
  readonly facts: SessionFacts;
  readonly skippedCount: number;
  readonly skipped: readonly SkippedLine[];
  /** Count by `type` and version, as `[type, version, count]`. */
  readonly unknownTypes: readonly (readonly [string, string, number])[];
  readonly bytesFrom: number;
  readonly bytesRead: number;
  readonly linesRead: number;
  readonly lastVersion: string | null;
  /** The last line had no newline but was whole; it is counted as read. */
  readonly isUnterminated: boolean;
  readonly fingerprint: string;
  readonly isLast: boolean;
  /** About how much text it holds. */
  readonly chars: number;
}

export interface ForeignDatabase {
  all(sql: string, ...values: readonly unknown[]): Record<string, unknown>[];
  close(): void;
}
