// What the index says about itself: how much it holds, whether it keeps secrets out, and which folders it has seen.

import type { AgentName } from '../../records.ts';
import type { Database } from '../open/database.ts';
import type { IndexTotals } from '../word-index.ts';

/** All that the index holds, subagents and copies too. Kept as one row, because counting would walk through every session at every search. */
export function readTotals(db: Database): IndexTotals {
  const sql =
    'select sessions, spoken_sessions as spokenSessions, messages, text_chars as textChars, tool_calls as toolCalls from total';
  return db.prepare(sql).get() as IndexTotals;
}

/** The archive is a folder of every agent whose files it could hold, without a file that was read there. */
export const agentsRead =
  'select distinct agent from root where exists (select 1 from transcript where transcript.root_id = root.id)';

export function isRedacting(db: Database): boolean {
  return readRedactionVersion(db) > 0;
}

/** By which version of the rules secrets are kept out; 0 where they are not. */
export function readRedactionVersion(db: Database): number {
  return Number(db.prepare('select is_redacting from setting').pluck().get() ?? 0);
}

export function keepsToolTexts(db: Database): boolean {
  return db.prepare('select keeps_work from setting').pluck().get() === 1;
}

/** Another connection has committed something when this differs. */
export function readDataVersion(db: Database): number {
  return Number(db.prepare('pragma data_version').pluck().get());
}

export function readRoots(db: Database): string[] {
  return db.prepare('select path from root').pluck().all() as string[];
}

export function readProjects(db: Database) {
  return db.prepare('select id, path from project').all() as { readonly id: number; readonly path: string }[];
}

/** Answers at work on each connection: the last one ends the transaction. */
const readers = new WeakMap<Database, number>();

/** Otherwise a second statement might not find what the first has named. `read` must not write, nor wait for anything else. */
export async function inOneState<T>(db: Database, read: () => T | Promise<T>): Promise<T> {
  const others = readers.get(db) ?? 0;
  readers.set(db, others + 1);
  // Not db.transaction, for which better-sqlite3 first prepares nine statements: 0.2 ms of a search.
  if (!db.inTransaction) db.exec('begin');
  try {
    return await read();
  } finally {
    const left = (readers.get(db) ?? 1) - 1;
    readers.set(db, left);
    // After some errors SQLite has ended it already.
    if (left === 0 && db.inTransaction) db.exec('commit');
  }
}

/** An agent whose transcripts on disk give fewer messages than they should. */
export interface PoorYield {
  readonly agent: AgentName;
  /** Of the agent that wrote the newest. */
  readonly version: string | null;
  readonly files: number;
  /** none: no transcript of the agent gave a message · fewer: the newest give far fewer than those before. */
  readonly what: 'none' | 'fewer';
}

interface Yield extends Omit<PoorYield, 'what'> {
  readonly newBytes: number;
  readonly newMessages: number;
  readonly oldBytes: number;
  readonly oldMessages: number;
}

const newest = 5;

/** A session that was opened and left again has a few hundred bytes and no message. */
const minBytes = 2000;
const minFiles = 2;

/** The newest must be as large as transcripts that gave so many messages before, and give less than this part of them. */
const minExpected = 20;
const minPart = 0.1;

export function readPoorYields(db: Database): PoorYield[] {
  return (db.prepare(yields).all({ newest }) as Yield[]).flatMap((found): PoorYield[] => {
    const { agent, version, files, newBytes, newMessages, oldBytes, oldMessages } = found;
    if (newMessages + oldMessages === 0) {
      const isEnough = newBytes + oldBytes >= minBytes || files >= minFiles;
      return isEnough ? [{ agent, version, files, what: 'none' }] : [];
    }
    const expected = oldBytes === 0 ? 0 : (oldMessages / oldBytes) * newBytes;
    const isPoor = expected >= minExpected && newMessages < expected * minPart;
    return isPoor ? [{ agent, version, files, what: 'fewer' }] : [];
  });
}

const yields = `
  with file as (
    select session.agent, transcript.last_version as version, message_count as messages, size_bytes as bytes,
      row_number() over (partition by session.agent order by transcript.mtime_ms desc) <= @newest as isNew,
      row_number() over (partition by session.agent order by transcript.mtime_ms desc) = 1 as isNewest
    from session join transcript on transcript.id = session.transcript_id
    where session.kind = 'main' and transcript.state = 'current' and size_bytes > 0 and session.is_machinery = 0)
  select agent, max(iif(isNewest, version, null)) as version, sum(isNew) as files,
    sum(iif(isNew, bytes, 0)) as newBytes, sum(iif(isNew, messages, 0)) as newMessages,
    sum(iif(isNew, 0, bytes)) as oldBytes, sum(iif(isNew, 0, messages)) as oldMessages
  from file group by agent order by agent`;

export function isWipeDue(db: Database): boolean {
  return db.prepare('select is_wipe_due from setting').pluck().get() === 1;
}

export function countTombstones(db: Database): number {
  return db.prepare('select count(*) from tombstone').pluck().get() as number;
}

/** Whether no copy of a forgotten session can be left in this archive. */
export function isCleaned(db: Database, archive: string): boolean {
  const cleaned = db.prepare('select tombstones from cleaned_archive where path = ?').pluck().get(archive);
  return ((cleaned as number | undefined) ?? 0) >= countTombstones(db);
}
