// The one list of sources: the agents whose sessions recall indexes.

import type { AgentName } from '../records.ts';
import { claude } from './claude/source.ts';
import type { Source } from './source.ts';

export const sources = { claude } as const satisfies Readonly<Record<AgentName, Source>>;

export function getSource(agent: AgentName): Source {
  const source = Object.hasOwn(sources, agent) ? sources[agent] : undefined;
  if (source === undefined) throw new Error(`there is no agent called ${agent}`);
  return source;
}
