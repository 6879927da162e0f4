// Reads sessions of OpenClaw, whose events are lines of pi: in rows of a database, each session as a whole, or in a file.

import { parseJsonObject, stringField } from '../json/json-value.ts';
import { parseEntry, piReader } from '../pi/reader.ts';
import type { SourceReader, SourceTools } from '../source.ts';
import { eachRow, readsRows } from '../transcript/read-whole.ts';

export function makeReader(tools: SourceTools): SourceReader {
  const rows = readsRows(tools, ['sessions_spawn'], function* (session) {
    for (const row of eachRow(session, 'transcript_events', 'event_json as event', 'seq')) {
      const event = parseJsonObject(stringField(row, 'event') ?? '') ?? {};
      yield parseEntry(event, session.kind) ?? { line: Number(row.nth) + 1, reason: 'has no type' };
    }
  });
  return {
    ...piReader,
    read: (job, options) => (job.path.endsWith('.jsonl') ? piReader : rows).read(job, options),
  };
}
