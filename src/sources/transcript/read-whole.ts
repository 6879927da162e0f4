// Sessions in which what was written before may change, so that it does not help to know how far they were read: files of one JSON
// value, and rows of databases. Each is read as a whole.

import { basename, dirname } from 'node:path';
import type { Batch, ForeignDatabase, SkippedLine } from '../../batch.ts';
import { readFoundFile } from '../../open-file.ts';
import { maxSeq, type SessionKind } from '../../records.ts';
import { type JsonObject, parseJsonObject } from '../json/json-value.ts';
import type { ReadEnd, ReadJob, ReadOptions, SourceReader, SourceTools } from '../source.ts';
import type { Entry } from './entry.ts';
import { BatchGatherer, noFingerprint } from './gathered-batch.ts';

export type FoundEntry = Entry | SkippedLine;

export function* gatherWhole(
  entries: Iterable<FoundEntry>,
  subagentTools: readonly string[],
  job: ReadJob,
  { forms, shouldStop }: ReadOptions,
): Generator<Batch, ReadEnd> {
  const gatherer = new BatchGatherer(job, forms, subagentTools);
  const end = { isUnterminated: false, fingerprint: noFingerprint };
  for (const found of entries) {
    if (++gatherer.lines > maxSeq) break;
    if ('reason' in found) gatherer.skip(found.reason, found.line);
    else gatherer.add(found);
    if (!gatherer.isFull) continue;
    yield gatherer.take({ ...end, bytesRead: gatherer.lines, isLast: false });
    if (shouldStop()) return 'unfinished';
  }
  // All of the file counts as read, so that only a change of its size has it read again.
  yield gatherer.take({ ...end, bytesRead: job.sizeBytes, isLast: true });
  return 'whole';
}

/** The file is held in memory, and so is what it is parsed into. */
const maxBytes = 32 * 1024 * 1024;

/** The object with its messages, or why there is none. */
export function readJsonFile(path: string, sizeBytes: number): JsonObject | string {
  if (sizeBytes > maxBytes) return `longer than ${maxBytes / 1024 / 1024} MiB`;
  const whole = parseJsonObject(readFoundFile(path).toString());
  if (whole === null) return 'not a JSON object';
  return Array.isArray(whole.messages) ? whole : 'has no list of messages';
}

interface StoredSession {
  readonly db: ForeignDatabase;
  readonly id: string;
  readonly kind: SessionKind;
  /** The folder of the database. */
  readonly folder: string;
}

/** What reads sessions out of a database. The path of a session is that of the database, and its id. */
export function readsRows(
  { openDatabase }: SourceTools,
  subagentTools: readonly string[],
  readEntries: (session: StoredSession) => Iterable<FoundEntry>,
): SourceReader {
  function* readSession({ path, kind }: ReadJob): Generator<FoundEntry> {
    const file = dirname(path);
    const db = guard(() => openDatabase(file));
    const guarded = {
      ...db,
      all: (sql: string, ...values: readonly unknown[]) => guard(() => db.all(sql, ...values)),
    };
    try {
      yield* readEntries({ db: guarded, id: basename(path), kind, folder: dirname(file) });
    } finally {
      db.close();
    }
  }
  return {
    read: (job, options) => gatherWhole(readSession(job), subagentTools, job, options),
    parseSidecar: () => null,
  };
}

/** What SQLite says of a database costs its sessions, and not the run. */
function guard<T>(ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw Object.assign(new Error(reason), { code: 'EDATABASE' });
  }
}

const rowsAtOnce = 200;

/** The rows of a session in the order of a column, `nth`. Some at a time, so that its owner can write: no statement is left open. */
export function* eachRow(
  { db, id }: StoredSession,
  table: string,
  columns: string,
  order: string,
): Generator<JsonObject> {
  const sql = `select ${order} as nth, ${columns} from ${table} where session_id = ? and ${order} > ?
    order by ${order} limit ${rowsAtOnce}`;
  for (let last: unknown = -1; ; ) {
    const rows = db.all(sql, id, last);
    yield* rows;
    if (rows.length < rowsAtOnce) return;
    last = rows.at(-1)?.nth;
  }
}
