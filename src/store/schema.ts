// The tables of the index as types, for queries that are checked when they are compiled. The migrations create the tables
// and say what the columns hold; a test compares both. Times are ISO 8601 UTC text, flags are 0 or 1, lists are JSON text.

import type { Generated, GeneratedAlways } from 'kysely';
import type { MessageKind, Role, SessionKind, TitleSource } from '../records.ts';
import type {
  DescribedColumns,
  Flag,
  HintTable,
  RootTable,
  SidecarTable,
  SkippedLineTable,
  SnapshotTable,
  TranscriptTable,
  UnknownTypeTable,
} from './file-tables.ts';

export interface ProjectTable {
  id: Generated<number>;
  path: string;
}

interface KeyColumns {
  agent: string;
  native_id: string;
  first_timestamp: string | null;
  last_timestamp: string | null;
}

export interface SessionTable extends DescribedColumns, KeyColumns {
  id: Generated<number>;
  root_id: number;
  transcript_id: number | null;
  kind: SessionKind;
  slug: string | null;
  parent_native_id: string | null;
  first_cwd: string | null;
  last_cwd: string | null;
  relocated_cwd: string | null;
  continued_in: string | null;
  own_branch: string | null;
  versions: Generated<string>;
  models: Generated<string>;
  own_first_prompt: string | null;
  own_last_prompt: string | null;
  last_prompt: GeneratedAlways<string | null>;
  named_title: string | null;
  ai_title: string | null;
  own_pr_number: number | null;
  own_pr_url: string | null;
  own_pr_repository: string | null;
  compaction_count: Generated<number>;
  title: string | null;
  title_source: Generated<TitleSource>;
  hinted_first_prompt: string | null;
  first_prompt: GeneratedAlways<string | null>;
  subagent_type: string | null;
  subagent_description: string | null;
  subagent_tool_use_id: string | null;
  project_id: number | null;
  conversation_id: number | null;
  fallback_created_at: string | null;
  fallback_modified_at: string | null;
  created_at: GeneratedAlways<string | null>;
  modified_at: GeneratedAlways<string | null>;
  message_count: Generated<number>;
  text_chars: Generated<number>;
  tool_call_count: Generated<number>;
  is_empty: Generated<Flag>;
  is_warmup: Generated<Flag>;
  is_machinery: Generated<Flag>;
  is_hidden: Generated<Flag>;
  is_gone: Generated<Flag>;
  is_unsettled: Generated<Flag>;
}

interface LineColumns {
  session_id: number;
  seq: number;
}

export interface MessageTable extends LineColumns {
  id: number;
  uuid: string | null;
  role: Role;
  kind: MessageKind;
  timestamp: string | null;
  is_sidechain: Generated<Flag>;
  text: string;
}

export interface ToolCallTable extends LineColumns {
  id: number;
  tool_use_id: string | null;
  name: string;
  target: string | null;
  is_error: Generated<Flag>;
}

export interface WorkTable {
  id: number;
  call_id: number | null;
  at_ms: number | null;
  has_text: Flag;
  session_id: GeneratedAlways<number>;
  seq: GeneratedAlways<number>;
  kind: GeneratedAlways<'tool-input' | 'tool-output'>;
}

export interface ToolTextTable {
  id: number;
  texts: Buffer;
}

export interface SummaryTable extends LineColumns {
  leaf_hash: number;
  text: string;
  is_sought: Generated<Flag>;
}

export interface EntryUuidTable {
  uuid_hash: number;
  session_id: number;
}

export interface EntryBlockTable {
  id: number;
  hashes: Buffer;
}

export interface WordFormTable {
  stem: string;
  word: string;
}

export interface LeafTable {
  leaf_hash: number;
  session_id: number;
}

export interface TotalTable {
  id: 1;
  sessions: number;
  spoken_sessions: number;
  messages: number;
  text_chars: number;
  tool_calls: Generated<number>;
}

export interface SettingTable {
  id: 1;
  is_redacting: Flag;
  words_version: number;
  keeps_work: Generated<Flag>;
}

export interface SessionLinkTable {
  session_id: number;
  other_id: number;
}

export interface TombstoneTable extends KeyColumns {
  forgotten_at: string;
  project_hash: string | null;
}

export interface ForgottenLeafTable {
  leaf_hash: number;
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
  work: WorkTable;
  tool_text: ToolTextTable;
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
