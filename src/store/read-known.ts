// What the index already knows of the files of one root, for planning.

import type { FileStamp } from '../records.ts';
import type { Store } from './open-store.ts';
import type { TranscriptProgress } from './transcript-writer.ts';

export interface KnownTranscript extends Omit<TranscriptProgress, 'error'> {
  readonly id: number;
  readonly path: string;
}

export interface KnownSidecar extends FileStamp {
  readonly path: string;
}

export async function readKnownTranscripts(store: Store, rootId: number): Promise<KnownTranscript[]> {
  const rows = await store.query
    .selectFrom('transcript')
    .select(['id', 'path', 'state', 'fingerprint', 'inode'])
    .select([
      'size_bytes as sizeBytes',
      'mtime_ms as mtimeMs',
      'ctime_ms as ctimeMs',
      'bytes_read as bytesRead',
    ])
    .select([
      'lines_read as linesRead',
      'last_version as lastVersion',
      'is_unterminated',
      'parser_version as parserVersion',
    ])
    .where('root_id', '=', rootId)
    .execute();
  return rows.map((row) => ({ ...row, isUnterminated: row.is_unterminated === 1 }));
}

export async function readKnownSidecars(store: Store, rootId: number): Promise<KnownSidecar[]> {
  return store.query
    .selectFrom('sidecar')
    .select(['path', 'inode', 'size_bytes as sizeBytes', 'mtime_ms as mtimeMs', 'ctime_ms as ctimeMs'])
    .where('root_id', '=', rootId)
    .execute();
}

/** Ids that were forgotten and are never taken back. */
export async function readTombstones(store: Store): Promise<Set<string>> {
  const rows = await store.query.selectFrom('tombstone').select('claude_id').execute();
  return new Set(rows.map((row) => row.claude_id));
}

export interface IndexTotals {
  readonly sessions: number;
  readonly messages: number;
}

/** From the sessions' own counts: counting the messages would walk through all their text. */
export async function readTotals(store: Store): Promise<IndexTotals> {
  return store.query
    .selectFrom('session')
    .select((q) => [
      q.fn.countAll<number>().as('sessions'),
      q.fn.coalesce(q.fn.sum<number>('message_count'), q.lit(0)).as('messages'),
    ])
    .executeTakeFirstOrThrow();
}
