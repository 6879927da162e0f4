// The one list of sources: the agents whose sessions recall indexes.

import type { AgentName } from '../records.ts';
import { claude } from './claude/source.ts';
import { codex } from './codex/source.ts';
import { copilot } from './copilot/source.ts';
import { gemini } from './gemini/source.ts';
import { opencode } from './opencode/source.ts';
import { pi } from './pi/source.ts';
import { qwen } from './qwen/source.ts';
import type { Source } from './source.ts';

export const sources = { claude, codex, copilot, gemini, opencode, pi, qwen } as const satisfies Readonly<
  Record<AgentName, Source>
>;

export function getSource(agent: AgentName): Source {
  const source = Object.hasOwn(sources, agent) ? sources[agent] : undefined;
  if (source === undefined) throw new Error(`there is no agent called ${agent}`);
  return source;
}
