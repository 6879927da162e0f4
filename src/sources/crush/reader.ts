// Reads sessions out of a database of Crush, each as a whole. A message is a row, and its parts are a list in JSON.

import { basename, dirname } from 'node:path';
import type { SessionKind } from '../../records.ts';
import { optionalColumns } from '../files/database.ts';
import {
  field,
  isTrue,
  type JsonObject,
  objectField,
  parseJsonObject,
  parseJsonObjects,
  stringField,
  toTimestamp,
} from '../json/json-value.ts';
import type { SourceTools } from '../source.ts';
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
import { eachRow, type FoundEntry, readsRows } from '../transcript/read-whole.ts';
import { toOutputText, toToolCall, toToolCalls } from '../transcript/tool-call.ts';

/** Times are in seconds, so messages are in the order of their rows. */
export const makeReader = (tools: SourceTools) =>
  readsRows(tools, ['agent', 'agentic_fetch'], function* (session) {
    const { db, id, folder, kind } = session;
    const [about] = db.all('select title, created_at from sessions where id = ?', id);
    if (about === undefined) return;
    yield describeSession(about, folder);
    const further = optionalColumns(db, 'messages', 'model', 'is_summary_message');
    const columns = `id, role, cast(parts as text) as parts, created_at, ${further}`;
    for (const row of eachRow(session, 'messages', columns, 'rowid')) yield* parseRow(row, kind);
  });

const untitled = ['New Session', 'Untitled Session'];

/** Where a session ran is not in the database. A folder that is not in a project may be that of several. */
function describeSession(row: JsonObject, folder: string): Entry {
  const entry = newEntry('session');
  const title = stringField(row, 'title') ?? '';
  entry.timestamp = toTimestamp(row.created_at);
  entry.cwd = basename(folder) === '.crush' ? dirname(folder) : null;
  entry.facts = untitled.includes(title) ? null : toTitleFact('aiTitle', title);
  return entry;
}

const quietParts = toNames('binary finish image_url reasoning shell_command text tool_call tool_result');

function* parseRow(row: JsonObject, kind: SessionKind): Generator<FoundEntry> {
  const list = parseJsonObjects(stringField(row, 'parts') ?? '');
  if (list === null) {
    yield { line: Number(row.nth), reason: 'its parts are not JSON' };
    return;
  }
  const role = stringField(row, 'role') ?? '';
  const parts = list.map((part) => ({
    type: stringField(part, 'type') ?? '',
    data: objectField(part, 'data'),
  }));
  const dataOf = (type: string) =>
    parts.flatMap(({ type: own, data }) => (own === type && data !== null ? [data] : []));
  const entry = newEntry(`message ${role}`);
  const text = dataOf('text').flatMap(toTyped).join('\n\n').trim();
  entry.uuid = stringField(row, 'id');
  entry.timestamp = toTimestamp(row.created_at);
  entry.isTurn = true;
  if (role === 'user') entry.message = toPrompt(text, kind === 'subagent');
  else if (role === 'assistant') {
    const isSummary = row.is_summary_message === 1;
    entry.model = stringField(row, 'model');
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
  const given = parseJsonObject(stringField(part, 'input') ?? '');
  return toToolCalls(stringField(part, 'id'), stringField(part, 'name'), given);
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
