// What the index already knows about the files of one root, for planning.

import type { AgentName, FileStamp, SessionKind } from '../../records.ts';
import { type Database, type Prepared, prepareAll, withBooleans } from '../open/database.ts';
import type { TranscriptState } from '../schema.ts';
import type { SessionInfo } from '../word-index.ts';
import { isOfKind } from './scope.ts';
import { countedIn } from './sessions.ts';

export interface TranscriptProgress extends FileStamp {
  readonly bytesRead: number;
  readonly linesRead: number;
  readonly lastVersion: string | null;
  readonly isUnterminated: boolean;
  readonly fingerprint: string;
  readonly parserVersion: number;
  readonly state: TranscriptState;
  readonly error: string | null;
}

export interface KnownTranscript extends Omit<TranscriptProgress, 'error'> {
  readonly id: number;
  readonly path: string;
  /** As its content says, where its name does not. */
  readonly kind: SessionKind;
}

const isUnchecked = "state = 'current' and fingerprint like '%?'";

export function hasUnchecked(db: Database): boolean {
  return db.prepare(`select 1 from transcript where ${isUnchecked} limit 1`).get() !== undefined;
}

const selectTranscript = `
  select id, path, kind, state, fingerprint, inode, size_bytes as sizeBytes, mtime_ms as mtimeMs, ctime_ms as ctimeMs,
    bytes_read as bytesRead, lines_read as linesRead, last_version as lastVersion, is_unterminated as isUnterminated,
    parser_version as parserVersion
  from transcript`;

const knownSql = {
  transcript: `${selectTranscript} where root_id = ? and path = ?`,
  present: `${selectTranscript} where root_id = ? and state <> 'gone'`,
  unchecked: `${selectTranscript} where root_id = ? and ${isUnchecked}`,
  sidecar: `
    select inode, size_bytes as sizeBytes, mtime_ms as mtimeMs, ctime_ms as ctimeMs from sidecar
    where root_id = ? and path = ?`,
} as const;

/** Looks up one file at a time: of tens of thousands, few have changed. */
export class KnownFiles {
  private readonly rootId: number;
  private readonly sql: Prepared<typeof knownSql>;

  constructor(db: Database, rootId: number) {
    this.rootId = rootId;
    this.sql = prepareAll(db, knownSql);
  }

  findTranscript(path: string): KnownTranscript | null {
    const found = this.sql.transcript.all(this.rootId, path);
    return withBooleans<KnownTranscript>(found, 'isUnterminated')[0] ?? null;
  }

  findSidecar(path: string): FileStamp | null {
    return (this.sql.sidecar.get(this.rootId, path) as FileStamp | undefined) ?? null;
  }

  /** Those whose mark says that not all of what was read was compared when something was added. */
  readUnchecked(): KnownTranscript[] {
    return withBooleans(this.sql.unchecked.all(this.rootId), 'isUnterminated');
  }

  readPresent(): KnownTranscript[] {
    return withBooleans(this.sql.present.all(this.rootId), 'isUnterminated');
  }
}

export interface FreeIds {
  readonly above: number;
  /** Those that an unfinished first run left for transcripts older than `mtimeMs`: `count` of them directly below `below`. */
  readonly left: { readonly below: number; readonly count: number; readonly mtimeMs: number } | null;
}

export function readFreeIds(db: Database, rootId: number): FreeIds {
  const read = (sql: string, ...values: readonly number[]) => {
    const statement = db.prepare(sql).pluck();
    return statement.get(...values) as number | null | undefined;
  };
  const above = read('select max(id) from session') ?? 0;
  const first = 'select id from session where root_id = ? and transcript_id is not null order by id limit 1';
  const below = read(first, rootId);
  const count =
    below == null ? 0 : below - 1 - (read('select max(id) from session where id < ?', below) ?? 0);
  if (below == null || count === 0) return { above, left: null };
  // Transcripts that were read in part have the time 0, and do not count.
  const mtimeMs = read('select min(mtime_ms) from transcript where root_id = ? and mtime_ms > 0', rootId);
  return { above, left: mtimeMs == null ? null : { below, count, mtimeMs } };
}

export function readTombstones(db: Database, agent: string): Set<string> {
  const ids = db.prepare('select native_id from tombstone where agent = ?').pluck().all(agent);
  return new Set(ids as string[]);
}

interface ArchivedFacts extends Pick<SessionInfo, 'agent' | 'nativeId' | 'title' | 'project' | 'modifiedAt'> {
  readonly projectId: number | null;
  /** The conversation that it counts for in a list: its own, or that of the session it is part of; null if it is left out there. */
  readonly countedIn: number | null;
}

/** Of every session; the newest last where several have one id. */
export function readArchivedFacts(db: Database): ArchivedFacts[] {
  const sql = `select agent, native_id as nativeId, title, project_id as projectId, project.path as project,
    modified_at as modifiedAt, ${countedIn} as countedIn
  from session left join project on project.id = project_id order by modified_at`;
  return db.prepare(sql).all() as ArchivedFacts[];
}

export function countOnDisk(db: Database, agent: AgentName): number {
  const sql = `select count(distinct ${countedIn}) from session
    where agent = ? and ${isOfKind('isListed')} and is_gone = 0`;
  return db.prepare(sql).pluck().get(agent) as number;
}

type RebuildFacts = Readonly<Record<'branch' | 'version' | 'model', string | null>>;

export function readRebuildFacts(db: Database, sessionId: number): RebuildFacts {
  const sql =
    "select branch, versions ->> '$[#-1]' as version, models ->> '$[#-1]' as model from session where id = ?";
  return db.prepare(sql).get(sessionId) as RebuildFacts;
}

export type TranscriptPlace = Readonly<Record<'root' | 'path', string>>;

const knownTranscripts = `select root.path as root, transcript.path from session
  join transcript on transcript.id = session.transcript_id join root on root.id = session.root_id`;

/** Of the subagents of a session, and of theirs. */
export function readSubagentTranscripts(db: Database, agent: AgentName, nativeId: string): TranscriptPlace[] {
  const sql = `with recursive family(native_id) as (select ? union select session.native_id from family
    join session on session.parent_native_id = family.native_id where session.agent = ? and session.kind = 'subagent')
  ${knownTranscripts} where session.agent = ? and session.kind = 'subagent' and session.native_id in family`;
  return db.prepare(sql).all(nativeId, agent, agent) as TranscriptPlace[];
}

export function findKnownTranscript(db: Database, agent: AgentName, nativeId: string) {
  const sql = `${knownTranscripts} where session.agent = ? and session.native_id = ? order by session.modified_at desc limit 1`;
  return db.prepare(sql).get(agent, nativeId) as TranscriptPlace | undefined;
}

interface SentFacts extends Pick<SessionInfo, 'agent' | 'nativeId' | 'project' | 'branch'> {}

/** Of the sessions that were on this machine. */
export function readSentFacts(db: Database): SentFacts[] {
  const sql = `select session.agent, native_id as nativeId, project.path as project, branch
  from session join root on root.id = root_id left join project on project.id = project_id
  where machine_id = 0 and kind = 'main' order by modified_at`;
  return db.prepare(sql).all() as SentFacts[];
}

/** How many sessions of a list were on each machine, by its key. */
export function countByMachine(db: Database): Map<string, number> {
  const sql = `select key, count(distinct counted) from (
    select machine.key, ${countedIn} as counted from session join root on root.id = root_id join machine on machine.id = machine_id)
  group by key`;
  return new Map(db.prepare(sql).raw().all() as [string, number][]);
}

/** Where sessions with this id were, by the keys of their machines; null for this one. */
export function findMachineKeys(db: Database, agent: AgentName, nativeId: string): (string | null)[] {
  const sql = `select machine.key from session join root on root.id = root_id
    left join machine on machine.id = machine_id and machine.id > 0 where session.agent = ? and native_id = ?`;
  return db.prepare(sql).pluck().all(agent, nativeId) as (string | null)[];
}
