// Deletes for good, on request: copies of old sessions or of a project, the whole archive, or a session from index and archive
// alike. Transcripts stay where they are.

import { readdirSync, rmSync } from 'node:fs';
import { readArchiveRoots } from '../../archive/layout.ts';
import {
  deleteCopy,
  pruneCopies,
  readSessionCopies,
  type SessionCopies,
  toSessionKey,
} from '../../archive/session-copies.ts';
import { settleSessions } from '../../indexing/settle.ts';
import { getSource } from '../../sources/index.ts';
import { forgetLastResults } from '../../store/open/last-results.ts';
import type { Store } from '../../store/open/open-store.ts';
import { readProjects } from '../../store/read/index-facts.ts';
import { readArchivedFacts } from '../../store/read/known-files.ts';
import type { FoundSession } from '../../store/read/sessions.ts';
import {
  type FindNamedId,
  type Forgotten,
  findCopies,
  findFamily,
  forgetSession,
  type SessionKey,
  wipe,
} from '../../store/upkeep/privacy.ts';
import { findDamaged } from '../../store/upkeep/salvage.ts';
import type { Host } from '../host.ts';
import { findProjects } from '../read-filters.ts';
import { holdLock, withLockedIndex } from '../upkeep/locks.ts';

export interface PruneRequest {
  readonly olderThanDays?: number | undefined;
  readonly project?: string | undefined;
}

export interface Prunable {
  readonly sessions: readonly (SessionCopies & { readonly nativeId: string })[];
  readonly bytes: number;
}

const dayMs = 86_400_000;

export function findPrunable(host: Host, { db }: Store, request: PruneRequest): Prunable {
  const { project } = request;
  const facts = new Map(readArchivedFacts(db).map((each) => [toSessionKey(each.agent, each.nativeId), each]));
  const found =
    project === undefined ? null : findProjects(readProjects(db), project, host.at.cwd, host.at.homeDir);
  const projects = found === null ? null : new Set(found.map(({ id }) => id));
  const before = host.now().getTime() - (request.olderThanDays ?? 0) * dayMs;
  const sessions = [...readSessionCopies(host.archivePath)].flatMap(([key, session]) => {
    const known = facts.get(key);
    const lastUsedMs = known?.modifiedAt == null ? session.modifiedAtMs : Date.parse(known.modifiedAt);
    const isOfProject = projects === null || (known?.projectId != null && projects.has(known.projectId));
    const isPrunable = session.bytes > 0 && isOfProject && lastUsedMs <= before;
    return isPrunable ? [{ ...session, nativeId: known?.nativeId ?? session.owner }] : [];
  });
  return { sessions, bytes: sessions.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** The sessions stay in the index. */
export function prune(host: Host, { sessions }: Prunable): Promise<void> {
  return holdLock(host, 'archive', async () => {
    for (const session of sessions) await pruneCopies(session, host.machine);
  });
}

/** Only what is the archive's: a folder named by mistake keeps everything else. */
export async function deleteArchive(host: Host): Promise<void> {
  await holdLock(host, 'archive', () => {
    for (const { folder } of readArchiveRoots(host.archivePath))
      rmSync(folder, { recursive: true, force: true });
  });
  deleteIfEmpty(host.archivePath, 2);
}

function deleteIfEmpty(folder: string, depth: number): void {
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory() && depth > 0) deleteIfEmpty(`${folder}/${entry.name}`, depth - 1);
      else if (entry.name === '.lock') rmSync(`${folder}/${entry.name}`);
    }
    if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
  } catch {
    // Nothing is lost with an empty folder that stays.
  }
}

export interface Forgettable {
  readonly session: FoundSession;
  readonly subagents: number;
  /** Ids of sessions that contain the same text and stay. */
  readonly copies: readonly string[];
}

export interface ForgetAnswer {
  readonly forgotten: Omit<Forgotten, 'namedIds'>;
  readonly archived: number;
  /** False while another process still reads the old content; the next command finishes the wiping. */
  readonly isWiped: boolean;
  /** Files from before a repair that may still contain the text. */
  readonly damagedFiles: readonly string[];
}

export function readForgettable(store: Store, session: FoundSession): Forgettable {
  const subagents = findFamily(store, session).length - 1;
  return { session, subagents, copies: findCopies(store, session) };
}

export async function forget(host: Host, session: FoundSession): Promise<ForgetAnswer> {
  const { files } = getSource(session.agent);
  const findNamedId = (path: string) => files?.findMeaning(path)?.transcript?.nativeId ?? null;
  const { isWiped, namedIds, ...forgotten } = await withLockedIndex(host, (store) =>
    forgetForGood(store, session, host.now().toISOString(), findNamedId),
  );
  forgetLastResults(host.indexPath);
  // After the tombstones: an archiver that comes between must not keep it again.
  const ids = [...forgotten.nativeIds, ...namedIds];
  const keys = new Set(ids.map((nativeId) => toSessionKey(session.agent, nativeId)));
  const archived = await deleteSessions(host, keys);
  return { archived, forgotten, isWiped, damagedFiles: findDamaged(host.indexPath) };
}

async function deleteSessions(host: Host, keys: ReadonlySet<string>): Promise<number> {
  const find = () => {
    const sessions = readSessionCopies(host.archivePath);
    return [...keys].flatMap((key) => sessions.get(key) ?? []);
  };
  // Without the lock, which makes a folder for itself.
  if (find().length === 0) return 0;
  return holdLock(host, 'archive', () => {
    const sessions = find();
    for (const { files } of sessions) files.forEach(deleteCopy);
    return sessions.length;
  });
}

export function forgetForGood(
  store: Store,
  key: SessionKey,
  forgottenAt: string,
  findNamedId?: FindNamedId,
): Forgotten & { readonly isWiped: boolean } {
  const forgotten = forgetSession(store, key, forgottenAt, findNamedId);
  // A session may have been titled by a summary that was in the forgotten one.
  settleSessions(store);
  return { ...forgotten, isWiped: wipe(store) };
}
