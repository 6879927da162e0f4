// Brings the hub and this machine up to date with one another: sends what the archive has that the hub lacks, receives what
// others have sent, and indexes it. Nothing else waits for it: where the hub cannot be reached, that is noted and all goes on.

import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { readSpace } from '../../archive/keep-roots.ts';
import { eachCopy, readArchiveRoots } from '../../archive/layout.ts';
import { prepareFile, putInPlace } from '../../archive/segments.ts';
import {
  deleteCopy,
  deleteLeftovers,
  readSessionCopies,
  type SessionCopies,
  toOwnerKey,
  toSessionKey,
} from '../../archive/session-copies.ts';
import { NotWritable, UserError } from '../../errors.ts';
import { type CommandHint, hint, recall } from '../../hints.ts';
import {
  type Carrier,
  type FoundSegment,
  type Machine,
  machineKey,
  type Withdrawal,
  type WordCarrier,
} from '../../hub/carrier.ts';
import { type HubKey, isSameCheck, readHubKey } from '../../hub/hub-key.ts';
import { BadParcel, toSessionName } from '../../hub/parcel.ts';
import { listMachines, type PullReport, pull } from '../../hub/pull.ts';
import { findDue, type PushOptions, type PushReport, push } from '../../hub/push.ts';
import { type HubSettings, readHubSettings, readIdentity, saveHubSettings } from '../../hub/settings.ts';
import { readForeignFile } from '../../open-file.ts';
import { type AgentName, agents, type LabelEntry, type Progress } from '../../records.ts';
import { getSource } from '../../sources/index.ts';
import { deleteLabels, findLabelsPath, readLabelEntries } from '../../store/labels.ts';
import { acquireIndexLock, isLocked } from '../../store/open/open-store.ts';
import { isRedacting } from '../../store/read/index-facts.ts';
import { findMachineKeys, readSentFacts } from '../../store/read/known-files.ts';
import { type DroppedFiles, dropReceived } from '../../store/write/machines.ts';
import { indexReceived, loadClean, redactArchive } from '../archive/keep.ts';
import { readForgottenOwners } from '../archive/status.ts';
import type { Host } from '../host.ts';
import { importLabels } from '../import-labels.ts';
import { readRepository } from '../repository.ts';
import type { SyncRequest } from '../requests.ts';
import { holdLock, toObstacle, withIndex, withLockedIndex } from '../upkeep/locks.ts';

export interface SyncAnswer {
  readonly pushed: PushReport | null;
  readonly pulled: PullReport | null;
  /** Why nothing more was done; null where all was. */
  readonly obstacle: string | null;
}

export const isDatabase = (where: string) => /^postgres(ql)?:\/\//.test(where);

type Joined = HubSettings & { readonly where: string };

export function getJoined({ at }: Host): Joined {
  const settings = readHubSettings(at);
  if (settings?.where != null) return settings as Joined;
  throw new UserError('this machine has joined no hub', {
    code: 'no-hub',
    hint: hint`join one: ${recall('hub', 'join', '<folder or postgres://…>')}`,
  });
}

interface OpenRequest {
  /** How long a connection may take. */
  readonly timeoutMs: number;
  readonly isJoining?: boolean;
}

export async function openCarrier(
  host: Host,
  settings: HubSettings,
  { timeoutMs, isJoining = false }: OpenRequest,
): Promise<Carrier> {
  const { where, machine, password, hubId } = settings;
  let carrier: Carrier;
  if (where === null) throw new Error('no hub was joined');
  if (isDatabase(where)) {
    const { openPostgres } = await import('../../hub/postgres/carrier.ts');
    carrier = await openPostgres({ address: where, password, at: host.at, timeoutMs }, machine);
  } else {
    const { openFolder } = await import('../../hub/folder.ts');
    carrier = await openFolder(where, machine, isJoining);
  }
  if (isJoining || carrier.hubId === hubId) return carrier;
  await carrier.close();
  throw new UserError(`at ${where} is another hub than the one that this machine has joined`, {
    code: 'another-hub',
    hint: hint`if that is meant: ${recall('hub', 'leave')}, then ${recall('hub', 'join', where)}`,
  });
}

/** What is due; says what keeps it from being done instead of throwing, unless it is a fault of recall's own. */
export async function sync(host: Host, request: SyncRequest & OpenRequest): Promise<SyncAnswer> {
  const settings = getJoined(host);
  const answer: { pushed: PushReport | null; pulled: PullReport | null } = { pushed: null, pulled: null };
  const finish = async (obstacle: string | null): Promise<SyncAnswer> => {
    host.onEvent({ type: 'progress-end' });
    await noteContact(host, settings, obstacle);
    return { ...answer, obstacle };
  };
  const lock = acquireIndexLock(`${host.archivePath}/.hub`, host.pid, 0);
  if (!isLocked(lock)) return { ...answer, obstacle: 'another recall is sending and receiving' };
  let carrier: Carrier | null = null;
  try {
    carrier = await openCarrier(host, settings, request);
    const key = await getKey(host, carrier);
    if (request.push !== false) {
      await withdrawUnshared(host, settings, carrier);
      const options = await toPushOptions(host, settings, carrier, key);
      answer.pushed = await push(options);
      if (carrier.words !== null) await sendWords(host, carrier.words, options);
    }
    if (request.pull !== false)
      answer.pulled = await receive(host, settings, leaveOutUnfetched(host, carrier), key);
    return await finish(null);
  } catch (error) {
    host.signal.throwIfAborted();
    const reason = error instanceof UserError ? error.message : toObstacle(error);
    if (reason === null) throw error;
    return await finish(reason);
  } finally {
    lock.release();
    await carrier?.close();
  }
}

/** How many sessions of this machine the hub lacks, and who has joined. */
export async function countDue(
  host: Host,
  timeoutMs: number,
): Promise<{ machines: readonly Machine[]; toSend: number }> {
  const settings = getJoined(host);
  const carrier = await openCarrier(host, settings, { timeoutMs });
  try {
    const key = await getKey(host, carrier);
    const due = await findDue(await toPushOptions(host, settings, carrier, key));
    return { machines: await carrier.machines(), toSend: new Set(due.map(({ session }) => session)).size };
  } finally {
    await carrier.close();
  }
}

async function getKey(host: Host, { keyCheck }: Carrier): Promise<HubKey> {
  const identity = readIdentity(host.at);
  if (identity === null)
    throw new UserError('the key of the hub is not on this machine', {
      code: 'no-hub-key',
      hint: hint`leave and join again with the key of another machine: ${recall('hub', 'leave')}`,
    });
  const key = await readHubKey(identity);
  if (keyCheck !== null && isSameCheck(keyCheck, key.check)) return key;
  throw new UserError('the key on this machine is not the one that the hub was joined with', {
    code: 'wrong-hub-key',
    hint: hint`leave, and join again with the key that ${recall('hub', 'key')} prints on another machine`,
  });
}

async function toPushOptions(
  host: Host,
  settings: HubSettings,
  carrier: Carrier,
  key: HubKey,
): Promise<PushOptions> {
  const { known, forgotten } = await withIndex(host, ({ db }) => ({
    known: readSentFacts(db),
    forgotten: agents.flatMap((agent) =>
      [...readForgottenOwners(db, agent)].map((session) => ({ agent, session })),
    ),
  }));
  const facts = new Map(known.map((each) => [toSessionKey(each.agent, each.nativeId), each]));
  const isGone = new Set(forgotten.map(({ agent, session }) => toOwnerKey(agent, session)));
  const copies = readSessionCopies(host.archivePath, ({ machine }) => machine === host.machine);
  const repositories = new Map<string, ReturnType<typeof readRepository>>();
  const readOnce = (directory: string) => {
    if (!repositories.has(directory)) repositories.set(directory, readRepository(directory));
    return repositories.get(directory) ?? null;
  };
  const withdrawn = new Set(readState(host.archivePath, settings.hubId).forgotten);
  const nowMs = host.now().getTime();
  return {
    carrier,
    key,
    machine: settings.machine,
    sessions: [...copies].flatMap(([id, session]) => {
      const name = toSessionName(key, { agent: session.agent, session: session.owner });
      return isGone.has(id) || withdrawn.has(name) || session.bytes === 0 ? [] : [session];
    }),
    forgotten,
    labels: tryLabels(host),
    isShared: toIsShared(
      settings,
      (session) => facts.get(toOwnerKey(session.agent, session.owner))?.project ?? null,
    ),
    readFacts: (session) => {
      const { project: cwd = null, branch = null } =
        facts.get(toOwnerKey(session.agent, session.owner)) ?? {};
      const repository = cwd === null ? null : readOnce(cwd);
      // The last commit is that of the branch that is checked out, which may be another one by now.
      const commit = repository?.branch === branch ? (repository?.commit ?? null) : null;
      const modifiedAtMs = Math.min(session.modifiedAtMs, nowMs);
      return { cwd, remote: repository?.remote ?? null, branch, commit, modifiedAtMs };
    },
    loadRedactor: async (agent: AgentName) => {
      const { files, loadUnpack } = getSource(agent);
      if (files === null) throw new Error(`sessions of ${agent} are not files`);
      return { files, clean: await loadClean(agent), unpack: (await loadUnpack?.()) ?? ((file) => file) };
    },
    signal: host.signal,
    onProgress: (progress: Progress) => host.onEvent({ type: 'sending', progress }),
  };
}

/** Where they are damaged, they stay away, and nothing else does. */
function tryLabels({ indexPath }: Host): readonly LabelEntry[] {
  try {
    return readLabelEntries(findLabelsPath(indexPath));
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}

async function sendWords(
  host: Host,
  carrier: WordCarrier,
  { sessions, isShared }: PushOptions,
): Promise<void> {
  const shared = sessions.filter(isShared).map(({ agent, owner }) => toOwnerKey(agent, owner));
  const { pushWords } = await import('./push-words.ts');
  await withIndex(host, ({ db }) =>
    pushWords({
      db,
      carrier,
      shared: new Set(shared),
      signal: host.signal,
      onProgress: (progress: Progress) => host.onEvent({ type: 'sending', progress }),
    }),
  );
}

export function toIsShared(
  { sharedSessions, sharedProjects }: HubSettings,
  findProject: (session: Pick<SessionCopies, 'agent' | 'owner'>) => string | null,
) {
  const named = new Set(sharedSessions.map(({ agent, session }) => toOwnerKey(agent, session)));
  return (session: Pick<SessionCopies, 'agent' | 'owner'>): boolean => {
    if (named.has(toOwnerKey(session.agent, session.owner))) return true;
    const project = sharedProjects.length === 0 ? null : findProject(session);
    return (
      project !== null && sharedProjects.some((each) => project === each || project.startsWith(`${each}/`))
    );
  };
}

/** What is not shared any more since the hub was last told. */
async function withdrawUnshared(host: Host, settings: HubSettings, carrier: Carrier): Promise<void> {
  if (settings.unshared.length === 0) return;
  await carrier.unshare(settings.unshared.map(({ agent, session }) => ({ agent, name: session })));
  // Another recall may have changed them since.
  const now = getJoined(host);
  const isTold = (each: HubSettings['unshared'][number]) =>
    settings.unshared.some(({ agent, session }) => each.agent === agent && each.session === session);
  saveHubSettings(host.at, { ...now, unshared: now.unshared.filter((each) => !isTold(each)) });
}

/** Where members search on the hub, what others have shared is received once it was fetched, and then what is added to it. */
function leaveOutUnfetched(host: Host, carrier: Carrier): Pick<Carrier, 'owner' | 'changes' | 'get'> {
  const { owner, words } = carrier;
  const get: Carrier['get'] = (ids) => carrier.get(ids);
  if (words === null) return { owner, get, changes: (since) => carrier.changes(since) };
  const fetched = readSessionCopies(host.archivePath, ({ machine }) => machine !== host.machine);
  const isWanted = ({ agent, session, isTeam }: FoundSegment) =>
    !isTeam || fetched.has(toOwnerKey(agent as AgentName, session));
  const changes = async (since: string) => {
    const found = await carrier.changes(since);
    return { ...found, segments: found.segments.filter(isWanted) };
  };
  return { owner, get, changes };
}

/** Receives a session that others have shared; false where the hub has none of this id, or nobody searches on it. */
export async function fetchSession(host: Host, ref: string, timeoutMs: number): Promise<boolean> {
  const settings = readHubSettings(host.at);
  if (settings?.where == null || !isDatabase(settings.where)) return false;
  const [, session = ref, machineName = null] = /^(.+)@([^@]+)$/.exec(ref) ?? [];
  const carrier = await openCarrier(host, settings, { timeoutMs });
  try {
    const { owner, words } = carrier;
    if (words === null) return false;
    const [all, machines] = [await words.segmentsOf(session), await carrier.machines()];
    const names = new Map(machines.map(({ key, name }) => [key, name]));
    const isOf = ({ machine }: FoundSegment) =>
      machineName === null || names.get(machine)?.toLowerCase() === machineName.toLowerCase();
    const segments = all.filter(isOf);
    if (segments.length === 0) return false;
    const get: Carrier['get'] = (ids) => carrier.get(ids);
    const changes = async (since: string) => ({
      ...{ segments, machines, withdrawn: [], left: [], hasMore: false },
      next: () => since,
    });
    const report = await receive(host, settings, { owner, get, changes }, await getKey(host, carrier));
    host.onEvent({ type: 'progress-end' });
    return report.sessions > 0;
  } finally {
    await carrier.close();
  }
}

/** Drops what was fetched of others; it can be searched on the hub, and fetched again. */
export async function trimFetched(host: Host, timeoutMs: number): Promise<{ readonly dropped: number }> {
  const settings = getJoined(host);
  const carrier = await openCarrier(host, settings, { timeoutMs });
  const { owner, words } = carrier;
  await carrier.close();
  if (words === null)
    throw new UserError('nobody searches on this hub, so that what was received would be found nowhere', {
      code: 'hub-not-searchable',
    });
  return { dropped: await dropCopies(host, (machine) => machine.owner !== owner) };
}

async function receive(
  host: Host,
  settings: HubSettings,
  carrier: Pick<Carrier, 'owner' | 'changes' | 'get'>,
  key: HubKey,
): Promise<PullReport> {
  const { archivePath: archive } = host;
  const isCleaning = await withIndex(host, ({ db }) => isRedacting(db));
  const hold = <T>(run: () => Promise<T>) => holdLock(host, 'archive', run);
  return pull({
    carrier,
    key,
    archive,
    hold,
    machine: settings.machine,
    since: readState(archive, settings.hubId).since,
    nowMs: host.now().getTime(),
    signal: host.signal,
    checkSpace: () => checkSpace(host, recall('hub', 'pull')),
    onProgress: (progress) => host.onEvent({ type: 'receiving', progress }),
    drop: async (withdrawn, left) => {
      await dropWithdrawn(host, key, withdrawn, left);
      const own = withdrawn.filter(({ owner, isTeam }) => owner === carrier.owner && !isTeam);
      const { forgotten } = readState(archive, settings.hubId);
      const names = [...new Set([...forgotten, ...own.map(({ session }) => session)])];
      if (names.length > forgotten.length) await saveState(archive, settings.hubId, { forgotten: names });
      if (own.length > 0) await dropLabels(host, key, new Set(names));
    },
    takeLabels: async (entries) => {
      try {
        await withIndex(host, (store) => importLabels(store, entries));
      } catch (error) {
        throw error instanceof UserError ? new BadParcel(error.message) : error;
      }
    },
    index: async (files) => {
      if (files.length === 0) return;
      if (isCleaning) await hold(() => redactArchive(host));
      await withLockedIndex(host, (store) => indexReceived(host, store, files));
    },
    saveSince: (since) => saveState(archive, settings.hubId, { since }),
  });
}

/** As archiving does, it leaves some room on the disk. */
const minFreeBytes = 1e9;
const minFreeShare = 0.05;

export function checkSpace({ archivePath, readSpace: ask = readSpace }: Host, again: CommandHint): void {
  const { freeBytes, totalBytes } = ask(dirname(archivePath));
  if (freeBytes >= minFreeBytes && freeBytes >= totalBytes * minFreeShare) return;
  throw new UserError(
    `only ${Math.round(freeBytes / 1e6)} MB free on the disk, so nothing more is received`,
    {
      code: 'no-space',
      hint: hint`free some space, then ${again}`,
    },
  );
}

async function dropWithdrawn(
  host: Host,
  key: HubKey,
  withdrawn: readonly Withdrawal[],
  left: readonly string[],
): Promise<void> {
  if (withdrawn.length === 0 && left.length === 0) return;
  const toKey = (owner: string | null, isTeam: boolean, session: string) =>
    JSON.stringify([owner, isTeam, session]);
  const names = new Set(withdrawn.map((each) => toKey(each.owner, each.isTeam, each.session)));
  const gone = new Set(left);
  await dropCopies(host, (machine, agent, session) => {
    if (gone.has(machine.key)) return true;
    const sealed = toKey(machine.owner, false, toSessionName(key, { agent, session }));
    return names.has(sealed) || names.has(toKey(machine.owner, true, session));
  });
}

/** Those of sessions that were forgotten on another machine, unless they are here all the same. */
async function dropLabels(host: Host, key: HubKey, names: ReadonlySet<string>): Promise<void> {
  const isDropped = ({ agent, id }: LabelEntry) =>
    names.has(toSessionName(key, { agent, session: getSource(agent).files?.toOwner(id) ?? id }));
  await withIndex(host, ({ db, path }) => {
    for (const each of tryLabels(host).filter(isDropped))
      if (findMachineKeys(db, each.agent, each.id).length === 0)
        deleteLabels(findLabelsPath(path), each.agent, [each.id]);
  });
}

/** What was handed on in a file is of no hub. */
const isOfHub = ({ key }: Machine) => machineKey.test(key);

/** All that was received. */
export async function dropAll(host: Host): Promise<number> {
  const dropped = await dropCopies(host, () => true);
  for (const { key } of listMachines(host.archivePath).filter(isOfHub))
    rmSync(`${host.archivePath}/${key}`, { recursive: true, force: true });
  return dropped;
}

export async function dropCopies(
  host: Host,
  isDropped: (machine: Machine, agent: AgentName, session: string) => boolean,
  of: readonly Machine[] = listMachines(host.archivePath).filter(isOfHub),
): Promise<number> {
  const { archivePath: archive } = host;
  const machines = new Map(of.map((machine) => [machine.key, machine]));
  const roots = readArchiveRoots(archive).filter(({ machine }) => machines.has(machine));
  const found = roots.flatMap((root) => {
    const { files } = getSource(root.agent);
    const copies = [...eachCopy(root)].filter((copy) => {
      const session = files?.findOwner(copy.path) ?? null;
      return session !== null && isDropped(machines.get(root.machine) as Machine, root.agent, session);
    });
    return copies.length === 0 ? [] : [{ root, copies }];
  });
  if (found.length === 0) return 0;
  const dropped: DroppedFiles[] = found.map(({ root, copies }) => ({
    machineKey: root.machine,
    agent: root.agent,
    root: root.path,
    paths: copies.map(({ path }) => path),
  }));
  // The index first: killed between both, the copies are found again.
  const count = await withLockedIndex(host, (store) => dropReceived(store.db, dropped));
  await holdLock(host, 'archive', () => {
    for (const { copies } of found) copies.forEach(deleteCopy);
    for (const { root } of found) deleteLeftovers(root.folder);
  });
  return count;
}

interface HubState {
  readonly since: string;
  /** Sessions that another machine has forgotten, as the hub names them: what is here of them is not sent again. */
  readonly forgotten: readonly string[];
  readonly lastContactAt: string | null;
  readonly obstacle: string | null;
}

const noState: HubState = { since: '', forgotten: [], lastContactAt: null, obstacle: null };

/** In the archive: what was received is there, so that without it everything is received again. */
export function readState(archive: string, hubId: string): HubState {
  try {
    const found = JSON.parse(readForeignFile(`${archive}/.hub.json`).toString());
    return found.hubId === hubId ? { ...noState, ...found } : noState;
  } catch {
    return noState;
  }
}

async function saveState(archive: string, hubId: string, changed: Partial<HubState>): Promise<void> {
  const state = { ...readState(archive, hubId), ...changed, hubId };
  await putInPlace(await prepareFile(`${archive}/.hub.json`, Buffer.from(JSON.stringify(state)), 0));
}

async function noteContact(host: Host, { hubId }: HubSettings, obstacle: string | null): Promise<void> {
  const contact = obstacle === null ? { lastContactAt: host.now().toISOString() } : {};
  try {
    await saveState(host.archivePath, hubId, { ...contact, obstacle });
  } catch (error) {
    // On a full disk there is nothing better to do than to say why nothing was received.
    if (!(error instanceof NotWritable)) throw error;
  }
}
