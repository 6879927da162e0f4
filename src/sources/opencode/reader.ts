// Reads sessions out of OpenCode's database, each as a whole: parts change until their tools have answered. No statement is
// left open while what was read is written, so that the owner can always write.

import type { ForeignDatabase } from '../../batch.ts';
import type { SessionKind } from '../../records.ts';
import { optionalColumns, readColumns } from '../files/database.ts';
import {
  field,
  integerField,
  isObject,
  isTrue,
  type JsonObject,
  objectField,
  parseJsonObject,
  stringField,
  toTimestamp,
  trimmedField,
} from '../json/json-value.ts';
import type { SourceTools } from '../source.ts';
import {
  compaction,
  type Entry,
  type EntryDraft,
  type EntryToolCall,
  joinTexts,
  newEntry,
  toBlocks,
  toNames,
  toPrompt,
  toReply,
  toTitleFact,
  toUserMessage,
} from '../transcript/entry.ts';
import { type FoundEntry, readsRows } from '../transcript/read-whole.ts';
import { toOutputText, toToolCalls } from '../transcript/tool-call.ts';

export const makeReader = (tools: SourceTools) =>
  readsRows(tools, ['task'], function* ({ db, id, kind }) {
    const head = readHead(db, id);
    if (head === null) return;
    yield head;
    for (const { key, isRow } of listMessages(db, id))
      yield* isRow ? readRow(db, key, kind) : readParts(db, key, kind);
    if (hasUnknownRows(db, id)) yield { ...newEntry('session_message'), isUnknownType: true };
  });

/** In the order of their times: an older command that resumes a newer session adds to it in its own way. */
function listMessages(db: ForeignDatabase, id: string) {
  const ofSession = 'select id, time_created as at from message where session_id = ? order by 2, 1';
  const messages = db.all(ofSession, id);
  const ids = new Set(messages.map((message) => message.id));
  const rows = isReadable(readColumns(db, 'session_message'))
    ? db.all(
        'select rowid as key, id, time_created as at from session_message where session_id = ? order by 3, 1',
        id,
      )
    : [];
  return [
    ...messages.map(({ id: key, at }) => ({ key, at: Number(at), isRow: false })),
    ...rows.filter((row) => !ids.has(row.id)).map(({ key, at }) => ({ key, at: Number(at), isRow: true })),
  ].sort((a, b) => a.at - b.at);
}

function isReadable(columns: readonly string[]): boolean {
  return ['id', 'session_id', 'type', 'time_created', 'data'].every((name) => columns.includes(name));
}

/** Whether a later version has put messages of this session, as far as that can be said, where they cannot be read. */
function hasUnknownRows(db: ForeignDatabase, id: string): boolean {
  const columns = readColumns(db, 'session_message');
  if (columns.length === 0 || isReadable(columns)) return false;
  const rows = columns.includes('session_id')
    ? db.all('select 1 from session_message where session_id = ? limit 1', id)
    : db.all('select 1 from session_message limit 1');
  return rows.length > 0;
}

function* readParts(db: ForeignDatabase, key: unknown, kind: SessionKind): Generator<FoundEntry> {
  const [message] = db.all('select data from message where id = ?', key);
  const parts = db.all('select data from part where message_id = ? order by id', key);
  for (const part of parts) yield parsePart(parseData(part), parseData(message), kind);
}

function* readRow(db: ForeignDatabase, key: unknown, kind: SessionKind): Generator<FoundEntry> {
  const [row] = db.all('select type, data from session_message where rowid = ?', key);
  if (row !== undefined) yield parseRow(stringField(row, 'type') ?? '', parseData(row), kind);
}

const untitled = /^(?:New|Child) session - \d{4}-\d{2}-\d{2}T/;

function readHead(db: ForeignDatabase, id: string): Entry | null {
  const columns = optionalColumns(db, 'session', 'title', 'version');
  const sql = `select directory, ${columns}, time_created from session where id = ?`;
  const [row] = db.all(sql, id);
  if (row === undefined) return null;
  const entry = newEntry('session');
  const title = unquote(trimmedField(row, 'title'));
  entry.cwd = stringField(row, 'directory');
  entry.version = stringField(row, 'version');
  entry.timestamp = toTimestamp(row.time_created);
  if (!untitled.test(title)) entry.facts = toTitleFact('aiTitle', title);
  return entry;
}

function parseData(row: JsonObject | undefined): JsonObject {
  return parseJsonObject(stringField(row ?? null, 'data') ?? '') ?? {};
}

const quietParts = toNames('agent file reasoning retry snapshot step-finish step-start subtask');

function parsePart(part: JsonObject, message: JsonObject, kind: SessionKind): Entry {
  const type = stringField(part, 'type') ?? '';
  const entry = newEntry(`part ${type}`);
  const isUser = stringField(message, 'role') === 'user';
  const created = field(objectField(message, 'time'), 'created');
  switch (type) {
    case 'text': {
      if (isTrue(part, 'synthetic') || isTrue(part, 'ignored')) return entry;
      const text = trimmedField(part, 'text');
      entry.message = isUser ? toPrompt(unquote(text), kind === 'subagent') : toReply(text);
      // A fork copies messages under new ids, together with their times.
      if (entry.message !== null) entry.uuid = `${created} ${entry.message.text.slice(0, 200)}`;
      break;
    }
    case 'tool':
      Object.assign(entry, findCall(part));
      break;
    case 'patch':
      entry.toolCalls = findPatchCalls(field(part, 'files'));
      break;
    case 'compaction':
      entry.facts = compaction;
      break;
    default:
      entry.isUnknownType = !quietParts.has(type);
      return entry;
  }
  entry.model = isUser ? null : stringField(message, 'modelID');
  entry.timestamp = toTimestamp(created);
  entry.isTurn = true;
  return entry;
}

/** `opencode run "a b"` keeps the prompt within double quotes, those inside escaped. */
export function unquote(text: string): string {
  const [, inner] = /^"((?:[^"\\]|\\.)*)"$/s.exec(text) ?? [];
  return inner === undefined ? text : inner.replaceAll('\\"', '"').trim();
}

/** A command that failed is `completed`: only its exit code says so. */
function findCall(part: JsonObject): Pick<Entry, 'toolCalls' | 'toolResults'> {
  const id = stringField(part, 'callID');
  const state = objectField(part, 'state');
  const status = stringField(state, 'status');
  const input = objectField(state, 'input');
  const code = integerField(objectField(state, 'metadata'), 'exit') ?? 0;
  const output = toOutputText(stringField(state, 'output') ?? stringField(state, 'error') ?? '');
  const isDone = status === 'completed' || status === 'error';
  return {
    toolCalls: toToolCalls(id, stringField(part, 'tool'), input),
    toolResults: id === null || !isDone ? [] : [{ id, isError: status === 'error' || code !== 0, output }],
  };
}

/** The files that differ after a turn or a step, whichever tool changed them. */
function findPatchCalls(files: unknown): EntryToolCall[] {
  const paths = (Array.isArray(files) ? files : []).flatMap((file) =>
    isObject(file) ? (stringField(file, 'file') ?? []) : typeof file === 'string' ? file : [],
  );
  return paths.map((target) => ({ id: null, name: 'patch', target, input: '' }));
}

const quietRows: ReadonlySet<string> = new Set(['agent-switched', 'model-switched', 'synthetic', 'system']);

/** Newer sessions. `user`, `assistant` and `agent-switched` were seen; the others are as the program itself declares them. */
function parseRow(type: string, data: JsonObject, kind: SessionKind): Entry {
  const entry = newEntry(`session_message ${type}`);
  switch (type) {
    case 'user':
      entry.message = toPrompt(trimmedField(data, 'text'), kind === 'subagent');
      break;
    case 'assistant':
      addAnswer(entry, data);
      break;
    case 'shell':
      entry.message = toUserMessage('shell', trimmedField(data, 'command'));
      break;
    case 'compaction':
      entry.facts = compaction;
      entry.message = toUserMessage('recap', trimmedField(data, 'summary'));
      break;
    default:
      entry.isUnknownType = !quietRows.has(type);
      return entry;
  }
  const created = field(objectField(data, 'time'), 'created');
  if (entry.message !== null) entry.uuid = `${created} ${entry.message.text.slice(0, 200)}`;
  entry.timestamp = toTimestamp(created);
  entry.isTurn = true;
  return entry;
}

function addAnswer(entry: EntryDraft, data: JsonObject): void {
  const blocks = toBlocks(field(data, 'content'));
  const tools = blocks.filter((block) => stringField(block, 'type') === 'tool');
  const calls = tools.flatMap((tool) => {
    const given = objectField(objectField(tool, 'state'), 'input');
    return toToolCalls(stringField(tool, 'id'), stringField(tool, 'name'), given);
  });
  entry.message = toReply(joinTexts(blocks));
  entry.model = stringField(objectField(data, 'model'), 'id');
  const patches = findPatchCalls(field(objectField(data, 'snapshot'), 'files'));
  entry.toolCalls = [...calls, ...patches];
  entry.toolResults = tools.flatMap((tool) => findResult(tool) ?? []);
}

function findResult(tool: JsonObject): Entry['toolResults'][number] | null {
  const id = stringField(tool, 'id');
  const state = objectField(tool, 'state');
  const status = stringField(state, 'status');
  if (id === null || (status !== 'completed' && status !== 'error')) return null;
  const code = integerField(objectField(state, 'structured'), 'exit') ?? 0;
  const said = joinTexts(toBlocks(field(state, 'content')));
  const fault = stringField(objectField(state, 'error'), 'message') ?? '';
  const output = toOutputText([said, fault].filter((text) => text !== '').join('\n'));
  return { id, isError: status === 'error' || code !== 0, output };
}
