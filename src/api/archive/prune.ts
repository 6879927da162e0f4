// Deletes copies of old sessions, or of a project, on request. The sessions stay in the index, and their transcripts where they
// are.

import { type KeptSession, readKeptSessions } from '../../archive/kept-sessions.ts';
import { pruneKept, removeKept } from '../../archive/remove-kept.ts';
import type { AgentName } from '../../records.ts';
import { getSource } from '../../sources/index.ts';
import type { Store } from '../../store/open/open-store.ts';
import { readProjects } from '../../store/read/index-facts.ts';
import { type ArchivedFacts, readArchivedFacts } from '../../store/read/known-files.ts';
import type { Host } from '../host.ts';
import { findProjects } from '../read-filters.ts';
import { holdArchiveLock } from './hold-archive-lock.ts';
import { toSessionKey } from './owners.ts';

export interface PruneRequest {
  readonly olderThanDays?: number | undefined;
  /** As in a search. */
  readonly project?: string | undefined;
}

/** What would be deleted. */
export interface Prunable {
  readonly sessions: readonly (KeptSession & { readonly nativeId: string })[];
  readonly bytes: number;
}

const dayMs = 86_400_000;

export function findPrunable(host: Host, store: Store, request: PruneRequest): Prunable {
  const facts = new Map(
    readArchivedFacts(store.db).map((each) => [toSessionKey(each.agent, each.nativeId), each]),
  );
  const projects = findWantedProjects(host, store, request.project);
  const before = host.now().getTime() - (request.olderThanDays ?? 0) * dayMs;
  const sessions = [...readKeptSessions(host.archivePath, (agent) => getSource(agent).files)]
    .filter(([key, { bytes, modifiedAtMs }]) => {
      const known: ArchivedFacts | undefined = facts.get(key);
      const lastUsedMs = known?.modifiedAt == null ? modifiedAtMs : Date.parse(known.modifiedAt);
      const isOfProject = projects === null || (known?.projectId != null && projects.has(known.projectId));
      return bytes > 0 && isOfProject && lastUsedMs <= before;
    })
    .map(([key, session]) => ({ ...session, nativeId: facts.get(key)?.nativeId ?? session.owner }));
  return { sessions, bytes: sessions.reduce((sum, { bytes }) => sum + bytes, 0) };
}

function findWantedProjects({ at }: Host, { db }: Store, text: string | undefined): Set<number> | null {
  if (text === undefined) return null;
  return new Set(findProjects(readProjects(db), text, at.cwd, at.homeDir).map(({ id }) => id));
}

export function prune(host: Host, { sessions }: Prunable): Promise<void> {
  return holdArchiveLock(host, async () => {
    for (const session of sessions) await pruneKept(session, host.machine);
  });
}

/** Everything that is kept of these sessions, for good. How many there were. */
export async function forgetKept(
  host: Host,
  agent: AgentName,
  nativeIds: readonly string[],
): Promise<number> {
  const find = () => {
    const kept = readKeptSessions(host.archivePath, (each) => getSource(each).files);
    const keys = new Set(nativeIds.map((nativeId) => toSessionKey(agent, nativeId)));
    return [...keys].flatMap((key) => kept.get(key) ?? []);
  };
  if (find().length === 0) return 0;
  return holdArchiveLock(host, async () => {
    const sessions = find();
    for (const session of sessions) removeKept(session);
    return sessions.length;
  });
}
