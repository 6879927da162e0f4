// A hub that is a folder, which something else carries to the other machines of one person: Syncthing, Dropbox, NFS. Each machine
// writes below its own folder only, so that no two ever change one file:
//
//     recall-hub.json                          the version, the hub's id, the check of the key
//     <machine>/machine.json                   its name
//     <machine>/sessions/<session>/<path>.<name>   a sealed part of a transcript
//     <machine>/forgotten/<session>            the session is forgotten, on every machine
//     <machine>/left                           the machine has taken back what it had sent
//
// There is no order of changes that all machines agree on, so what was received is remembered by name. A file may arrive in
// parts or not at all; it is looked at again the next time.

import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  type Dirent,
  existsSync,
  fstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { isPlainName } from '../archive/layout.ts';
import { prepareFile, putInPlace, syncFolder } from '../archive/segments.ts';
import { NotWritable, toReason, UserError } from '../errors.ts';
import { openFile, readForeignFile } from '../open-file.ts';
import {
  type Carrier,
  type Changes,
  type FoundSegment,
  hubVersion,
  type Machine,
  machineKey,
} from './carrier.ts';
import { isSameCheck } from './hub-key.ts';
import { maxParcelBytes } from './parcel.ts';

const hubFile = 'recall-hub.json';
const hex = /^[0-9a-f]{32}$/;

interface HubFile {
  readonly version: number;
  readonly id: string;
  readonly keyCheck: string | null;
}

/** `machine` is the key of the one that this is. Makes the hub where there is none, if `isJoining`. */
export async function openFolder(path: string, machine: string, isJoining: boolean): Promise<Carrier> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === false || (found === undefined && !isJoining))
    throw unreachable(path, found === undefined ? 'it does not exist' : 'it is not a folder');
  let hub = readHubFile(path);
  if (hub === null) {
    // A folder that is not mounted, or not synced yet, looks like a new one: only who joins may start a hub.
    if (!isJoining) throw unreachable(path, `there is no ${hubFile} in it`);
    hub = { version: hubVersion, id: randomUUID(), keyCheck: null };
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw unreachable(path, toReason(error));
    }
  }
  return new FolderCarrier(path, machine, hub);
}

function readHubFile(path: string): HubFile | null {
  let text: string;
  try {
    text = readForeignFile(join(path, hubFile)).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw unreachable(path, toReason(error));
  }
  let hub: Partial<HubFile> | null = null;
  try {
    hub = JSON.parse(text);
  } catch {}
  const { version, id, keyCheck } = hub ?? {};
  if (
    typeof version !== 'number' ||
    typeof id !== 'string' ||
    (keyCheck !== null && typeof keyCheck !== 'string')
  )
    throw unreachable(path, `${hubFile} in it is damaged`);
  if (version > hubVersion)
    throw new UserError(
      `the hub in ${path} was made by a newer recall (version ${version}, this one knows ${hubVersion})`,
      {
        code: 'hub-too-new',
        hint: 'update recall on this machine',
      },
    );
  return { version, id, keyCheck };
}

function unreachable(path: string, reason: string): UserError {
  return new UserError(`the hub in ${path} cannot be used: ${reason}`, {
    code: 'hub-unreachable',
    hint: 'check that the folder is there and synced; searching works without it',
  });
}

class FolderCarrier implements Carrier {
  readonly words = null;
  readonly owner = null;
  readonly knowsTeams = false;
  readonly hubId: string;
  keyCheck: string | null;
  private readonly path: string;
  private readonly own: string;

  constructor(path: string, machine: string, { id, keyCheck }: HubFile) {
    this.path = path;
    this.own = join(path, machine);
    this.hubId = id;
    this.keyCheck = keyCheck;
  }

  async join({ name }: Machine, keyCheck: string): Promise<boolean> {
    if (this.keyCheck !== null && !isSameCheck(this.keyCheck, keyCheck)) return false;
    if (this.keyCheck === null)
      await this.write(join(this.path, hubFile), toJson({ version: hubVersion, id: this.hubId, keyCheck }));
    this.keyCheck = keyCheck;
    await this.write(join(this.own, 'machine.json'), toJson({ name }));
    rmSync(join(this.own, 'left'), { force: true });
    return true;
  }

  async machines(): Promise<readonly Machine[]> {
    return this.listMachines().flatMap((key) => {
      try {
        const { name } = JSON.parse(readForeignFile(join(this.path, key, 'machine.json')).toString());
        return typeof name === 'string' ? [{ key, name: name.slice(0, 200), owner: null }] : [];
      } catch {
        // It has not arrived yet.
        return [];
      }
    });
  }

  async has(paths: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const wanted = new Set(paths);
    const names = new Map<string, string[]>();
    for (const { path, name } of this.eachFile(this.own))
      if (wanted.has(path)) names.set(path, [...(names.get(path) ?? []), name]);
    return names;
  }

  async put(...[segments, replaced]: Parameters<Carrier['put']>): Promise<void> {
    const forgotten = this.readForgotten();
    const folders = new Set<string>();
    for (const { session, path, name, bytes } of segments) {
      if (session.isTeam) throw noTeam();
      if (forgotten.has(session.name)) continue;
      const folder = join(this.own, 'sessions', session.name);
      await this.write(join(folder, `${path}.${name}`), bytes, Date.parse(session.modifiedAt));
      folders.add(folder);
    }
    for (const folder of folders) await syncFolder(folder);
    const isReplaced = new Set(replaced.map(({ path, name }) => `${path}.${name}`));
    if (isReplaced.size === 0) return;
    for (const { file, session } of this.eachFile(this.own))
      if (isReplaced.has(file)) rmSync(join(this.own, 'sessions', session, file), { force: true });
  }

  async forget(sessions: Parameters<Carrier['forget']>[0]): Promise<void> {
    const before = this.readForgotten();
    for (const { name, isTeam } of sessions) {
      if (isTeam) continue;
      if (!before.has(name)) await this.write(join(this.own, 'forgotten', name), Buffer.alloc(0));
    }
    this.deleteForgotten(this.readForgotten());
  }

  unshare(): Promise<void> {
    throw noTeam();
  }

  async changes(since: string): Promise<Changes> {
    const before = new Set<string>(since === '' ? [] : JSON.parse(since));
    const forgotten = this.readForgotten();
    this.deleteForgotten(forgotten);
    const machines = (await this.machines()).filter(({ key }) => join(this.path, key) !== this.own);
    const left = machines.filter(({ key }) => existsSync(join(this.path, key, 'left')));
    const segments: FoundSegment[] = [];
    const still: string[] = [];
    for (const { key: machine } of machines)
      for (const { session, name, file, folder } of this.eachFile(join(this.path, machine))) {
        if (forgotten.has(session)) continue;
        const id = `${machine}/sessions/${session}/${file}`;
        if (before.has(id)) still.push(id);
        else {
          const sizeBytes = statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0;
          segments.push({ id, machine, owner: null, session, agent: '', isTeam: false, name, sizeBytes });
        }
      }
    return {
      segments,
      withdrawn: [...forgotten].map((session) => ({ owner: null, agent: '', session, isTeam: false })),
      left: left.map(({ key }) => key),
      machines,
      next: (failed) =>
        JSON.stringify([...still, ...segments.map(({ id }) => id).filter((id) => !failed.has(id))]),
      hasMore: false,
    };
  }

  async get(ids: readonly string[]): Promise<ReadonlyMap<string, Buffer | UserError>> {
    return new Map(
      ids.flatMap((id) => {
        const bytes = this.read(id);
        return bytes === null ? [] : [[id, bytes]];
      }),
    );
  }

  async leave(): Promise<void> {
    await this.write(join(this.own, 'left'), Buffer.alloc(0));
    rmSync(join(this.own, 'sessions'), { recursive: true, force: true });
  }

  async close(): Promise<void> {}

  /** Null where it is no longer there. */
  private read(id: string): Buffer | UserError | null {
    const path = join(this.path, id);
    try {
      const fd = openFile(path);
      try {
        if (fstatSync(fd).size > maxParcelBytes)
          throw new Error('it is larger than any part of a transcript');
        return readFileSync(fd);
      } finally {
        closeSync(fd);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      return new UserError(toReason(error), { code: 'hub-segment' });
    }
  }

  private listMachines(): string[] {
    return list(this.path).flatMap((entry) =>
      entry.isDirectory() && machineKey.test(entry.name) ? [entry.name] : [],
    );
  }

  /** What is not named as a carrier names it is somebody else's: conflicts of the program that syncs, half-written files. */
  private *eachFile(machine: string) {
    for (const session of list(join(machine, 'sessions'))) {
      if (!session.isDirectory() || !hex.test(session.name)) continue;
      const folder = join(machine, 'sessions', session.name);
      for (const entry of list(folder)) {
        const [, path = '', name = ''] =
          /^([0-9a-f]{32})\.([0-9a-f]{32}\.\d+\.\d+-\d+)$/.exec(entry.name) ?? [];
        if (path !== '' && entry.isFile())
          yield { session: session.name, folder, file: entry.name, path, name };
      }
    }
  }

  private readForgotten(): Set<string> {
    return new Set(
      this.listMachines().flatMap((key) =>
        list(join(this.path, key, 'forgotten')).flatMap(({ name }) => (hex.test(name) ? [name] : [])),
      ),
    );
  }

  /** Each machine deletes what it has sent itself. */
  private deleteForgotten(forgotten: ReadonlySet<string>): void {
    for (const name of forgotten)
      if (isPlainName(name)) rmSync(join(this.own, 'sessions', name), { recursive: true, force: true });
  }

  private async write(path: string, bytes: Buffer, modifiedAtMs?: number): Promise<void> {
    try {
      await putInPlace(await prepareFile(path, bytes, modifiedAtMs ?? 0));
    } catch (error) {
      const reason = error instanceof NotWritable ? error.cause : error;
      if (typeof (reason as NodeJS.ErrnoException).syscall !== 'string') throw error;
      throw new UserError(`the hub in ${this.path} cannot be written: ${toReason(reason)}`, {
        code: 'hub-unwritable',
        hint: 'make room or fix the permissions; what was sent stays',
        cause: error,
      });
    }
  }
}

export function noTeam(): UserError {
  return new UserError('a folder has no access control, so it knows no team', {
    code: 'no-team',
    hint: 'to share sessions with others, join a hub in PostgreSQL: recall hub --help',
  });
}

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function toJson(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

export function toDigest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
