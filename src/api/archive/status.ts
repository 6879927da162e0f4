// What the archive holds, what it does not hold yet, and what the agents will delete soon; before it is turned on, how large it
// will be.

import { ArchiveSnapshot, eachChangedFile } from '../../archive/keep-roots.ts';
import { findArchiveObstacle, toArchiveRoot } from '../../archive/layout.ts';
import {
  readSessionCopies,
  type SessionCopies,
  toOwnerKey,
  toSessionKey,
} from '../../archive/session-copies.ts';
import type { AgentName, FailedFile, Root } from '../../records.ts';
import { getSource } from '../../sources/index.ts';
import type { Store } from '../../store/open/open-store.ts';
import { isRedacting } from '../../store/read/index-facts.ts';
import { countOnDisk, readArchivedFacts, readTombstones } from '../../store/read/known-files.ts';
import { readExpiring } from '../../store/upkeep/health.ts';
import type { Host } from '../host.ts';
import { tryRoots } from '../roots.ts';

export interface ArchiveStatus {
  /** Null until the person was asked. */
  readonly isOn: boolean | null;
  readonly path: string;
  /** What keeps it from being read or written. */
  readonly obstacle: FailedFile | null;
  /** How many sessions have copies, counted as `list` does; sessions that the index does not know count as well. */
  readonly sessions: number;
  /** What the archive takes, and how large the files are that it was made from. */
  readonly bytes: number;
  readonly transcriptBytes: number;
  readonly pending: number;
  /** Sessions on disk that cannot be kept, by the agent's own name. */
  readonly unkeepable: readonly { readonly program: string; readonly sessions: number }[];
  readonly expiringSoon: readonly ExpiringSoon[];
  readonly expiryDays: number;
  readonly projects: readonly ProjectCopies[];
  readonly incomplete: readonly string[];
}

interface ExpiringSoon {
  readonly id: string;
  readonly title: string | null;
  readonly deletedOn: string;
  readonly isKept: boolean;
}

interface ProjectCopies {
  /** Null where the index does not know it. */
  readonly project: string | null;
  readonly sessions: number;
  readonly bytes: number;
  readonly transcriptBytes: number;
}

/** Transcripts that their agent will delete within this many days are listed. */
export const expiryDays = 7;

export function readArchiveStatus(host: Host, store: Store): ArchiveStatus {
  const obstacle = findArchiveObstacle(host.archivePath);
  const copies =
    obstacle?.isReadable === false ? new Map<string, SessionCopies>() : readSessionCopies(host.archivePath);
  const { roots } = tryRoots(host.roots);
  const pending = new Set(roots.flatMap((root) => findPending(host, store, root)));
  const sessions = [...copies.values()].filter(({ bytes }) => bytes > 0);
  const keptKeys = sessions.map(({ agent, owner }) => toOwnerKey(agent, owner));
  const counted = readCounted(store.db);
  const expiringSoon = roots.flatMap((root) =>
    readExpiringIn(host, store, root).map(({ id, title, deletedAt }) => {
      const key = toSessionKey(root.agent, id);
      const isKept = !pending.has(key) && (copies.get(key)?.bytes ?? 0) > 0;
      return { id, title, deletedOn: deletedAt.slice(0, 10), isKept };
    }),
  );
  return {
    isOn: host.config().archive,
    path: host.archivePath,
    obstacle,
    sessions: countOwned(keptKeys, counted),
    bytes: sessions.reduce((sum, { bytes }) => sum + bytes, 0),
    transcriptBytes: sessions.reduce((sum, { transcriptBytes }) => sum + transcriptBytes, 0),
    pending: countOwned(pending, counted),
    unkeepable: findUnkeepable(store, roots),
    expiringSoon,
    expiryDays,
    projects: sumByProject(store, sessions, counted),
    incomplete: sessions.flatMap((session) => session.incomplete),
  };
}

export function readExpiringIn(host: Host, store: Store, { agent, path }: Root) {
  const cleanupDays = getSource(agent).readCleanupDays(path);
  const nowMs = host.now().getTime();
  return cleanupDays === null
    ? []
    : readExpiring(store, { root: path, cleanupDays, nowMs, withinDays: expiryDays });
}

/** The keys of sessions of which something on disk is not as the last run kept it. */
function findPending(host: Host, { db }: Store, { agent, path }: Root): string[] {
  const { files, discover } = getSource(agent);
  if (files === null) return [];
  const forgotten = readForgottenOwners(db, agent);
  const isCleaning = isRedacting(db);
  const snapshot = new ArchiveSnapshot(toArchiveRoot(host.archivePath, host.machine, agent, path));
  const { folders, files: found } = discover(path);
  const empty = new Set(found.filter(({ sizeBytes }) => sizeBytes === 0).map((file) => file.path));
  return [...eachChangedFile(folders, snapshot.decode())].flatMap((changed) => {
    const owner = files.findOwner(changed);
    if (owner === null || forgotten.has(owner) || empty.has(changed)) return [];
    return isCleaning && files.findForm(changed) === 'packed' ? [] : [toOwnerKey(agent, owner)];
  });
}

/** Sessions that are not to be kept, as paths name them. */
export function readForgottenOwners(db: Store['db'], agent: AgentName): Set<string> {
  const { files } = getSource(agent);
  return new Set([...readTombstones(db, agent)].map((nativeId) => files?.toOwner(nativeId) ?? nativeId));
}

/** Sessions that are not files, and while secrets are removed those that are compressed. */
function findUnkeepable({ db }: Store, roots: readonly Root[]): ArchiveStatus['unkeepable'] {
  const isCleaning = isRedacting(db);
  return [...new Set(roots.map(({ agent }) => agent))].flatMap((agent) => {
    const { name: program, files, discover } = getSource(agent);
    const countPacked = (root: string) =>
      discover(root).files.filter(({ path }) => files?.findForm(path) === 'packed').length;
    const own = isCleaning ? roots.filter((root) => root.agent === agent) : [];
    const sessions =
      files === null ? countOnDisk(db, agent) : own.reduce((sum, { path }) => sum + countPacked(path), 0);
    return sessions === 0 ? [] : [{ program, sessions }];
  });
}

/** By the key of whoever has files in the archive: the session that it is part of, as `list` counts; null if `list` leaves it out. */
type CountedOwners = ReadonlyMap<string, number | null>;

export function readCounted(db: Store['db']): CountedOwners {
  const counted = new Map<string, number | null>();
  for (const { agent, nativeId, countedIn } of readArchivedFacts(db)) {
    const key = toSessionKey(agent, nativeId);
    counted.set(key, countedIn ?? counted.get(key) ?? null);
  }
  return counted;
}

export function countOwned(keys: Iterable<string>, counted: CountedOwners): number {
  const sessions = Array.from(keys, (key) => (counted.has(key) ? counted.get(key) : key));
  return new Set(sessions.filter((session) => session !== null)).size;
}

function sumByProject(
  { db }: Store,
  sessions: readonly SessionCopies[],
  counted: CountedOwners,
): ProjectCopies[] {
  const projectOf = new Map(
    readArchivedFacts(db).map((each) => [toSessionKey(each.agent, each.nativeId), each.project]),
  );
  const ofProjects = new Map<string | null, SessionCopies[]>();
  for (const session of sessions) {
    const project = projectOf.get(toOwnerKey(session.agent, session.owner)) ?? null;
    ofProjects.set(project, [...(ofProjects.get(project) ?? []), session]);
  }
  return [...ofProjects]
    .map(([project, held]) => ({
      project,
      sessions: countOwned(
        held.map(({ agent, owner }) => toOwnerKey(agent, owner)),
        counted,
      ),
      bytes: held.reduce((sum, { bytes }) => sum + bytes, 0),
      transcriptBytes: held.reduce((sum, { transcriptBytes }) => sum + transcriptBytes, 0),
    }))
    .filter((project) => project.sessions > 0)
    .sort((a, b) => b.transcriptBytes - a.transcriptBytes);
}

export interface ArchiveOffer {
  readonly path: string;
  readonly aboutBytes: number;
}

/** Real transcripts are packed seven to one. */
const usualRatio = 7;

/** Null where the person has already decided, and while there is nothing to keep. */
export function readArchiveOffer(host: Host): ArchiveOffer | null {
  if (host.config().archive !== null) return null;
  const bytes = tryRoots(host.roots)
    .roots.filter(({ agent }) => getSource(agent).files !== null)
    .flatMap(({ agent, path }) => getSource(agent).discover(path).files)
    .reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (bytes === 0) return null;
  return { path: host.archivePath, aboutBytes: Math.round(bytes / usualRatio) };
}
