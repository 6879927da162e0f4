// Reads sessions out of a database of Crush, each as a whole. A message is a row, and its parts are a list in JSON.

import { basename, dirname } from 'node:path';
import type { SessionKind } from '../../records.ts';
import { guard, optional, readColumns } from '../files/database.ts';
import {
  field,
  isTrue,
  type JsonObject,
  objectField,
  objectsField,
  parseJsonObject,
  stringField,
  toCleanText,
  toTimestamp,
} from '../json/json-value.ts';
import type { SourceReader, SourceTools } from '../source.ts';
import {
  compaction,
  type Entry,
  newEntry,
  toNames,
  toPrompt,
  toReply,
  toTitleFact,
  toUserMessage,
} from '../transcript/entry.ts';
import { type FoundEntry, gatherWhole } from '../transcript/gathered-batch.ts';
import { toOutputText, toToolCall } from '../transcript/tool-call.ts';

export function makeReader(tools: SourceTools): SourceReader {
  return {
    read: (job, options) =>
      gatherWhole(readEntries(tools, job.path, job.kind), ['agent', 'agentic_fetch'], job, options),
    parseSidecar: () => null,
  };
}

type Row = Readonly<Record<string, unknown>>;

const rowsAtOnce = 200;

/** Some at a time, so that no statement is left open. Times are in seconds, so messages are in the order of their rows. */
function* readEntries({ openDatabase }: SourceTools, path: string, kind: SessionKind): Generator<FoundEntry> {
  const [file, id] = [dirname(path), basename(path)];
  const db = guard(() => openDatabase(file));
  try {
    const about = guard(() => db.all('select title, created_at from sessions where id = ?', id)[0]);
    if (about === undefined) return;
    yield describeSession(about, dirname(file));
    const columns = guard(() => readColumns(db, 'messages'));
    const wanted = ['model', 'is_summary_message'].map((name) => optional(columns, name)).join(', ');
    for (let last: unknown = 0; ; ) {
      const rows = guard(() =>
        db.all(
          `select rowid as nth, id, role, cast(parts as text) as parts, created_at, ${wanted} from messages
          where session_id = ? and rowid > ? order by rowid limit ${rowsAtOnce}`,
          id,
          last,
        ),
      );
      for (const row of rows) yield* parseRow(row, kind);
      if (rows.length < rowsAtOnce) return;
      last = rows.at(-1)?.nth;
    }
  } finally {
    db.close();
  }
}

const untitled = ['New Session', 'Untitled Session'];

/** Where a session ran is not in the database. A folder that is not in a project may be that of several. */
function describeSession(row: Row, folder: string): Entry {
  const entry = newEntry('session');
  const title = toText(row.title);
  entry.timestamp = toTimestamp(row.created_at);
  entry.cwd = basename(folder) === '.crush' ? dirname(folder) : null;
  entry.facts = untitled.includes(title) ? null : toTitleFact('aiTitle', title);
  return entry;
}

const quietParts = toNames('binary finish image_url reasoning shell_command text tool_call tool_result');

function* parseRow(row: Row, kind: SessionKind): Generator<FoundEntry> {
  const list = parseJsonObject(`{"parts":${toText(row.parts) || '[]'}}`);
  if (list === null) {
    yield { line: Number(row.nth), reason: 'its parts are not JSON' };
    return;
  }
  const role = toText(row.role);
  const parts = objectsField(list, 'parts').map((part) => ({
    type: stringField(part, 'type') ?? '',
    data: objectField(part, 'data'),
  }));
  const dataOf = (type: string) =>
    parts.flatMap(({ type: own, data }) => (own === type && data !== null ? [data] : []));
  const entry = newEntry(`message ${role}`);
  const text = dataOf('text').flatMap(toTyped).join('\n\n').trim();
  entry.uuid = toText(row.id) || null;
  entry.timestamp = toTimestamp(row.created_at);
  entry.isTurn = true;
  if (role === 'user') entry.message = toPrompt(text, kind === 'subagent');
  else if (role === 'assistant') {
    const isSummary = row.is_summary_message === 1;
    entry.model = toText(row.model) || null;
    entry.message = isSummary ? toUserMessage('recap', text) : toReply(text);
    if (isSummary) entry.facts = compaction;
  } else entry.isUnknownType = role !== 'tool' && role !== 'system';
  entry.toolCalls = [...dataOf('tool_call').flatMap(toCall), ...dataOf('shell_command').map(toShellCall)];
  entry.toolResults = dataOf('tool_result').flatMap(toResult);
  yield entry;
  for (const { type } of parts)
    if (!quietParts.has(type)) yield { ...newEntry(`part ${type}`), isUnknownType: true };
}

/** Some texts of the user are the program's own. */
function toTyped(part: JsonObject): string[] {
  const text = stringField(part, 'text');
  return text === null || isTrue(part, 'hidden') ? [] : [text];
}

function toCall(part: JsonObject): Entry['toolCalls'] {
  const name = stringField(part, 'name');
  const given = parseJsonObject(stringField(part, 'input') ?? '');
  return name === null ? [] : [toToolCall(stringField(part, 'id'), name, given)];
}

/** What the person ran, with its output. */
function toShellCall(part: JsonObject): Entry['toolCalls'][number] {
  return toToolCall(null, 'bash', part);
}

/** A command that failed is not marked as an error; its answer ends with the code. */
function toResult(part: JsonObject): Entry['toolResults'] {
  const id = stringField(part, 'tool_call_id');
  const output = stringField(part, 'content') ?? '';
  const isFailed = field(part, 'name') === 'bash' && /^Exit code [1-9]\d*\s*(?:<cwd>|$)/m.test(output);
  return id === null
    ? []
    : [{ id, isError: isTrue(part, 'is_error') || isFailed, output: toOutputText(output) }];
}

function toText(value: unknown): string {
  return typeof value === 'string' ? toCleanText(value) : '';
}
