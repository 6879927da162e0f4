// What the index says about itself: how much it holds, whether it keeps secrets out, and which folders it has seen.

import type { AgentName } from '../../records.ts';
import type { Database } from '../open/database.ts';
import type { Store } from '../open/open-store.ts';
import type { IndexTotals } from '../word-index.ts';

/** Kept as one row, because counting would walk through every session at every search. */
export function readTotals(db: Database): IndexTotals {
  return db
    .prepare(
      'select sessions, spoken_sessions as spokenSessions, messages, text_chars as textChars, tool_calls as toolCalls from total',
    )
    .get() as IndexTotals;
}

export interface AgentTotals {
  readonly agent: string;
  readonly sessions: number;
  readonly messages: number;
}

/**
 * The agents that something was read of. The archive is a folder of every agent whose files it could hold, without a file
 * that was read there.
 */
export const agentsRead =
  'select distinct agent from root where exists (select 1 from transcript where transcript.root_id = root.id)';

/** Where there are several agents, it walks through every session. */
export function readAgentTotals(db: Database): AgentTotals[] {
  const agents = db.prepare(agentsRead).pluck().all() as string[];
  const [agent, ...others] = agents;
  if (agent !== undefined && others.length === 0) {
    const { sessions, messages } = readTotals(db);
    return sessions === 0 ? [] : [{ agent, sessions, messages }];
  }
  return db
    .prepare(
      'select agent, count(*) as sessions, sum(message_count) as messages from session group by agent order by agent',
    )
    .all() as AgentTotals[];
}

/** Whether secrets are kept out of it. */
export function isRedacting(db: Database): boolean {
  return db.prepare('select is_redacting from setting').pluck().get() === 1;
}

/** Whether what tools were given and answered is indexed. */
export function keepsWork(db: Database): boolean {
  return db.prepare('select keeps_work from setting').pluck().get() === 1;
}

/** The folders of agents that it has seen. */
export function readRoots(db: Database): string[] {
  return db.prepare('select path from root').pluck().all() as string[];
}

export interface Project {
  readonly id: number;
  readonly path: string;
}

export function readProjects(db: Database): Project[] {
  return db.prepare('select id, path from project').all() as Project[];
}

/** Answers at work on each connection: the last one ends the transaction. */
const readers = new WeakMap<Database, number>();

/**
 * Everything that `read` asks for is of one state of the index. Another process may write between two statements: without a
 * transaction, the second would not find what the first has named. `read` must not write, nor wait for anything else.
 */
export async function inOneState<T>({ db }: Store, read: () => T | Promise<T>): Promise<T> {
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

/** Of the transcripts on disk of an agent: the newest few, and those before. */
interface Yield {
  readonly agent: AgentName;
  /** Of the program that wrote the newest. */
  readonly version: string | null;
  readonly newFiles: number;
  readonly newBytes: number;
  readonly newMessages: number;
  readonly oldBytes: number;
  readonly oldMessages: number;
}

/** none: no transcript of the agent gave a message · fewer: the newest give far fewer than those before. */
export interface PoorYield {
  readonly agent: AgentName;
  readonly version: string | null;
  readonly files: number;
  readonly what: 'none' | 'fewer';
}

const newest = 5;

/** A session that was opened and left again has a few hundred bytes and no message. */
const minBytes = 2000;
const minFiles = 2;

/** The newest must be as large as transcripts that gave so many messages before, and give less than this part of them. */
const minExpected = 20;
const minPart = 0.1;

export function readPoorYields(db: Database): PoorYield[] {
  return (db.prepare(yields).all({ newest }) as Yield[]).flatMap((found) => {
    const { agent, version, newFiles: files } = found;
    const what = toVerdict(found);
    return what === null ? [] : [{ agent, version, files, what }];
  });
}

function toVerdict({
  newFiles,
  newBytes,
  newMessages,
  oldBytes,
  oldMessages,
}: Yield): PoorYield['what'] | null {
  if (newMessages + oldMessages === 0)
    return newBytes + oldBytes >= minBytes || newFiles >= minFiles ? 'none' : null;
  const expected = oldBytes === 0 ? 0 : (oldMessages / oldBytes) * newBytes;
  return expected >= minExpected && newMessages < expected * minPart ? 'fewer' : null;
}

const yields = `
  with file as (
    select session.agent, transcript.last_version as version, message_count as messages, size_bytes as bytes,
      row_number() over (partition by session.agent order by transcript.mtime_ms desc) <= @newest as isNew,
      row_number() over (partition by session.agent order by transcript.mtime_ms desc) = 1 as isNewest
    from session join transcript on transcript.id = session.transcript_id
    where session.kind = 'main' and transcript.state = 'current' and size_bytes > 0 and session.is_machinery = 0)
  select agent, max(iif(isNewest, version, null)) as version, sum(isNew) as newFiles,
    sum(iif(isNew, bytes, 0)) as newBytes, sum(iif(isNew, messages, 0)) as newMessages,
    sum(iif(isNew, 0, bytes)) as oldBytes, sum(iif(isNew, 0, messages)) as oldMessages
  from file group by agent order by agent`;
