// Reads sessions out of OpenCode's database, each as a whole: parts change until their tools have answered. No statement is
// left open while what was read is written, so that the owner can always write.

import { basename, dirname } from 'node:path';
import type { ForeignDatabase } from '../../batch.ts';
import type { SessionKind } from '../../records.ts';
import { type JsonObject, parseJsonObject, toCleanText, toExcerpt, toTimestamp } from '../json/json-value.ts';
import type { SourceReader, SourceTools, ToWorkText, WorkPassage, WorkPlace } from '../source.ts';
import type { Entry } from '../transcript/entry.ts';
import { gatherWhole, type PlacedEntry } from '../transcript/gather-whole.ts';
import { newEntry } from '../transcript/new-entry.ts';
import { toPassage } from '../transcript/read-work.ts';
import { parsePart, unquote } from './parse-part.ts';
import { optional, readColumns } from './tables.ts';

export function toReader({ openDatabase }: SourceTools): SourceReader {
  return {
    read: (job, options) =>
      gatherWhole(readEntries(openDatabase, job.path, job.kind), ['task'], job, options),
    parseSidecar: () => null,
    readWork: (path, place, toText) => {
      const db = openDatabase(dirname(path));
      try {
        return readPassage(db, basename(path), place, toText);
      } catch {
        return null;
      } finally {
        db.close();
      }
    },
  };
}

/** The path of a session is that of the database, and its id. */
function* readEntries(
  openDatabase: SourceTools['openDatabase'],
  path: string,
  kind: SessionKind,
): Generator<PlacedEntry> {
  const id = basename(path);
  const db = guard(() => openDatabase(dirname(path)));
  try {
    const head = guard(() => readHead(db, id));
    if (head === null) return;
    yield { entry: head, lineFrom: 0, lineBytes: 0 };
    const messages = guard(() =>
      db.all('select id, data from message where session_id = ? order by time_created, id', id),
    );
    for (const { id: messageId, data } of messages) {
      const message = toObject(data);
      const parts = guard(() =>
        db.all('select rowid, data from part where message_id = ? order by id', messageId),
      );
      for (const part of parts)
        yield {
          entry: parsePart(toObject(part.data), message, kind),
          lineFrom: Number(part.rowid),
          lineBytes: 1,
        };
    }
    if (messages.length === 0) yield* readNewer(db, id);
  } finally {
    db.close();
  }
}

/** A later version keeps messages in another table, which cannot be read yet: that has to be noticed. */
function* readNewer(db: ForeignDatabase, id: string): Generator<PlacedEntry> {
  if (readColumns(db, 'session_message').length === 0) return;
  for (const { type } of db.all('select type from session_message where session_id = ?', id)) {
    const entry = newEntry(`session_message ${type}`);
    entry.isUnknownType = true;
    yield { entry, lineFrom: 0, lineBytes: 0 };
  }
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

function readPassage(
  db: ForeignDatabase,
  id: string,
  place: WorkPlace,
  toText: ToWorkText,
): WorkPassage | null {
  const [row] = db.all(
    `select part.data as part, message.data as message from part join message on message.id = part.message_id
    where part.rowid = ? and message.session_id = ?`,
    place.lineFrom,
    id,
  );
  return row === undefined
    ? null
    : toPassage(parsePart(toObject(row.part), toObject(row.message), place.kind), place, toText);
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
