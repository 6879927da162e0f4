// Reads sessions out of Hermes' database, each as a whole. Messages are those of an OpenAI-compatible API, a row for each.

import { optionalColumns } from '../files/database.ts';
import {
  type JsonObject,
  objectField,
  parseJsonObject,
  parseJsonObjects,
  stringField,
  toTimestamp,
  trimmedField,
} from '../json/json-value.ts';
import type { SourceTools } from '../source.ts';
import { type Entry, newEntry, toNames, toPrompt, toReply, toTitleFact } from '../transcript/entry.ts';
import { eachRow, readsRows } from '../transcript/read-whole.ts';
import { toOutputText, toToolCalls } from '../transcript/tool-call.ts';

export const makeReader = (tools: SourceTools) =>
  readsRows(tools, ['delegate_task'], function* (session) {
    const { db, id } = session;
    const columns = optionalColumns(db, 'sessions', 'title', 'model', 'cwd');
    const [about] = db.all(`select started_at, ${columns} from sessions where id = ?`, id);
    if (about === undefined) return;
    yield describeSession(about);
    const calls = optionalColumns(db, 'messages', 'tool_call_id', 'tool_calls');
    const rows = eachRow(session, 'messages', `role, content, timestamp, ${calls}`, 'id');
    for (const row of rows) yield parseRow(row);
  });

function describeSession(row: JsonObject): Entry {
  const entry = newEntry('session');
  entry.timestamp = toTime(row.started_at);
  entry.cwd = stringField(row, 'cwd');
  entry.model = stringField(row, 'model');
  entry.facts = toTitleFact('aiTitle', stringField(row, 'title'));
  return entry;
}

const quiet = toNames('session_meta system');

function parseRow(row: JsonObject): Entry {
  const role = stringField(row, 'role') ?? '';
  const entry = newEntry(`message ${role}`);
  const text = trimmedField(row, 'content');
  const id = stringField(row, 'tool_call_id');
  entry.timestamp = toTime(row.timestamp);
  entry.isTurn = true;
  if (role === 'user') entry.message = toPrompt(text, false);
  else if (role === 'assistant') {
    entry.message = toReply(text);
    entry.toolCalls = (parseJsonObjects(stringField(row, 'tool_calls') ?? '') ?? []).flatMap((call) => {
      const given = objectField(call, 'function');
      const input = parseJsonObject(stringField(given, 'arguments') ?? '');
      return toToolCalls(stringField(call, 'id'), stringField(given, 'name'), input);
    });
  } else if (role === 'tool') {
    const { exit_code: code = 0, output } = parseJsonObject(text) ?? {};
    const said = typeof output === 'string' ? output : text;
    if (id !== null) entry.toolResults = [{ id, isError: code !== 0, output: toOutputText(said) }];
  } else entry.isUnknownType = !quiet.has(role);
  return entry;
}

/** In seconds. */
function toTime(value: unknown): string | null {
  return toTimestamp(Math.round(Number(value) * 1000));
}
