// What an agent's lines are, as the generic reader of line files has to know it.

import type { HistoryPrompt, SessionKind } from '../../records.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { Entry } from './entry.ts';

export interface LineFormat {
  /** The names of the tools that start subagents. */
  readonly subagentTools: readonly string[];
  /** True when the first bytes say that parsing the line would find nothing in it: most of a transcript is passed over so. */
  isSilent(line: Buffer): boolean;
  /** Null when the line is not an entry at all. */
  parseEntry(line: JsonObject, kind: SessionKind): Entry | null;
  /** A line of a prompt history, where the agent keeps one; null when nobody typed anything in it. */
  parsePrompt?(line: JsonObject): HistoryPrompt | null;
}
