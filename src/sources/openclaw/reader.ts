// Reads sessions of OpenClaw, whose events are lines of pi: in rows of a database, each session as a whole, or in a file.

import { basename, dirname } from 'node:path';
import type { SessionKind } from '../../records.ts';
import { guard } from '../files/database.ts';
import { parseJsonObject } from '../json/json-value.ts';
import { parseEntry, piReader } from '../pi/reader.ts';
import type { SourceReader, SourceTools } from '../source.ts';
import { type FoundEntry, gatherWhole } from '../transcript/gathered-batch.ts';

export function makeReader(tools: SourceTools): SourceReader {
  return {
    ...piReader,
    read: (job, options) =>
      job.path.endsWith('.jsonl')
        ? piReader.read(job, options)
        : gatherWhole(readEntries(tools, job.path, job.kind), ['sessions_spawn'], job, options),
  };
}

/** Some at a time, so that no statement is left open. */
const rowsAtOnce = 200;

function* readEntries({ openDatabase }: SourceTools, path: string, kind: SessionKind): Generator<FoundEntry> {
  const db = guard(() => openDatabase(dirname(path)));
  try {
    for (let last = -1; ; ) {
      const rows = guard(() =>
        db.all(
          `select seq, event_json as event from transcript_events where session_id = ? and seq > ?
          order by seq limit ${rowsAtOnce}`,
          basename(path),
          last,
        ),
      );
      for (const { seq, event } of rows) {
        last = Number(seq);
        const entry = parseEntry(parseJsonObject(String(event)) ?? {}, kind);
        yield entry ?? { line: last + 1, reason: 'has no type' };
      }
      if (rows.length < rowsAtOnce) return;
    }
  } finally {
    db.close();
  }
}
