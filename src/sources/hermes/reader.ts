// Reads sessions out of Hermes' database, each as a whole. Messages are those of an OpenAI-compatible API, a row for each.

import { basename, dirname } from 'node:path';
import { guard, optional, readColumns } from '../files/database.ts';
import {
  isObject,
  objectField,
  parseJsonObject,
  stringField,
  toCleanText,
  toTimestamp,
} from '../json/json-value.ts';
import type { SourceReader, SourceTools } from '../source.ts';
import { type Entry, newEntry, toNames, toPrompt, toReply, toTitleFact } from '../transcript/entry.ts';
import { type FoundEntry, gatherWhole } from '../transcript/gathered-batch.ts';
import { toOutputText, toToolCall } from '../transcript/tool-call.ts';

export function makeReader(tools: SourceTools): SourceReader {
  return {
    read: (job, options) => gatherWhole(readEntries(tools, job.path), ['delegate_task'], job, options),
    parseSidecar: () => null,
  };
}

type Row = Readonly<Record<string, unknown>>;

const rowsAtOnce = 200;

/** Some at a time, so that no statement is left open. */
function* readEntries({ openDatabase }: SourceTools, path: string): Generator<FoundEntry> {
  const db = guard(() => openDatabase(dirname(path)));
  try {
    const about = guard(() => {
      const columns = readColumns(db, 'sessions');
      const wanted = ['title', 'model', 'cwd'].map((name) => optional(columns, name)).join(', ');
      return db.all(`select started_at, ${wanted} from sessions where id = ?`, basename(path))[0];
    });
    if (about === undefined) return;
    yield describeSession(about);
    const columns = guard(() => readColumns(db, 'messages'));
    const wanted = ['tool_call_id', 'tool_calls'].map((name) => optional(columns, name)).join(', ');
    for (let last: unknown = 0; ; ) {
      const rows = guard(() =>
        db.all(
          `select id, role, content, timestamp, ${wanted} from messages where session_id = ? and id > ?
          order by id limit ${rowsAtOnce}`,
          basename(path),
          last,
        ),
      );
      for (const row of rows) yield parseRow(row);
      if (rows.length < rowsAtOnce) return;
      last = rows.at(-1)?.id;
    }
  } finally {
    db.close();
  }
}

function describeSession(row: Row): Entry {
  const entry = newEntry('session');
  entry.timestamp = toTime(row.started_at);
  entry.cwd = toText(row.cwd) || null;
  entry.model = toText(row.model) || null;
  entry.facts = toTitleFact('aiTitle', toText(row.title));
  return entry;
}

const quiet = toNames('session_meta system');

function parseRow(row: Row): Entry {
  const role = toText(row.role);
  const entry = newEntry(`message ${role}`);
  const text = toText(row.content).trim();
  const id = toText(row.tool_call_id);
  entry.timestamp = toTime(row.timestamp);
  entry.isTurn = true;
  if (role === 'user') entry.message = toPrompt(text, false);
  else if (role === 'assistant') {
    entry.message = toReply(text);
    entry.toolCalls = parseList(toText(row.tool_calls)).flatMap((call) => {
      const given = objectField(call, 'function');
      const name = stringField(given, 'name');
      const input = parseJsonObject(stringField(given, 'arguments') ?? '');
      return name === null ? [] : [toToolCall(stringField(call, 'id'), name, input)];
    });
  } else if (role === 'tool') {
    const { exit_code: code = 0, output } = parseJsonObject(text) ?? {};
    const said = typeof output === 'string' ? output : text;
    if (id !== '') entry.toolResults = [{ id, isError: code !== 0, output: toOutputText(said) }];
  } else entry.isUnknownType = !quiet.has(role);
  return entry;
}

function parseList(json: string) {
  const value = parseJsonObject(`{"list":${json || '[]'}}`)?.list;
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** In seconds. */
function toTime(value: unknown): string | null {
  return toTimestamp(Math.round(Number(value) * 1000));
}

function toText(value: unknown): string {
  return typeof value === 'string' ? toCleanText(value) : '';
}
