// Receives what a hub has of other machines, into the archive, where each machine has a folder of its own.
//
//  1. The carrier says what has changed since the last time, in its own order.
//  2. What was withdrawn is dropped.
//  3. Each segment is opened and checked, and put into the archive; one that is not what it says costs itself alone.
//  4. The files of which something has come are indexed by the caller, and only then is it noted how far this has come.
//
// Killed at any moment, the same is received once more, which changes nothing.

import { readdirSync, rmSync } from 'node:fs';
import { type ArchiveRoot, Listings, toArchiveRoot, toPlace } from '../archive/layout.ts';
import { prepareFile, putInPlace, syncFolder, toHoleDamage } from '../archive/segments.ts';
import { UserError } from '../errors.ts';
import { readForeignFile } from '../open-file.ts';
import { type AgentName, importedPrefix, type Progress } from '../records.ts';
import { type Carrier, type FoundSegment, type Machine, machineKey, type Withdrawal } from './carrier.ts';
import type { HubKey } from './hub-key.ts';
import { holdsLabels, openLabels } from './labels.ts';
import {
  BadParcel,
  maxParcelBytes,
  type ReceivedParcel,
  type RepositoryFacts,
  readParcel,
} from './parcel.ts';

export interface ReceivedFile {
  readonly machine: Machine;
  readonly root: ArchiveRoot;
  readonly paths: readonly string[];
}

export interface PullOptions {
  readonly carrier: Pick<Carrier, 'owner' | 'changes' | 'get'>;
  readonly key: HubKey;
  readonly archive: string;
  readonly machine: string;
  readonly since: string;
  readonly nowMs: number;
  readonly signal: AbortSignal;
  /** Throws where the disk is nearly full. */
  readonly checkSpace: () => void;
  /** Nobody else changes the archive meanwhile. */
  readonly hold: <T>(run: () => Promise<T>) => Promise<T>;
  readonly onProgress: (progress: Progress) => void;
  /** All copies of these sessions on the machines, or all of a machine. */
  readonly drop: (withdrawn: readonly Withdrawal[], left: readonly string[]) => Promise<void>;
  /** Throws where they are none. */
  readonly takeLabels: (entries: readonly unknown[]) => Promise<void>;
  readonly index: (files: readonly ReceivedFile[]) => Promise<void>;
  readonly saveSince: (since: string) => Promise<void>;
}

export interface PullReport {
  readonly sessions: number;
  readonly segments: number;
  readonly bytes: number;
  /** What could not be received, by its machine and name, and why. */
  readonly damages: readonly { readonly path: string; readonly reason: string }[];
}

const getSegments = 50;
const getBytes = 4 * 1024 * 1024;

export async function pull(options: PullOptions): Promise<PullReport> {
  const { carrier, machine: own, signal } = options;
  const report = { segments: 0, bytes: 0, damages: [] as { path: string; reason: string }[] };
  const sessions = new Set<string>();
  for (let since = options.since; ; ) {
    const changes = await carrier.changes(since);
    // What one has shared oneself one has in full, and keeps when it is no longer shared.
    const isOwnShare = ({ isTeam, owner }: Pick<Withdrawal, 'isTeam' | 'owner'>) =>
      isTeam && owner === carrier.owner;
    const withdrawn = changes.withdrawn.filter((each) => !isOwnShare(each));
    await options.drop(withdrawn, changes.left);
    // A key becomes the name of a folder.
    const others = changes.machines.filter(({ key }) => machineKey.test(key) && key !== own);
    const machines = new Map(others.map((machine) => [machine.key, machine]));
    const wanted = changes.segments.filter(
      (segment) => !isOwnShare(segment) && machines.has(segment.machine),
    );
    const received = new Received(options);
    const failed = new Set<string>();
    const bytesTotal = wanted.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    let [filesDone, bytesDone] = [0, 0];
    for (const some of inBatches(wanted)) {
      signal.throwIfAborted();
      options.checkSpace();
      const found = await carrier.get(some.map(({ id }) => id));
      const take = async (segment: FoundSegment) => {
        const machine = machines.get(segment.machine) as Machine;
        const bytes = found.get(segment.id);
        // Replaced or withdrawn since it was listed. If it is lost, something is missing in its file, which is named below.
        if (bytes === undefined) {
          failed.add(segment.id);
          return;
        }
        try {
          if (bytes instanceof UserError) throw new BadParcel(bytes.message);
          if (holdsLabels(options.key, segment)) {
            await options.takeLabels(await openLabels(options.key, bytes));
            return;
          }
          const toRoot = (agent: AgentName, path: string) =>
            toArchiveRoot(options.archive, machine.key, agent, path);
          const { key } = options;
          await received.add(machine, await readParcel(segment, bytes, segment.isTeam ? null : key, toRoot));
          sessions.add(`${segment.machine} ${segment.session}`);
          report.segments++;
          report.bytes += bytes.length;
        } catch (error) {
          if (!(error instanceof BadParcel)) throw error;
          failed.add(segment.id);
          report.damages.push({ path: `${machine.name} ${segment.name}`, reason: error.message });
        }
        filesDone++;
        bytesDone += segment.sizeBytes;
      };
      await options.hold(async () => {
        for (const segment of some) await take(segment);
      });
      options.onProgress({ filesDone, filesTotal: wanted.length, bytesDone, bytesTotal });
    }
    const files = await received.finish(others);
    report.damages.push(...files.flatMap(findHoles));
    await options.index(files);
    const next = changes.next(failed);
    if (next !== since) await options.saveSince(next);
    if (!changes.hasMore || next === since) return { ...report, sessions: sessions.size };
    since = next;
  }
}

/** Of which parts came, and not all of them. */
function findHoles({ machine, root, paths }: ReceivedFile): { path: string; reason: string }[] {
  const listings = new Listings();
  return paths.flatMap((path) => {
    const copy = listings.find(toPlace(root, path));
    const holes = copy.versions[0]?.holes ?? [];
    return holes.map((hole) => ({ ...toHoleDamage(copy, hole), path: `${machine.name} ${path}` }));
  });
}

function* inBatches(segments: readonly FoundSegment[]): Generator<FoundSegment[]> {
  let batch: FoundSegment[] = [];
  let bytes = 0;
  for (const segment of segments) {
    // One that says that it is larger is refused when it is read.
    const size = Math.min(segment.sizeBytes, maxParcelBytes);
    if (batch.length > 0 && (batch.length >= getSegments || bytes + size > getBytes)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(segment);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

/** What is received of one stretch of changes, or with one bundle. */
export class Received {
  private readonly options: Pick<PullOptions, 'archive' | 'nowMs'>;
  private readonly files = new Map<string, { machine: Machine; root: ArchiveRoot; paths: Set<string> }>();
  private readonly facts = new Map<string, Record<string, RepositoryFacts>>();
  private readonly folders = new Set<string>();

  constructor(options: Pick<PullOptions, 'archive' | 'nowMs'>) {
    this.options = options;
  }

  /** What was checked. */
  async add(machine: Machine, parcel: ReceivedParcel): Promise<void> {
    const { archive, nowMs } = this.options;
    const { agent, session, cwd, remote, branch, commit } = parcel;
    const root = toArchiveRoot(archive, machine.key, agent, parcel.root);
    const place = toPlace(root, parcel.path);
    // A clock that is ahead must not make a session the newest for a year.
    const modifiedAtMs = Math.min(Math.max(0, parcel.modifiedAtMs), nowMs);
    await putInPlace(await prepareFile(`${place.folder}/${parcel.name}`, parcel.packed, modifiedAtMs));
    this.folders.add(place.folder);
    const file = this.files.get(root.folder) ?? { machine, root, paths: new Set() };
    this.files.set(root.folder, file);
    file.paths.add(parcel.path);
    const ofMachine = this.facts.get(machine.key) ?? {};
    this.facts.set(machine.key, ofMachine);
    ofMachine[`${agent} ${session}`] = { cwd, remote, branch, commit };
  }

  async finish(machines: readonly Machine[]): Promise<ReceivedFile[]> {
    for (const machine of machines)
      await saveMachine(this.options.archive, machine, this.facts.get(machine.key) ?? {});
    for (const folder of this.folders) await syncFolder(folder);
    return [...this.files.values()].map((file) => ({ ...file, paths: [...file.paths] }));
  }
}

interface MachineFile {
  readonly name: string;
  readonly owner: string | null;
  readonly sessions: Readonly<Record<string, RepositoryFacts>>;
}

const toMachinePath = (archive: string, key: string) => `${archive}/${key}/.machine.json`;

/** What the archive knows of the machine whose folder this is; null where no hub has brought it. */
export function readMachine(archive: string, key: string): MachineFile | null {
  try {
    const found = JSON.parse(readForeignFile(toMachinePath(archive, key)).toString()) as Partial<MachineFile>;
    const { name, owner = null, sessions = {} } = found;
    return typeof name === 'string' ? { name, owner, sessions } : null;
  } catch {
    return null;
  }
}

export function listMachines(archive: string): Machine[] {
  let names: string[] = [];
  try {
    names = readdirSync(archive);
  } catch {
    // There is no archive yet.
  }
  return names.flatMap((key) => {
    const found = readMachine(archive, key);
    return found === null ? [] : [{ key, name: found.name, owner: found.owner }];
  });
}

/** Of sessions that were forgotten nothing is left, and no machine that had only one that was handed on. */
export async function dropFacts(
  archive: string,
  isForgotten: (agent: string, session: string) => boolean,
): Promise<void> {
  for (const { key, ...machine } of listMachines(archive)) {
    const before = Object.entries(readMachine(archive, key)?.sessions ?? {});
    const kept = before.filter(([name]) => {
      const [agent = '', ...session] = name.split(' ');
      return !isForgotten(agent, session.join(' '));
    });
    if (kept.length === before.length) continue;
    if (kept.length === 0 && key.startsWith(importedPrefix))
      rmSync(`${archive}/${key}`, { recursive: true, force: true });
    else await writeMachine(archive, key, { ...machine, sessions: Object.fromEntries(kept) });
  }
}

export async function saveMachine(
  archive: string,
  { key, name, owner }: Machine,
  facts: MachineFile['sessions'],
): Promise<void> {
  const before = readMachine(archive, key);
  const isSame = before?.name === name && before.owner === owner && Object.keys(facts).length === 0;
  if (isSame) return;
  await writeMachine(archive, key, { name, owner, sessions: { ...before?.sessions, ...facts } });
}

async function writeMachine(archive: string, key: string, file: MachineFile): Promise<void> {
  await putInPlace(await prepareFile(toMachinePath(archive, key), Buffer.from(JSON.stringify(file)), 0));
}
