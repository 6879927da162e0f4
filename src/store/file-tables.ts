// The tables of what is on disk, as types: folders, transcripts, the files beside them, and what was found in reading them.
// schema.ts has the others, and says how they are written.

import type { Generated } from 'kysely';
import type { SessionKind } from '../records.ts';

export type Flag = 0 | 1;
export type TranscriptState = 'current' | 'gone' | 'failed';

/** A file, and what a stat says about it. */
interface FileColumns {
  id: Generated<number>;
  root_id: number;
  path: string;
  size_bytes: number;
  mtime_ms: number;
  ctime_ms: number;
  inode: number;
}

export interface RootTable {
  id: Generated<number>;
  agent: string;
  path: string;
}

export interface TranscriptTable extends FileColumns {
  kind: SessionKind;
  native_id: string;
  is_machinery: Flag;
  bytes_read: number;
  lines_read: number;
  last_version: string | null;
  is_unterminated: Flag;
  fingerprint: string;
  parser_version: number;
  state: TranscriptState;
  error: string | null;
  skipped_lines: Generated<number>;
}

export interface SidecarTable extends FileColumns {
  kind: string;
  slug: string;
  native_id: string | null;
  custom_title: string | null;
  subagent_type: string | null;
  subagent_description: string | null;
  tool_use_id: string | null;
}

/** What may be said of a session in a file beside it, too. */
export interface DescribedColumns {
  summary: string | null;
  custom_title: string | null;
  branch: string | null;
  pr_number: number | null;
  pr_url: string | null;
  pr_repository: string | null;
}

export interface HintTable extends DescribedColumns {
  root_id: number;
  slug: string;
  native_id: string;
  first_prompt: string | null;
  created_at: string | null;
  modified_at: string | null;
  project_path: string | null;
}

export interface SnapshotTable {
  root_id: number;
  parser_version: number;
  names: Buffer;
  stamps: Buffer;
}

export interface SkippedLineTable {
  transcript_id: number;
  line: number;
  reason: string;
}

export interface UnknownTypeTable {
  transcript_id: number;
  type: string;
  version: string;
  count: number;
}
