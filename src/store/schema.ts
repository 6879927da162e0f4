// Tables of the index as types, for queries that are checked when they are compiled; tables that only prepared SQL names are
// not here. The migrations create them and say what the columns hold; a test compares both. Times are ISO 8601 UTC text, flags
// are 0 or 1, lists are JSON text.

import type { Generated, GeneratedAlways } from 'kysely';
import type { MessageKind, Role, SessionKind, TitleSource } from '../records.ts';

interface ProjectTable {
  id: Generated<number>;
  path: string;
}

export interface SessionTable extends DescribedColumns {
  id: Generated<number>;
  agent: string;
  native_id: string;
  first_timestamp: string | null;
  last_timestamp: string | null;
  root_id: number;
  transcript_id: number | null;
  kind: SessionKind;
  slug: string | null;
  parent_native_id: string | null;
  first_cwd: string | null;
  last_cwd: string | null;
  relocated_cwd: string | null;
  continued_in: string | null;
  tag: string | null;
  original_cwd: string | null;
  own_branched_from: string | null;
  branched_from: string | null;
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

interface SummaryTable extends LineColumns {
  leaf_hash: number;
  text: string;
  is_sought: Generated<Flag>;
}

interface LabelTable {
  agent: string;
  native_id: string;
  message: string;
  field: string;
  value: string;
}

export interface Tables {
  label: LabelTable;
  project: ProjectTable;
  transcript: TranscriptTable;
  sidecar: SidecarTable;
  hint: HintTable;
  session: SessionTable;
  message: MessageTable;
  tool_call: ToolCallTable;
  summary: SummaryTable;
}

type Flag = 0 | 1;
export type TranscriptState = 'current' | 'gone' | 'failed';

interface FileColumns {
  id: Generated<number>;
  root_id: number;
  path: string;
  size_bytes: number;
  mtime_ms: number;
  ctime_ms: number;
  inode: number;
}

interface TranscriptTable extends FileColumns {
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

interface DescribedColumns {
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
