// A hub that this machine joins, leaves and shares sessions on; and what is known of it. What travels is sync.ts's matter.

import { randomBytes, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { readSessionCopies, toOwnerKey } from '../../archive/session-copies.ts';
import { saveSetting } from '../../config.ts';
import { UserError, usageError } from '../../errors.ts';
import { hint, recall } from '../../hints.ts';
import type { Carrier, Machine } from '../../hub/carrier.ts';
import { noTeam } from '../../hub/folder.ts';
import { isSameCheck, makeIdentity, readHubKey } from '../../hub/hub-key.ts';
import {
  type HubSettings,
  readHubSettings,
  readIdentity,
  saveHubSettings,
  saveIdentity,
} from '../../hub/settings.ts';
import { type AgentName, agents } from '../../records.ts';
import { getSource } from '../../sources/index.ts';
import { countByMachine, countOnDisk, readSentFacts } from '../../store/read/known-files.ts';
import type { FoundSession } from '../../store/read/sessions.ts';
import { saveOwnMachine } from '../../store/write/machines.ts';
import type { Host } from '../host.ts';
import type { JoinRequest } from '../requests.ts';
import { withIndex, withLockedIndex } from '../upkeep/locks.ts';
import {
  countDue,
  dropAll,
  getJoined,
  isDatabase,
  openCarrier,
  readState,
  type SyncAnswer,
  sync,
  toIsShared,
} from './sync.ts';

export interface JoinAnswer {
  readonly where: string;
  readonly name: string;
  readonly owner: string | null;
  /** The first machine: the key was made now. */
  readonly isFirst: boolean;
  readonly hasTurnedArchiveOn: boolean;
  readonly synced: SyncAnswer;
}

const patienceMs = 10_000;

export async function joinHub(host: Host, { where, name, key: given }: JoinRequest): Promise<JoinAnswer> {
  const before = readHubSettings(host.at);
  if (before?.where != null)
    throw usageError(
      `this machine has joined a hub already: ${before.where}`,
      hint`leave it first: ${recall('hub', 'leave')}`,
    );
  const { address, password } = splitPassword(where, host);
  const machine = before?.machine ?? randomUUID();
  const settings: HubSettings = {
    where: address,
    hubId: '',
    machine,
    name: toMachineName(name ?? host.at.env.RECALL_MACHINE ?? host.machine),
    owner: null,
    password,
    sharedSessions: [],
    sharedProjects: [],
    unshared: [],
    admin: before?.admin ?? null,
  };
  const carrier = await openCarrier(host, settings, { timeoutMs: patienceMs, isJoining: true });
  try {
    const identity = await chooseIdentity(host, carrier, given);
    const key = await readHubKey(identity);
    const { hubId, owner } = carrier;
    const isFirst = carrier.keyCheck === null;
    // In this order: a key that is not saved must not be what others are asked for.
    saveIdentity(host.at, identity);
    if (!(await carrier.join({ key: machine, name: settings.name, owner }, key.check))) throw wrongKey();
    saveHubSettings(host.at, { ...settings, hubId, owner });
    await withLockedIndex(host, ({ db }) => saveOwnMachine(db, { key: machine, name: settings.name, owner }));
    const hasTurnedArchiveOn = host.config().archive !== true;
    if (hasTurnedArchiveOn) saveSetting(host.at, 'archive', true);
    const { indexNow } = await import('../upkeep/update.ts');
    await indexNow(host, { hub: false });
    const synced = await sync(host, { timeoutMs: patienceMs });
    return { where: address, name: settings.name, owner, isFirst, hasTurnedArchiveOn, synced };
  } finally {
    await carrier.close();
  }
}

/** Where it came with the address, it is kept apart, so that no list or message ever shows it. */
function splitPassword(where: string, { at }: Host): { address: string; password: string | null } {
  if (!isDatabase(where)) {
    if (/^[a-z][a-z0-9+.-]+:\/\//i.test(where))
      throw usageError('a hub is a folder or postgres://<name>@<host>/<database>');
    const path = where.replace(/^~(?=$|\/)/, at.homeDir);
    return { address: isAbsolute(path) ? path : resolve(at.cwd, path), password: null };
  }
  let url: URL;
  try {
    url = new URL(where);
  } catch {
    throw usageError('this is not an address of a database', 'postgres://<name>@<host>/<database>');
  }
  const password = url.password === '' ? null : decodeURIComponent(url.password);
  url.password = '';
  return { address: url.href, password };
}

const maxNameChars = 60;

function toMachineName(text: string): string {
  const name = text
    .trim()
    .replace(/[\p{C}\s]+/gu, '-')
    .slice(0, maxNameChars);
  if (name === '') throw usageError('--name needs a name');
  return name;
}

async function chooseIdentity(host: Host, { keyCheck }: Carrier, given: string | undefined): Promise<string> {
  const known = readIdentity(host.at);
  const identity = given ?? known;
  if (keyCheck === null) return identity ?? makeIdentity();
  const fits = identity !== null && isSameCheck((await readHubKey(identity)).check, keyCheck);
  if (fits) return identity;
  if (given !== undefined) throw wrongKey();
  throw new UserError('this hub has your sessions already, and they are sealed with your key', {
    code: 'needs-hub-key',
    hint: hint`on a machine that has joined: ${recall('hub', 'key')}; then here: ${recall('hub', 'join', '<where>', '--key-file', '<file>')}, or set RECALL_HUB_KEY`,
  });
}

function wrongKey(): UserError {
  return new UserError('this is not the key that this hub was joined with', {
    code: 'wrong-hub-key',
    hint: hint`on a machine that has joined, ${recall('hub', 'key')} prints the right one; if no machine has it any more, what is there cannot be read by anybody: start a new hub`,
  });
}

export interface SetupAnswer {
  readonly where: string;
  /** 0 where there was none. */
  readonly before: number;
  readonly version: number;
}

/** Makes the tables and roles of a hub in a database, or brings them up to date (`isNew` false: only that). */
export async function setUpHub(
  host: Host,
  where: string,
  isNew: boolean,
  isSearchable = false,
): Promise<SetupAnswer> {
  if (!isDatabase(where)) throw usageError('only a database is set up; a folder is just joined');
  const { address, password } = splitPassword(where, host);
  const { connect } = await import('../../hub/postgres/connect.ts');
  const { setUp } = await import('../../hub/postgres/schema.ts');
  const sql = await connect({ address, password, at: host.at, timeoutMs: patienceMs });
  try {
    const answer = await setUp(sql, randomUUID(), isNew, isSearchable);
    const none = { where: null, hubId: '', machine: randomUUID(), name: '', owner: null, password: null };
    const settings = readHubSettings(host.at) ?? {
      ...none,
      sharedSessions: [],
      sharedProjects: [],
      unshared: [],
    };
    saveHubSettings(host.at, { ...settings, admin: address });
    return { ...answer, where: address };
  } finally {
    await sql.close();
  }
}

export interface AddAnswer {
  /** What the person types, and the lines for ~/.pgpass; the password is null where the login was there before. */
  readonly where: string;
  readonly password: string | null;
  readonly passwordLine: string | null;
}

export async function addPerson(host: Host, name: string): Promise<AddAnswer> {
  const admin = readHubSettings(host.at)?.admin ?? null;
  if (admin === null)
    throw new UserError('no hub was set up from here', {
      code: 'no-hub',
      hint: hint`set one up: ${recall('hub', 'setup', 'postgres://<admin>@<host>/<database>')}`,
    });
  const { connect, planConnection } = await import('../../hub/postgres/connect.ts');
  const { addMember } = await import('../../hub/postgres/schema.ts');
  const sql = await connect({ address: admin, password: null, at: host.at, timeoutMs: patienceMs });
  try {
    const password = await addMember(sql, name, randomBytes(18).toString('base64url'));
    const url = new URL(admin);
    if (url.searchParams.has('user')) url.searchParams.set('user', name);
    else url.username = name;
    const { host: at, port, database } = planConnection(admin, host.at);
    const line =
      password === null ? null : `${at.replaceAll(':', '\\:')}:${port}:${database}:${name}:${password}`;
    return { where: url.href, password, passwordLine: line };
  } finally {
    await sql.close();
  }
}

export interface HubStatus {
  /** Null where no hub is joined. */
  readonly where: string | null;
  readonly name: string | null;
  readonly owner: string | null;
  readonly machines: readonly (Machine & { readonly isOwn: boolean; readonly sessions: number })[];
  readonly people: readonly string[];
  /** Main transcripts of this machine that the hub has, and that it lacks; null where it could not be asked. */
  readonly sent: number | null;
  readonly toSend: number | null;
  /** Sessions of other machines, as a list counts them. */
  readonly received: number;
  readonly lastContactAt: string | null;
  /** Why it could not be reached just now, or the last time. */
  readonly obstacle: string | null;
  readonly sharedSessions: readonly string[];
  readonly sharedProjects: readonly string[];
  /** Agents whose sessions cannot be sent, since they are not files. */
  readonly unsendable: readonly { readonly program: string; readonly sessions: number }[];
}

export async function readHubStatus(host: Host): Promise<HubStatus> {
  const settings = readHubSettings(host.at);
  const counts = await withIndex(host, ({ db }) => ({
    listed: countByMachine(db),
    unsendable: agents.flatMap((agent) => {
      const { files, name: program } = getSource(agent);
      const sessions = files === null ? countOnDisk(db, agent) : 0;
      return sessions === 0 ? [] : [{ program, sessions }];
    }),
  }));
  const { listed, unsendable } = counts;
  const received = [...listed].reduce(
    (sum, [key, count]) => sum + (key === settings?.machine ? 0 : count),
    0,
  );
  const shared = {
    sharedSessions: settings?.sharedSessions.map(({ session }) => session) ?? [],
    sharedProjects: settings?.sharedProjects ?? [],
  };
  if (settings?.where == null) {
    const none = { machines: [], people: [], sent: null, toSend: null, lastContactAt: null, obstacle: null };
    return { where: null, name: null, owner: null, ...none, received, ...shared, unsendable };
  }
  const { where, name, owner } = settings;
  const own = readSessionCopies(host.archivePath, ({ machine }) => machine === host.machine);
  let asked: { machines: readonly Machine[]; toSend: number } | null = null;
  let obstacle: string | null = null;
  try {
    asked = await countDue(host, 2000);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    obstacle = error.message;
  }
  const state = readState(host.archivePath, settings.hubId);
  const known = asked?.machines ?? [{ key: settings.machine, name, owner }];
  const machines = known.map((machine) => {
    const isOwn = machine.key === settings.machine;
    return { ...machine, isOwn, sessions: listed.get(machine.key) ?? 0 };
  });
  return {
    where,
    name,
    owner,
    machines,
    people: [...new Set(known.flatMap((machine) => machine.owner ?? []))].sort(),
    sent: asked === null ? null : own.size - asked.toSend,
    toSend: asked?.toSend ?? null,
    received,
    lastContactAt: asked === null ? state.lastContactAt : host.now().toISOString(),
    obstacle: obstacle ?? state.obstacle,
    ...shared,
    unsendable,
  };
}

export function readOwnKey(host: Host): string {
  const identity = readIdentity(host.at);
  if (identity !== null) return identity;
  throw new UserError('there is no key on this machine', {
    code: 'no-hub-key',
    hint: hint`one is made by the first: ${recall('hub', 'join', '<where>')}`,
  });
}

/** Stops; `isDeleting` also takes back what this machine has sent, and others drop it. What was received is dropped here. */
export async function leaveHub(
  host: Host,
  isDeleting: boolean,
): Promise<{ readonly where: string; readonly dropped: number }> {
  const settings = getJoined(host);
  if (isDeleting) {
    const carrier = await openCarrier(host, settings, { timeoutMs: patienceMs });
    try {
      await carrier.leave();
    } finally {
      await carrier.close();
    }
  }
  const dropped = await dropAll(host);
  // The machine keeps its key: should it join again, it is the same one, unless all that it was known for is gone.
  saveHubSettings(host.at, {
    ...settings,
    where: null,
    password: null,
    machine: isDeleting ? randomUUID() : settings.machine,
    sharedSessions: [],
    sharedProjects: [],
    unshared: [],
  });
  rmSync(`${host.archivePath}/.hub.json`, { force: true });
  return { where: settings.where, dropped };
}

interface ShareRequest {
  readonly session?: FoundSession | undefined;
  /** A directory: every session in it or below it, now and later. */
  readonly project?: string | undefined;
}

/** From now on, or no longer; the hub is told at once, or as soon as it can be reached. */
export async function share(
  host: Host,
  { session, project }: ShareRequest,
  isShared: boolean,
): Promise<SyncAnswer> {
  const settings = getJoined(host);
  if (!isDatabase(settings.where)) throw noTeam();
  const named = session === undefined ? [] : [toSharedSession(session)];
  const directory = project === undefined ? null : resolve(host.at.cwd, project);
  const isNamed = (each: SharedSession) =>
    named.some(({ agent, session }) => each.agent === agent && each.session === session);
  const sharedProjects = settings.sharedProjects.filter((each) => each !== directory);
  const next: HubSettings = {
    ...settings,
    sharedSessions: [...settings.sharedSessions.filter((each) => !isNamed(each)), ...(isShared ? named : [])],
    sharedProjects: directory !== null && isShared ? [...sharedProjects, directory] : sharedProjects,
    unshared: settings.unshared.filter((each) => !isShared || !isNamed(each)),
  };
  const own = await readOwnSessions(host);
  const find = ({ agent, owner }: Parameters<ReturnType<typeof toIsShared>>[0]) =>
    own.get(toOwnerKey(agent, owner))?.project ?? null;
  const [wasShared, isStill] = [toIsShared(settings, find), toIsShared(next, find)];
  const known = named.map(({ agent, session: owner }) => own.get(toOwnerKey(agent, owner)));
  if (known.includes(undefined)) throw notOwn();
  const kept = isShared ? undefined : known.find((each) => each !== undefined && isStill(each));
  if (kept !== undefined)
    throw usageError(
      `this session is shared with its project, ${kept.project}`,
      hint`end that for the project: ${recall('hub', 'unshare', '--project', '<dir>')}`,
    );
  if (!isShared && directory !== null && !settings.sharedProjects.includes(directory))
    throw usageError(`${directory} is not shared`, hint`what is: ${recall('hub', 'share', '--list')}`);
  const ended = [...own.values()].filter((each) => wasShared(each) && !isStill(each));
  const unshared = isShared
    ? []
    : [...named, ...ended.map(({ agent, owner }) => ({ agent, session: owner }))];
  saveHubSettings(host.at, { ...next, unshared: [...next.unshared, ...unshared] });
  return sync(host, { timeoutMs: patienceMs });
}

type SharedSession = HubSettings['sharedSessions'][number];

interface OwnSession {
  readonly agent: AgentName;
  readonly owner: string;
  readonly project: string | null;
}

/** By their keys; what this machine sends, and so all that it can share. */
async function readOwnSessions(host: Host): Promise<ReadonlyMap<string, OwnSession>> {
  const known = await withIndex(host, ({ db }) => readSentFacts(db));
  return new Map(
    known.map(({ agent, nativeId, project }) => {
      const owner = getSource(agent).files?.toOwner(nativeId) ?? nativeId;
      return [toOwnerKey(agent, owner), { agent, owner, project }];
    }),
  );
}

/** Only the machine that sends a session knows whether it is shared: said elsewhere, its next push would undo it. */
function notOwn(): UserError {
  return new UserError('this session is of another machine, which alone can share it or end that', {
    code: 'not-own-session',
    hint: hint`do it there; one of your own is withdrawn from everywhere by: ${recall('forget', '<ref>')}`,
  });
}

function toSharedSession({ agent, nativeId, kind }: FoundSession): { agent: AgentName; session: string } {
  const { files, name } = getSource(agent);
  if (files === null)
    throw new UserError(`sessions of ${name} are not files, so they cannot be shared`, {
      code: 'not-sendable',
    });
  if (kind !== 'main')
    throw new UserError('only a whole session can be shared', {
      code: 'usage',
      hint: 'name the session that it belongs to',
    });
  return { agent, session: files.toOwner(nativeId) };
}
