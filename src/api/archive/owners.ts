// What the archive calls a session that the index knows by its id.

import { toOwnerKey } from '../../archive/kept-sessions.ts';
import type { AgentName } from '../../records.ts';
import { getSource } from '../../sources/index.ts';

export function toSessionKey(agent: AgentName, nativeId: string): string {
  return toOwnerKey(agent, getSource(agent).files?.toOwner(nativeId) ?? nativeId);
}

/** Of sessions that are not to be kept. */
export function toOwners(agent: AgentName, nativeIds: Iterable<string>): Set<string> {
  const { files } = getSource(agent);
  return new Set([...nativeIds].map((nativeId) => files?.toOwner(nativeId) ?? nativeId));
}
