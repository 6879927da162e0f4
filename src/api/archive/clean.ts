// Takes secrets out of what is kept, in the way that the agent's files allow.

import type { Clean } from '../../archive/pieces.ts';
import { loadTools } from '../../indexing/reader.ts';
import type { AgentName } from '../../records.ts';
import { getSource } from '../../sources/index.ts';
import type { KeptBytes } from '../../sources/kept-files.ts';

export async function makeClean(agent: AgentName): Promise<Clean> {
  const { redactLine } = await getSource(agent).loadReader([], loadTools);
  if (redactLine === undefined) throw new Error(`nobody can take secrets out of the files of ${agent}`);
  return redactLine;
}

/** What a packed file holds; only files that are packed are asked about. */
export async function makeUnpack(agent: AgentName): Promise<(file: KeptBytes) => KeptBytes> {
  const { loadUnpack } = getSource(agent);
  return (await loadUnpack?.()) ?? ((file) => file);
}
