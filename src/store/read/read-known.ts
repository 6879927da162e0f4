// What the index already knows about the files of one root, for planning.

import type Database from 'better-sqlite3';
import type { FileStamp } from '../../records.ts';
import type { TranscriptProgress } from '../write/transcript-writer.ts';

export interface KnownTranscript extends Omit<TranscriptProgress, 'error'> {
  readonly id: number;
  readonly path: string;
}

export interface KnownSidecar extends FileStamp {
  readonly path: string;
}

/** Looks single files up: of tens of thousands, few have changed. */
export class KnownFiles {
  private readonly rootId: number;
  private readonly transcript: Database.Statement;
  private readonly sidecar: Database.Statement;
  private readonly present: Database.Statement;

  constructor(db: Database.Database, rootId: number) {
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
  select id, path, state, fingerprint, inode, size_bytes as sizeBytes, mtime_ms as mtimeMs, ctime_ms as ctimeMs,
    bytes_read as bytesRead, lines_read as linesRead, last_version as lastVersion, is_unterminated as isUnterminated,
    parser_version as parserVersion
  from transcript`;

function toKnown(row: Row): KnownTranscript {
  return { ...row, isUnterminated: row.isUnterminated === 1 };
}

/** Ids that were forgotten and are never indexed again. */
export function readTombstones(db: Database.Database, agent: string): Set<string> {
  return new Set(
    db.prepare('select native_id from tombstone where agent = ?').pluck().all(agent) as string[],
  );
}
