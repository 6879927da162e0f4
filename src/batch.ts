// What the reading side hands to the writing side: a stretch of a transcript as records. Neither side imports the other.

import type {
  HistoryPrompt,
  Identity,
  MessageRecord,
  SessionFacts,
  SummaryRecord,
  ToolCallRecord,
  ToolResult,
} from './records.ts';

export type IndexedMessage = MessageRecord & { readonly part: string };

export interface IndexedToolCall extends ToolCallRecord {
  readonly nth: number;
  readonly part: string;
}

/** Where the result is: its line, and its place among the results of that line. */
export interface PlacedResult extends ToolResult {
  readonly seq: number;
  readonly nth: number;
}

export interface IndexedToolText {
  readonly isOutput: boolean;
  /** The line that holds it, and its place among the calls or the results of that line. */
  readonly seq: number;
  readonly nth: number;
  readonly atMs: number | null;
  /** The call, where it is in the same batch; else its result says which it is. */
  readonly call: { readonly seq: number; readonly nth: number } | null;
  /** As it is stored: text/tool-text.ts says what is searched of it. */
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
  readonly toolTexts: readonly IndexedToolText[];
  readonly summaries: readonly SummaryRecord[];
  /** Of every entry, and of those among them that hold a message. */
  readonly uuidHashes: readonly number[];
  readonly messageHashes: readonly number[];
  /** Of every entry that may be written again, by its whole uuid. */
  readonly wholeHashes: readonly number[];
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
  readonly chars: number;
}

export interface ForeignDatabase {
  all(sql: string, ...values: readonly unknown[]): Record<string, unknown>[];
  close(): void;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const tailAt = 24;

/**
 * A uuid as a number of 48 bits: copies of a conversation are recognised by millions of these. The last twelve hexadecimal
 * digits are random in every uuid version in use; other ids are hashed.
 */
export function hashUuid(uuid: string): number {
  return uuidPattern.test(uuid) ? Number.parseInt(uuid.slice(tailAt), 16) : hashWhole(uuid);
}

/** Of all of it: within one file, two uuids that end alike are still two. */
export function hashWhole(uuid: string): number {
  let high = 0x811c9dc5;
  let low = 0x01000193;
  for (let i = 0; i < uuid.length; i++) {
    high = Math.imul(high ^ uuid.charCodeAt(i), 0x01000193);
    low = Math.imul(low ^ uuid.charCodeAt(i), 0x85ebca6b);
  }
  return (high >>> 16) * 2 ** 32 + (low >>> 0);
}

const hashBytes = 6;

/** Hashes of uuids side by side, as they are stored. */
export function packHashes(hashes: readonly number[]): Buffer {
  const packed = Buffer.allocUnsafe(hashes.length * hashBytes);
  for (let i = 0; i < hashes.length; i++) packed.writeUIntLE(hashes[i] ?? 0, i * hashBytes, hashBytes);
  return packed;
}

export function unpackHashes(packed: Uint8Array): number[] {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const hashes: number[] = [];
  for (let at = 0; at + hashBytes <= bytes.length; at += hashBytes)
    hashes.push(bytes.readUIntLE(at, hashBytes));
  return hashes;
}
