// The tables of the index as types. The migrations create them; docs/upkeep.md documents them for people who query
// the file themselves. Times are ISO 8601 UTC text, flags are 0 or 1, lists are JSON text.

import type { Generated, GeneratedAlways } from 'kysely';
import type { MessageKind, Role, SessionKind, SidecarKind, TitleSource } from '../records.ts';

export type Flag = 0 | 1;
export type TranscriptState = 'current' | 'gone' | 'failed';
export interface RootTable {
  id: Generated<number>;
  agent: string;
  path: string;
}

export interface ProjectTable {
  id: Generated<number>;
  path: string;
}

export interface TranscriptTable {
  id: Generated<number>;
  root_id: number;
  path: string;
  kind: SessionKind;
  native_id: string;
  is_machinery: Flag;
  size_bytes: number;
  mtime_ms: number;
  ctime_ms: number;
  inode: number;
  bytes_read: number;
  lines_read: number;
  last_version: string | null;
  is_unterminated: Flag;
  fingerprint: string;
  parser_version: number;
  state: TranscriptState;
  error: string | null;
  skipped_lines: number;
}

export interface SidecarTable {
  id: Generated<number>;
  root_id: number;
  path: string;
  kind: SidecarKind;
  slug: string;
  native_id: string | null;
  size_bytes: number;
  mtime_ms: number;
  ctime_ms: number;
  inode: number;
  custom_title: string | null;
  subagent_type: string | null;
  subagent_description: string | null;
  tool_use_id: string | null;
}

export interface HintTable {
  root_id: number;
  slug: string;
  native_id: string;
  first_prompt: string | null;
  summary: string | null;
  custom_title: string | null;
  created_at: string | null;
  modified_at: string | null;
  branch: string | null;
  project_path: string | null;
  pr_number: number | null;
  pr_url: string | null;
  pr_repository: string | null;
}

export interface SessionTable {
  id: Generated<number>;
  root_id: number;
  transcript_id: number | null;
  agent: string;
  native_id: string;
  kind: SessionKind;
  slug: string | null;
  parent_native_id: string | null;

  first_cwd: string | null;
  last_cwd: string | null;
  relocated_cwd: string | null;
  continued_in: string | null;
  own_branch: string | null;
  versions: string;
  models: string;
  first_timestamp: string | null;
  last_timestamp: string | null;
  own_first_prompt: string | null;
  /** Where it is another than the first. */
  own_last_prompt: string | null;
  last_prompt: GeneratedAlways<string | null>;
  custom_title: string | null;
  agent_name: string | null;
  ai_title: string | null;
  own_pr_number: number | null;
  own_pr_url: string | null;
  own_pr_repository: string | null;
  compaction_count: number;

  title: string | null;
  title_source: TitleSource;
  summary: string | null;
  hinted_first_prompt: string | null;
  first_prompt: GeneratedAlways<string | null>;
  branch: string | null;
  pr_number: number | null;
  pr_url: string | null;
  pr_repository: string | null;
  subagent_type: string | null;
  subagent_description: string | null;
  subagent_tool_use_id: string | null;
  project_id: number | null;
  conversation_id: number | null;
  /** Where the transcript itself tells no time. */
  other_created_at: string | null;
  other_modified_at: string | null;
  created_at: GeneratedAlways<string | null>;
  modified_at: GeneratedAlways<string | null>;
  message_count: number;
  text_chars: number;
  tool_call_count: number;
  is_empty: Flag;
  is_warmup: Flag;
  is_machinery: Flag;
  is_hidden: Flag;
  is_gone: Flag;
  is_unsettled: Flag;
}

export interface MessageTable {
  id: number;
  session_id: number;
  seq: number;
  uuid: string | null;
  role: Role;
  kind: MessageKind;
  timestamp: string | null;
  is_sidechain: Generated<Flag>;
  text: string;
}

export interface ToolCallTable {
  id: number;
  session_id: number;
  seq: number;
  tool_use_id: string | null;
  name: string;
  target: string | null;
  is_error: Flag;
}

export interface SummaryTable {
  session_id: number;
  seq: number;
  leaf_hash: number;
  text: string;
  is_sought: Flag;
}

export interface EntryUuidTable {
  uuid_hash: number;
  session_id: number;
}

/** The hashes of all uuids of a stretch of entries, six bytes each. */
export interface EntryBlockTable {
  /** As a message's: the session and the last line of the stretch. */
  id: number;
  hashes: Buffer;
}

/** The words of the index that have a stem other than themselves. */
export interface WordFormTable {
  stem: string;
  word: string;
}

/** Where the entries that summaries name were found. */
export interface LeafTable {
  leaf_hash: number;
  session_id: number;
}

export interface SnapshotTable {
  root_id: number;
  parser_version: number;
  names: Buffer;
  stamps: Buffer;
}

export interface TotalTable {
  id: 1;
  sessions: number;
  spoken_sessions: number;
  messages: number;
  text_chars: number;
}

export interface SettingTable {
  id: 1;
  is_redacting: Flag;
  words_version: number;
}

export interface SessionLinkTable {
  session_id: number;
  other_id: number;
}

export interface TombstoneTable {
  agent: string;
  native_id: string;
  forgotten_at: string;
  project_hash: string | null;
  first_timestamp: string | null;
  last_timestamp: string | null;
}

/** Entries of forgotten sessions that summaries in other files speak of. */
export interface ForgottenLeafTable {
  leaf_hash: number;
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

export interface Tables {
  root: RootTable;
  project: ProjectTable;
  transcript: TranscriptTable;
  sidecar: SidecarTable;
  hint: HintTable;
  session: SessionTable;
  message: MessageTable;
  tool_call: ToolCallTable;
  summary: SummaryTable;
  entry_uuid: EntryUuidTable;
  entry_block: EntryBlockTable;
  leaf: LeafTable;
  word_form: WordFormTable;
  snapshot: SnapshotTable;
  total: TotalTable;
  setting: SettingTable;
  session_link: SessionLinkTable;
  tombstone: TombstoneTable;
  forgotten_leaf: ForgottenLeafTable;
  skipped_line: SkippedLineTable;
  unknown_type: UnknownTypeTable;
}
