// An entry that says nothing yet, for parsers to fill in: one object for each line, from top to bottom, because there are
// millions of lines.

import type { Entry, EntryToolCall, EntryToolResult } from './entry.ts';

export type EntryDraft = { -readonly [K in keyof Entry]: Entry[K] };

const noCalls: readonly EntryToolCall[] = [];
const noResults: readonly EntryToolResult[] = [];
const noKin: readonly string[] = [];

export function newEntry(type: string): EntryDraft {
  return {
    type,
    identity: null,
    uuid: null,
    kin: noKin,
    sessionId: null,
    timestamp: null,
    cwd: null,
    isTurn: false,
    branch: null,
    version: null,
    model: null,
    message: null,
    toolCalls: noCalls,
    toolResults: noResults,
    title: null,
    lastPrompt: null,
    relocatedCwd: null,
    continuedIn: null,
    pullRequest: null,
    isCompaction: false,
    isUnknownType: false,
  };
}
