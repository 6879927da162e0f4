// What the index already knows about the files of one root, for planning.

import type { FileStamp, SessionKind } from '../../records.ts';
import type { Database, Statement } from '../open/database.ts';
import type { TranscriptProgress } from '../write/transcript-writer.ts';

export interface KnownTranscript extends Omit<TranscriptProgress, 'error'> {
  readonly id: number;
  readonly path: string;
  /** As its content says, where its name does not. */
  readonly kind: SessionKind;
}

export interface KnownSidecar extends FileStamp {
  readonly path: string;
}

/** Looks single files up: of tens of thousands, few have changed. */
export class KnownFiles {
  private readonly rootId: number;
  private readonly transcript: Statement;
  private readonly sidecar: Statement;
  private readonly present: Statement;

  constructor(db: Database, rootId: number) {
    this.rootId = rootId;
    this.transcript = db.prepare(`${selectTranscript} where root_id = ? and path = ?`);
    this.sidecar = db.prepare(`
      select path, inode, size_bytes as sizeBytes, mtime_ms as mtimeMs, ctime_ms as ctimeMs from sidecar
      where root_id = ? and path = ?`);
    this.present = db.prepare(`${selectTranscript} where root_id = ? and state <> 'gone'`);
  }

  findTranscript(path: string): KnownTranscript | null {
    const row = this.transcript.get(this.rootId, path) as Row | undefined;
    return row === undefined ? null : toKnown(row);
  }

  findSidecar(path: string): KnownSidecar | null {
    return (this.sidecar.get(this.rootId, path) as KnownSidecar | undefined) ?? null;
  }

  /** Every transcript that was there at the last look. */
  readPresent(): KnownTranscript[] {
    return (this.present.all(this.rootId) as Row[]).map(toKnown);
  }
}

type Row = Omit<KnownTranscript, 'isUnterminated'> & { isUnterminated: number };

const selectTranscript = `
  select id, path, kind, state, fingerprint, inode, size_bytes as sizeBytes, mtime_ms as mtimeMs, ctime_ms as ctimeMs,
    bytes_read as bytesRead, lines_read as linesRead, last_version as lastVersion, is_unterminated as isUnterminated,
    parser_version as parserVersion
  from transcript`;

function toKnown(row: Row): KnownTranscript {
  return { ...row, isUnterminated: row.isUnterminated === 1 };
}

/** The ids that new sessions of a root can have. */
export interface FreeIds {
  /** All ids above this one. */
  readonly above: number;
  /** Those that an unfinished first run left for transcripts older than `mtimeMs`: `count` of them directly below `below`. */
  readonly left: { readonly below: number; readonly count: number; readonly mtimeMs: number } | null;
}

export function readFreeIds(db: Database, rootId: number): FreeIds {
  const read = (sql: string, ...values: readonly number[]) =>
    db
      .prepare(sql)
      .pluck()
      .get(...values) as number | null | undefined;
  const above = read('select max(id) from session') ?? 0;
  const below = read(
    'select id from session where root_id = ? and transcript_id is not null order by id limit 1',
    rootId,
  );
  const count =
    below == null ? 0 : below - 1 - (read('select max(id) from session where id < ?', below) ?? 0);
  if (below == null || count === 0) return { above, left: null };
  // A transcript that was read in part has the time 0.
  const mtimeMs = read('select min(mtime_ms) from transcript where root_id = ? and mtime_ms > 0', rootId);
  return { above, left: mtimeMs == null ? null : { below, count, mtimeMs } };
}

/** Ids that were forgotten and are never indexed again. */
export function readTombstones(db: Database, agent: string): Set<string> {
  return new Set(
    db.prepare('select native_id from tombstone where agent = ?').pluck().all(agent) as string[],
  );
}
