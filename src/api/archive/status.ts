// What is kept, what is not yet, and what the agents will delete soon.

import { type KeptSession, readKeptSessions, toOwnerKey } from '../../archive/kept-sessions.ts';
import { type KeptFile, toKeptRoot } from '../../archive/places.ts';
import { eachChanged } from '../../archive/plan-keep.ts';
import { KeptSnapshot } from '../../archive/snapshot-file.ts';
import { toVersions } from '../../archive/versions.ts';
import type { Root } from '../../records.ts';
import { getSource } from '../../sources/index.ts';
import type { Store } from '../../store/open/open-store.ts';
import { isRedacting } from '../../store/read/index-facts.ts';
import { countOnDisk, readArchivedFacts } from '../../store/read/read-archived-facts.ts';
import { readTombstones } from '../../store/read/read-known.ts';
import { readExpiring } from '../../store/upkeep/health.ts';
import type { Host } from '../host.ts';
import { tryRoots } from '../roots.ts';
import { toOwners, toSessionKey } from './owners.ts';

export interface ArchiveStatus {
  /** Null until the person was asked. */
  readonly isOn: boolean | null;
  readonly path: string;
  readonly sessions: number;
  /** What the archive takes, and how large the files are that it was made from. */
  readonly bytes: number;
  readonly transcriptBytes: number;
  /** Sessions of which something is not kept yet. */
  readonly pending: number;
  /** Sessions on disk that cannot be kept. */
  readonly unkeepable: readonly Unkeepable[];
  readonly expiringSoon: readonly ExpiringSoon[];
  /** How far ahead that was looked for. */
  readonly expiryDays: number;
  readonly projects: readonly KeptProject[];
  /** Files of which a part is missing. */
  readonly incomplete: readonly string[];
}

export interface Unkeepable {
  /** The agent's own name, as people write it. */
  readonly program: string;
  readonly sessions: number;
}

export interface ExpiringSoon {
  readonly id: string;
  readonly title: string | null;
  /** The day, as YYYY-MM-DD. */
  readonly deletedOn: string;
  readonly isKept: boolean;
}

export interface KeptProject {
  /** Null where the index does not know it. */
  readonly project: string | null;
  readonly sessions: number;
  readonly bytes: number;
  readonly transcriptBytes: number;
}

const expiryDays = 7;

export function readArchiveStatus(host: Host, store: Store): ArchiveStatus {
  const sessions = readKeptSessions(host.archivePath, (agent) => getSource(agent).files);
  const { roots } = tryRoots(host.roots);
  const pending = new Set(roots.flatMap((root) => findPending(host, store, root)));
  const all = [...sessions.values()].filter(({ bytes }) => bytes > 0);
  const expiringSoon = roots.flatMap((root) =>
    readExpiringIn(host, store, root).map(({ id, title, deletedAt }) => {
      const key = toSessionKey(root.agent, id);
      const isKept = !pending.has(key) && (sessions.get(key)?.bytes ?? 0) > 0;
      return { id, title, deletedOn: deletedAt.slice(0, 10), isKept };
    }),
  );
  return {
    isOn: host.config().archive,
    path: host.archivePath,
    sessions: all.length,
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    transcriptBytes: all.reduce((sum, { transcriptBytes }) => sum + transcriptBytes, 0),
    pending: pending.size,
    unkeepable: findUnkeepable(store, roots),
    expiringSoon,
    expiryDays,
    projects: toProjects(store, all),
    incomplete: all.flatMap(({ files }) =>
      files.filter(hasHoles).map(({ root, path }) => `${root.path}/${path}`),
    ),
  };
}

function hasHoles({ segments }: KeptFile): boolean {
  return toVersions(segments).versions.some(({ holes }) => holes.length > 0);
}

function readExpiringIn(host: Host, store: Store, { agent, path }: Root) {
  const cleanupDays = getSource(agent).readCleanupDays(path);
  const nowMs = host.now().getTime();
  return cleanupDays === null
    ? []
    : readExpiring(store, { root: path, cleanupDays, nowMs, withinDays: expiryDays });
}

/** The keys of sessions of which something on disk is not as the last run has kept it. */
export function findPending(host: Host, { db }: Store, root: Root): string[] {
  const { files, discover } = getSource(root.agent);
  if (files === null) return [];
  const forgotten = toOwners(root.agent, readTombstones(db, root.agent));
  const kept = new KeptSnapshot(toKeptRoot(host.archivePath, host.machine, root.agent, root.path));
  const isClean = isRedacting(db);
  const { folders, files: found } = discover(root.path);
  // Of an empty file there is nothing to keep.
  const empty = new Set(found.filter(({ sizeBytes }) => sizeBytes === 0).map(({ path }) => path));
  return [...eachChanged(folders, kept.decode(isClean))].flatMap((path) => {
    const owner = files.findOwner(path);
    const isLeftOut =
      owner === null ||
      forgotten.has(owner) ||
      empty.has(path) ||
      (isClean && files.findForm(path) === 'packed');
    return isLeftOut ? [] : [toOwnerKey(root.agent, owner)];
  });
}

/** Sessions that are not files, and while secrets are removed those that are compressed. */
function findUnkeepable({ db }: Store, roots: readonly Root[]): Unkeepable[] {
  const isClean = isRedacting(db);
  return [...new Set(roots.map(({ agent }) => agent))].flatMap((agent) => {
    const { name: program, files, discover } = getSource(agent);
    const own = roots.filter((root) => root.agent === agent);
    const packed = own.flatMap(({ path: root }) =>
      files === null || !isClean
        ? []
        : discover(root).files.filter(({ path }) => files.findForm(path) === 'packed'),
    );
    const sessions = files === null ? countOnDisk(db, agent) : packed.length;
    return sessions === 0 ? [] : [{ program, sessions }];
  });
}

function toProjects(store: Store, sessions: readonly KeptSession[]): KeptProject[] {
  const facts = new Map(
    readArchivedFacts(store.db).map((each) => [toSessionKey(each.agent, each.nativeId), each.project]),
  );
  const projects = new Map<string | null, { sessions: number; bytes: number; transcriptBytes: number }>();
  for (const { agent, owner, bytes, transcriptBytes } of sessions) {
    const project = facts.get(toOwnerKey(agent, owner)) ?? null;
    const sum = projects.get(project) ?? { sessions: 0, bytes: 0, transcriptBytes: 0 };
    projects.set(project, {
      sessions: sum.sessions + 1,
      bytes: sum.bytes + bytes,
      transcriptBytes: sum.transcriptBytes + transcriptBytes,
    });
  }
  return [...projects]
    .map(([project, sums]) => ({ project, ...sums }))
    .sort((a, b) => b.transcriptBytes - a.transcriptBytes);
}
