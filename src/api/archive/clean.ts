// Takes secrets out of what is kept, in the way that the agent's files allow.

import type { Clean } from '../../archive/pieces.ts';
import { loadTools } from '../../indexing/load-tools.ts';
import type { AgentName } from '../../records.ts';
import { getSource } from '../../sources/index.ts';

export async function makeClean(agent: AgentName): Promise<Clean> {
  const { redactLine } = await getSource(agent).loadReader([], loadTools);
  if (redactLine === undefined) throw new Error(`nobody can take secrets out of the files of ${agent}`);
  return redactLine;
}
