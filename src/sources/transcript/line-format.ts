// What an agent's lines are, as the generic reader of line files has to know it.

import type { HistoryPrompt, SessionKind } from '../../records.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { FieldReader } from '../json/read-fields.ts';
import type { Entry } from './entry.ts';

export interface LineFormat {
  /** Reads the fields that `parseEntry` looks at, and those that `parsePrompt` looks at. */
  readonly entryReader: FieldReader;
  readonly promptReader: FieldReader;
  /** True when the first bytes say that parsing the line would find nothing in it: most of a transcript is passed over so. */
  isSilent(line: Buffer): boolean;
  /** What is searched of the text of a call or an answer: its head and its tail. */
  cutWork(text: string, isOutput: boolean): string;
  /** Null when the line is not an entry at all. */
  parseEntry(line: JsonObject, kind: SessionKind): Entry | null;
  /** A line of the prompt history; null when nobody typed anything in it. */
  parsePrompt(line: JsonObject): HistoryPrompt | null;
}
