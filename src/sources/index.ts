// The one list of sources: the agents whose sessions recall indexes.

import type { AgentName, FileTools } from '../records.ts';
import { antigravity } from './antigravity/source.ts';
import { claude } from './claude/source.ts';
import { cline } from './cline/source.ts';
import { codex } from './codex/source.ts';
import { copilot } from './copilot/source.ts';
import { crush } from './crush/source.ts';
import { cursor } from './cursor/source.ts';
import { droid } from './droid/source.ts';
import { gemini } from './gemini/source.ts';
import { grok } from './grok/source.ts';
import { hermes } from './hermes/source.ts';
import { kimi } from './kimi/source.ts';
import { openclaw } from './openclaw/source.ts';
import { kilo, opencode } from './opencode/source.ts';
import { omp, pi } from './pi/source.ts';
import { qwen } from './qwen/source.ts';
import type { Source } from './source.ts';

export const sources = {
  claude,
  antigravity,
  cline,
  codex,
  copilot,
  crush,
  cursor,
  droid,
  gemini,
  grok,
  hermes,
  kilo,
  kimi,
  omp,
  openclaw,
  opencode,
  pi,
  qwen,
} as const satisfies Readonly<Record<AgentName, Source>>;

/** As any of the agents calls them: a name means the same to all of them. */
export const fileTools: FileTools = {
  changing:
    toList(`apply_patch create edit editor insert multi_replace_file_content multiedit notebookedit patch replace
    replace_file_content search_replace str_replace write write_file write_to_file`),
  reading: toList('notebookread read read_file read_files read_many_files view view_file view_image'),
  other:
    toList(`agent bash exec execute find find_by_name glob grep grep_search invoke_agent list list_dir list_directory ls
    powershell read_url_content run_command run_commands run_shell_command run_terminal_command search_codebase
    search_file_content search_web shell task web_fetch web_search webfetch`),
};

function toList(names: string): readonly string[] {
  return names.split(/\s+/);
}

export function getSource(agent: AgentName): Source {
  const source = Object.hasOwn(sources, agent) ? sources[agent] : undefined;
  if (source === undefined) throw new Error(`there is no agent called ${agent}`);
  return source;
}
