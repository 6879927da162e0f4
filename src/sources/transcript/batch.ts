// What the reading side hands to the writing side.

import type { HistoryPrompt, SessionFacts, SummaryRecord } from '../../records.ts';
import type { IndexedToolCall } from '../../store/write/tool-call-writer.ts';
import type { IndexedMessage, SkippedLine } from '../../store/write/transcript-writer.ts';
import type { EntryToolResult } from '../claude/content-blocks.ts';

/** Where reading starts. */
export interface ReadFrom {
  readonly bytes: number;
  readonly lines: number;
  /** The Claude Code version last seen before, for entries that do not name theirs. */
  readonly version: string | null;
}

/** What a stretch of a transcript holds, and how far it reaches. */
export interface Batch {
  readonly messages: readonly IndexedMessage[];
  readonly toolCalls: readonly IndexedToolCall[];
  /** Results whose call may stand in an earlier batch; none where there is no earlier one. */
  readonly toolResults: readonly EntryToolResult[];
  readonly summaries: readonly SummaryRecord[];
  /** Of every entry, and of those among them that hold a message. */
  readonly uuidHashes: readonly number[];
  readonly messageHashes: readonly number[];
  /** Words that are not their own stem and were not told before. */
  readonly forms: readonly string[];
  readonly prompts: readonly HistoryPrompt[];
  readonly facts: SessionFacts;
  readonly skippedCount: number;
  readonly skipped: readonly SkippedLine[];
  /** Count by `type` and version, as `[type, version, count]`. */
  readonly unknownTypes: readonly (readonly [string, string, number])[];
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
