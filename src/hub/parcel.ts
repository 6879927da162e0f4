// A segment as it travels: one line of JSON that says what it is, then its packed bytes. A private one is sealed as a whole, one
// for the team is redacted. What arrives is not trusted until its name, its sizes and its checksum agree with one another.

import { brotliDecompressSync } from 'node:zlib';
import {
  type ArchiveRoot,
  findImplausible,
  isPlainName,
  parseCopyName,
  type Segment,
  segmentBytes,
  toNames,
  toPlace,
} from '../archive/layout.ts';
import { toChecksum } from '../archive/segments.ts';
import { type AgentName, agents } from '../records.ts';
import { getSource } from '../sources/index.ts';
import type { FoundSegment } from './carrier.ts';
import type { HubKey } from './hub-key.ts';

export interface Parcel extends RepositoryFacts {
  readonly agent: AgentName;
  /** The session that it belongs to, as paths name it. */
  readonly session: string;
  /** Of the agent's folder on the machine that sent it, and of the file in it. */
  readonly root: string;
  readonly path: string;
  /** Of the segment, as the archive has it. */
  readonly name: string;
  readonly modifiedAtMs: number;
  readonly packed: Buffer;
}

/** Where a session was worked on, as far as that was known when it was sent. */
export interface RepositoryFacts {
  readonly cwd: string | null;
  readonly remote: string | null;
  readonly branch: string | null;
  readonly commit: string | null;
}

type Placed = Pick<Parcel, 'agent' | 'session' | 'root' | 'path'>;

export function toSessionName(key: HubKey, { agent, session }: Pick<Parcel, 'agent' | 'session'>): string {
  return key.toName('session', agent, session);
}

export function toPathName(key: HubKey, { agent, root, path }: Placed): string {
  return key.toName('path', agent, root, path);
}

/** Which bytes of the file it holds is not hidden: who has the sealed bytes sees their number anyway. */
export function toSegmentName(key: HubKey, machine: string, placed: Placed, segment: Segment): string {
  const { agent, session, root, path } = placed;
  const { version, from, to } = segment;
  return `${key.toName('segment', machine, agent, session, root, path, segment.name)}.${version}.${from}-${to}`;
}

const sealedName = /^[0-9a-f]{32}\.(\d{1,9})\.(\d{1,15})-(\d{1,15})$/;

/** Whether the segment of this name holds nothing that the other does not. */
export function isCovered(sealed: string, { version, from, to }: Segment): boolean {
  const [, ...numbers] = sealedName.exec(sealed) ?? [];
  const [ofVersion = -1, start = 0, end = 0] = numbers.map(Number);
  return ofVersion === version && start >= from && end <= to;
}

export function writeParcel({ packed, ...header }: Parcel): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), packed]);
}

const newline = 10;
const maxHeaderBytes = 64 * 1024;
/** With what sealing adds: 16 bytes to every 64 kB, and a head. */
export const maxParcelBytes = 2 * segmentBytes + maxHeaderBytes + 16 * 1024;

/** Why it is not what it should be. */
export class BadParcel extends Error {}

export interface ReceivedParcel extends Parcel {
  readonly segment: Segment;
}

/** Everything is checked but whether it was asked for. `key` is null for what a team shares. */
export async function readParcel(
  found: FoundSegment,
  bytes: Buffer,
  key: HubKey | null,
  toRoot: (agent: AgentName, path: string) => ArchiveRoot,
): Promise<ReceivedParcel> {
  if (bytes.length > maxParcelBytes) throw new BadParcel('it is larger than any part of a transcript');
  let opened = bytes;
  if (key !== null)
    try {
      opened = await key.open(bytes);
    } catch {
      throw new BadParcel('it cannot be opened with your key, or was changed');
    }
  const parcel = checkNames(parseParcel(opened), toRoot);
  const { agent, segment } = parcel;
  if (key === null) {
    if (segment.redactionVersion === 0) throw new BadParcel('it is not redacted');
    if (found.session !== parcel.session || found.agent !== agent)
      throw new BadParcel('it is of another session');
  } else if (
    found.session !== toSessionName(key, parcel) ||
    found.name !== toSegmentName(key, found.machine, parcel, segment)
  )
    throw new BadParcel('it is not the part that its name says');
  unpackChecked(parcel);
  return parcel;
}

function parseParcel(bytes: Buffer): Parcel {
  const end = bytes.subarray(0, maxHeaderBytes).indexOf(newline);
  let header: unknown = null;
  try {
    header = end < 0 ? null : JSON.parse(bytes.subarray(0, end).toString());
  } catch {}
  return parseHeader(header, bytes.subarray(end + 1));
}

/** Of the types that it should have, and without a name that leads elsewhere. */
export function parseHeader(value: unknown, packed: Buffer): Parcel {
  const header = (value ?? {}) as Partial<Record<keyof Parcel, unknown>>;
  const { agent, session, root, path, name, modifiedAtMs } = header;
  const known = agents.find((each) => each === agent);
  if (known === undefined || !isText(session) || !isText(root) || !isText(path) || !isText(name))
    throw new BadParcel('it does not say what it is');
  if (!toNames(path).every(isPlainName) || !isPlainName(name) || typeof modifiedAtMs !== 'number')
    throw new BadParcel('it would be written outside its folder');
  const fact = (given: unknown) => (isText(given) ? given : null);
  const { cwd, remote, branch, commit } = header;
  const facts = { cwd: fact(cwd), remote: fact(remote), branch: fact(branch), commit: fact(commit) };
  return { agent: known, session, root, path, name, modifiedAtMs, ...facts, packed };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length < 5000 && !value.includes('\0');
}

/** What its name says of a part agrees with its file, and the file with its session. */
export function checkNames(
  parcel: Parcel,
  toRoot: (agent: AgentName, path: string) => ArchiveRoot,
): ReceivedParcel {
  const { agent, root, path, name, session } = parcel;
  const { stem } = toPlace(toRoot(agent, root), path);
  const parsed = parseCopyName(name);
  const segment = parsed?.segment ?? null;
  if (segment === null || parsed?.stem !== stem) throw new BadParcel('its name is not that of its file');
  if (getSource(agent).files?.findOwner(path) !== session)
    throw new BadParcel('its file is not one of its session');
  return { ...parcel, segment };
}

/** What it holds; throws where that is not what its name says. */
export function unpackChecked({ segment, packed }: ReceivedParcel): Buffer {
  const { from, to, checksum } = segment;
  const implausible = findImplausible(segment, packed.length);
  if (implausible !== null) throw new BadParcel(implausible);
  let content: Buffer;
  try {
    content = brotliDecompressSync(packed, { maxOutputLength: Math.max(1, to - from) });
  } catch {
    throw new BadParcel('it cannot be unpacked');
  }
  if (content.length !== to - from || toChecksum(content) !== checksum)
    throw new BadParcel('the content does not match its checksum');
  return content;
}
