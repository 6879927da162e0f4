// Reads sessions of OpenClaw, whose events are lines of pi: in rows of a database, each session as a whole, or in a file. A long
// event is compressed.

import { optionalColumns } from '../files/database.ts';
import { decodeZstd } from '../files/zstd.ts';
import { objectField, parseJsonObject, stringField } from '../json/json-value.ts';
import { parseEntry, piReader } from '../pi/reader.ts';
import type { SourceReader, SourceTools } from '../source.ts';
import type { EntryToolCall } from '../transcript/entry.ts';
import { eachRow, readsRows } from '../transcript/read-whole.ts';
import { toToolCall } from '../transcript/tool-call.ts';

export function makeReader(tools: SourceTools): SourceReader {
  const rows = readsRows(tools, ['sessions_spawn'], function* (session) {
    const columns = `event_json as event, ${optionalColumns(session.db, 'transcript_events', 'event_zstd')}`;
    for (const row of eachRow(session, 'transcript_events', columns, 'seq')) {
      const event = stringField(row, 'event') ?? unpack(row.event_zstd);
      const entry = parseEntry(parseJsonObject(event) ?? {}, session.kind);
      yield entry === null
        ? { line: Number(row.nth) + 1, reason: 'has no type' }
        : { ...entry, toolCalls: entry.toolCalls.map(toNamedCall) };
    }
  });
  return {
    ...piReader,
    read: (job, options) => (job.path.endsWith('.jsonl') ? piReader : rows).read(job, options),
  };
}

/** Empty where it is damaged. */
function unpack(bytes: unknown): string {
  try {
    return Buffer.concat([...decodeZstd([Buffer.from(bytes as Uint8Array)], true)]).toString();
  } catch {
    return '';
  }
}

/** Most tools are called through one that is given their name. */
function toNamedCall(call: EntryToolCall): EntryToolCall {
  const { given = null } = call;
  const name = call.name === 'tool_call' ? stringField(given, 'id') : null;
  return name === null ? call : toToolCall(call.id, name, objectField(given, 'args'));
}
