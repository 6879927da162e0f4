// Reads sessions out of OpenCode's database, each as a whole: parts change until their tools have answered. No statement is
// left open while what was read is written, so that the owner can always write.

import { basename, dirname } from 'node:path';
import type { ForeignDatabase } from '../../batch.ts';
import type { SessionKind } from '../../records.ts';
import { type JsonObject, parseJsonObject, toCleanText, toExcerpt, toTimestamp } from '../json/json-value.ts';
import type { SourceReader, SourceTools } from '../source.ts';
import type { Entry } from '../transcript/entry.ts';
import { type FoundEntry, gatherWhole } from '../transcript/gather-whole.ts';
import { newEntry } from '../transcript/new-entry.ts';
import { parsePart, unquote } from './parse-part.ts';
import { parseRow } from './parse-row.ts';
import { optional, readColumns } from './tables.ts';

export function toReader({ openDatabase }: SourceTools): SourceReader {
  return {
    read: (job, options) =>
      gatherWhole(readEntries(openDatabase, job.path, job.kind), ['task'], job, options),
    parseSidecar: () => null,
  };
}

/** The path of a session is that of the database, and its id. */
function* readEntries(
  openDatabase: SourceTools['openDatabase'],
  path: string,
  kind: SessionKind,
): Generator<FoundEntry> {
  const id = basename(path);
  const db = guard(() => openDatabase(dirname(path)));
  try {
    const head = guard(() => readHead(db, id));
    if (head === null) return;
    yield head;
    for (const message of guard(() => listMessages(db, id)))
      yield* message.isRow ? readRow(db, message, kind) : readParts(db, message, kind);
    if (guard(() => hasUnknownRows(db, id))) yield toUnknown();
  } finally {
    db.close();
  }
}

/** A message with parts, or a row that is a message as a whole. */
interface Listed {
  readonly key: unknown;
  readonly isRow: boolean;
}

/** Both, in the order of their times: an older command that resumes a newer session adds to it in its own way. */
function listMessages(db: ForeignDatabase, id: string): Listed[] {
  const messages = db.all(
    'select id, time_created as at from message where session_id = ? order by 2, 1',
    id,
  );
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

function toUnknown(): Entry {
  const entry = newEntry('session_message');
  entry.isUnknownType = true;
  return entry;
}

function* readParts(db: ForeignDatabase, { key }: Listed, kind: SessionKind): Generator<FoundEntry> {
  const [message] = guard(() => db.all('select data from message where id = ?', key));
  const parts = guard(() => db.all('select data from part where message_id = ? order by id', key));
  for (const { data } of parts) yield parsePart(toObject(data), toObject(message?.data), kind);
}

function* readRow(db: ForeignDatabase, { key }: Listed, kind: SessionKind): Generator<FoundEntry> {
  const [row] = guard(() => db.all('select type, data from session_message where rowid = ?', key));
  if (row !== undefined) yield parseRow(toText(row.type), toObject(row.data), kind);
}

const maxTitleChars = 1000;
/** Until it has a title. */
const untitled = /^(?:New|Child) session - \d{4}-\d{2}-\d{2}T/;

function readHead(db: ForeignDatabase, id: string): Entry | null {
  const columns = readColumns(db, 'session');
  const [row] = db.all(
    `select directory, ${optional(columns, 'title')}, ${optional(columns, 'version')}, time_created from session where id = ?`,
    id,
  );
  if (row === undefined) return null;
  const entry = newEntry('session');
  const title = unquote(toText(row.title).trim());
  entry.cwd = toText(row.directory) || null;
  entry.version = toText(row.version) || null;
  entry.timestamp = toTimestamp(row.time_created);
  if (title !== '' && !untitled.test(title))
    entry.title = { source: 'ai-title', text: toExcerpt(title, maxTitleChars) };
  return entry;
}

function toObject(data: unknown): JsonObject {
  return parseJsonObject(toText(data)) ?? {};
}

function toText(value: unknown): string {
  return typeof value === 'string' ? toCleanText(value) : '';
}

/** What SQLite says of this database costs its sessions, and not the run. */
function guard<T>(ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw Object.assign(new Error(reason), { code: 'EDATABASE' });
  }
}
