// A bundle: one session as a file that a person hands on. A plain tar, so that everybody can look into it: the parts of its files
// as the archive has them (each a brotli stream), manifest.json, which says what they are, and SHA256SUMS over all of it.
// Written by hand, since what is read must be exactly what is written here: a library would do the writing in as many lines, and
// leave all of the checking.
// What arrives is not trusted: nothing in it becomes a path but through the checks of a parcel.

import { createHash } from 'node:crypto';
import { closeSync, fstatSync, readSync } from 'node:fs';
import { type ArchiveRoot, formatSegmentName, toArchiveRoot, toPlace } from '../archive/layout.ts';
import { pack, toChecksum } from '../archive/segments.ts';
import { type AgentName, agents, type LabelEntry } from '../records.ts';
import { getSource } from '../sources/index.ts';
import {
  BadParcel,
  checkNames,
  maxParcelBytes,
  parseHeader,
  type ReceivedParcel,
  type RepositoryFacts,
  unpackChecked,
} from './parcel.ts';

export interface Manifest extends RepositoryFacts {
  /** Rises when a recall that does not know it must not read it. */
  readonly recallBundle: number;
  readonly by: string;
  readonly exportedAt: string;
  readonly agent: AgentName;
  readonly id: string;
  readonly title: string | null;
  /** The first and the last of its messages; null where it is whole. */
  readonly range: readonly [number, number] | null;
  readonly isRedacted: boolean;
  readonly files: readonly BundledFile[];
  readonly labels: readonly LabelEntry[];
}

interface BundledFile {
  readonly path: string;
  readonly modifiedAtMs: number;
  readonly bytes: number;
  readonly lines: number;
  readonly parts: readonly { readonly entry: string; readonly name: string }[];
}

const bundleVersion = 1;

/** In every bundle the same: the archive that takes it in has no use for where an agent kept it. */
const root = '~';

const blockBytes = 512;
const folder = 'recall-session/';
const manifestName = 'manifest.json';
const sumsName = 'SHA256SUMS';

/** The only one that there may be for an entry: what differs from it is a link, a device, or not recall's. */
function toHeader(name: string, sizeBytes: number): Buffer {
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  const fields: [number, string][] = [
    [0, `${folder}${name}`],
    [100, '0000644\0'],
    [108, '0000000\0'],
    [116, '0000000\0'],
    [124, octal(sizeBytes, 11)],
    [136, octal(0, 11)],
    [148, ' '.repeat(8)],
    [156, '0'],
    [257, 'ustar\x0000'],
  ];
  for (const [at, text] of fields) header.write(text, at, 'latin1');
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148, 'latin1');
  return header;
}

const toPadding = (sizeBytes: number) => Buffer.alloc((blockBytes - (sizeBytes % blockBytes)) % blockBytes);

/** Writes a bundle piece by piece; the manifest comes last, when it is known what there is. */
export class BundleWriter {
  private readonly sums: string[] = [];
  private readonly files: BundledFile[] = [];
  private readonly agent: AgentName;
  private readonly redactionVersion: number;

  /** `redactionVersion` is 0 where secrets are still in it. */
  constructor(agent: AgentName, redactionVersion: number) {
    this.agent = agent;
    this.redactionVersion = redactionVersion;
  }

  async *addFile(
    path: string,
    pieces: Iterable<{ readonly from: number; readonly bytes: Buffer }>,
    modifiedAtMs: number,
  ): AsyncGenerator<Buffer> {
    const { stem } = toPlace(toArchiveRoot('', '', this.agent, root), path);
    const parts: BundledFile['parts'][number][] = [];
    let [size, lines] = [0, 0];
    for (const { from, bytes } of pieces) {
      const name = formatSegmentName(stem, {
        ...{ version: 1, from, to: from + bytes.length, checksum: toChecksum(bytes) },
        // Nobody compares it with a file on disk.
        fingerprint: '0'.repeat(16),
        redactionVersion: this.redactionVersion,
      });
      const entry = `${String(this.sums.length + 1).padStart(4, '0')}.br`;
      parts.push({ entry, name });
      size += bytes.length;
      lines += countLines(bytes);
      yield* this.addEntry(entry, await pack(bytes));
    }
    if (parts.length > 0) this.files.push({ path, modifiedAtMs, bytes: size, lines, parts });
  }

  *end(manifest: Omit<Manifest, 'recallBundle' | 'files'>): Generator<Buffer> {
    const all: Manifest = { recallBundle: bundleVersion, ...manifest, files: this.files };
    yield* this.addEntry(manifestName, Buffer.from(`${JSON.stringify(all, null, 1)}\n`));
    yield* this.addEntry(sumsName, Buffer.from(this.sums.join('')));
    yield Buffer.alloc(2 * blockBytes);
  }

  private *addEntry(name: string, bytes: Buffer): Generator<Buffer> {
    this.sums.push(toSumLine(toSum(bytes), name));
    yield Buffer.concat([toHeader(name, bytes.length), bytes, toPadding(bytes.length)]);
  }
}

/** As `sha256sum --check` reads it. */
const toSumLine = (sum: string, name: string) => `${sum}  ${name}\n`;

const toSum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++;
  return lines;
}

/** A bundle that is open: what it says of itself, and its parts, which are checked whenever they are read. */
export class Bundle {
  readonly manifest: Manifest;
  /** Distinguishes it from any other. */
  readonly digest: string;
  private readonly fd: number;
  private readonly entries: ReadonlyMap<string, Entry>;
  private readonly sums: ReadonlyMap<string, string>;

  constructor(fd: number) {
    this.fd = fd;
    this.entries = findEntries(fd);
    const sums = this.entries.get(sumsName);
    const list = sums === undefined || sums.sizeBytes > maxListBytes ? null : readAt(fd, sums);
    if (list === null) throw new BadParcel('it is not complete');
    this.digest = toSum(list);
    this.sums = parseSums(list.toString('latin1'), [...this.entries.keys()]);
    this.manifest = parseManifest(this.read(manifestName, maxListBytes).toString());
  }

  /** All of it, part by part; throws where anything is not what it should be. */
  *parts(toRoot: (agent: AgentName, path: string) => ArchiveRoot): Generator<ReceivedParcel> {
    const { agent, id, isRedacted, files: bundled, cwd, remote, branch, commit } = this.manifest;
    const { files } = getSource(agent);
    const unused = new Set(this.sums.keys());
    unused.delete(manifestName);
    let hasTranscript = false;
    for (const { path, modifiedAtMs, bytes, lines, parts } of bundled) {
      const session = files?.findOwner(path) ?? null;
      if (session === null) throw new BadParcel('it has a file that is of no session');
      hasTranscript ||= files?.findMeaning(path)?.transcript?.nativeId === id;
      let [at, counted] = [0, 0];
      for (const { entry, name } of parts) {
        if (!unused.delete(entry)) throw new BadParcel('a part is missing, or named twice');
        const about = { agent, session, root, path, name, modifiedAtMs, cwd, remote, branch, commit };
        const parcel = checkNames(parseHeader(about, this.read(entry, maxParcelBytes)), toRoot);
        const { from, to, version, redactionVersion } = parcel.segment;
        if (from !== at || version !== 1) throw new BadParcel('its parts do not follow each other');
        if (isRedacted && redactionVersion === 0)
          throw new BadParcel('it says that it is redacted, and is not');
        counted += countLines(unpackChecked(parcel));
        at = to;
        yield parcel;
      }
      if (at !== bytes || counted !== lines) throw new BadParcel('a file is not as long as it says');
    }
    if (unused.size > 0) throw new BadParcel('it has parts that belong to no file');
    if (!hasTranscript) throw new BadParcel('it has no transcript of its session');
  }

  close(): void {
    closeSync(this.fd);
  }

  private read(name: string, maxBytes: number): Buffer {
    const entry = this.entries.get(name);
    if (entry === undefined || entry.sizeBytes > maxBytes) throw new BadParcel('it is not complete');
    const bytes = readAt(this.fd, entry);
    if (toSum(bytes) !== this.sums.get(name)) throw new BadParcel('its checksums do not match');
    return bytes;
  }
}

interface Entry {
  readonly at: number;
  readonly sizeBytes: number;
}

const maxListBytes = 16 * 1024 * 1024;
const maxEntries = 100_000;
const entryName = /^(?:\d{4,6}\.br|manifest\.json|SHA256SUMS)$/;

function findEntries(fd: number): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  const { size } = fstatSync(fd);
  for (let at = 0; entries.size < maxEntries; ) {
    const header = readAt(fd, { at, sizeBytes: blockBytes });
    if (header.every((byte) => byte === 0)) {
      const rest = readAt(fd, { at, sizeBytes: Math.min(size - at, 3 * blockBytes) });
      if (rest.length === 2 * blockBytes && rest.every((byte) => byte === 0)) return entries;
      break;
    }
    const [path = ''] = header.toString('latin1', 0, 100).split('\0');
    const name = path.slice(folder.length);
    const sizeBytes = Number.parseInt(header.toString('latin1', 124, 135), 8);
    if (!entryName.test(name) || entries.has(name) || !toHeader(name, sizeBytes).equals(header)) break;
    at += blockBytes;
    entries.set(name, { at, sizeBytes });
    at += sizeBytes;
    const padding = toPadding(sizeBytes);
    if (!readAt(fd, { at, sizeBytes: padding.length }).equals(padding)) break;
    at += padding.length;
  }
  throw new BadParcel('it is not a file that `recall export` has written, or was changed');
}

function readAt(fd: number, { at, sizeBytes }: Entry): Buffer {
  const { size } = fstatSync(fd);
  if (at + sizeBytes > size) throw new BadParcel('it is not complete');
  const bytes = Buffer.alloc(sizeBytes);
  if (readSync(fd, bytes, 0, sizeBytes, at) < sizeBytes) throw new BadParcel('it is not complete');
  return bytes;
}

/** Of every entry but the list itself, in their order. */
function parseSums(list: string, names: readonly string[]): Map<string, string> {
  const lines = list.split('\n').slice(0, -1);
  const sums = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
  const isExact = list === [...sums].map(([name, sum]) => toSumLine(sum, name)).join('');
  if (!isExact || [...sums.keys(), sumsName].join() !== names.join())
    throw new BadParcel('its checksums do not match');
  return sums;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length < 5000;
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function parseManifest(text: string): Manifest {
  let found: Partial<Record<keyof Manifest, unknown>>;
  try {
    found = JSON.parse(text) ?? {};
  } catch {
    throw new BadParcel('its manifest cannot be read');
  }
  const { recallBundle, by, exportedAt, agent, id, title = null, range = null, isRedacted } = found;
  if (isCount(recallBundle) && recallBundle > bundleVersion)
    throw new BadParcel('it was written by a newer recall: update this one');
  const known = agents.find((each) => each === agent);
  // Without an offset and with a year of four digits: it becomes part of a name.
  const isTime = isText(exportedAt) && /^\d{4}-\d{2}-\d{2}T[\d:.]{8,12}Z$/.test(exportedAt);
  const time = isTime ? Date.parse(exportedAt) : Number.NaN;
  if (
    recallBundle !== bundleVersion ||
    known === undefined ||
    !isText(by) ||
    !isText(id) ||
    id === '' ||
    !(title === null || isText(title)) ||
    Number.isNaN(time)
  )
    throw new BadParcel('its manifest does not say what it is');
  const fact = (value: unknown) => (isText(value) && value !== '' ? value : null);
  return {
    recallBundle,
    by,
    exportedAt: new Date(time).toISOString(),
    agent: known,
    id,
    title,
    range: Array.isArray(range) && range.every(isCount) ? (range as [number, number]) : null,
    isRedacted: isRedacted === true,
    cwd: fact(found.cwd),
    remote: fact(found.remote),
    branch: fact(found.branch),
    commit: fact(found.commit),
    files: toList(found.files).map(parseFile),
    labels: toList(found.labels) as LabelEntry[],
  };
}

function parseFile(value: unknown): BundledFile {
  const { path, modifiedAtMs, bytes, lines, parts } = (value ?? {}) as Record<string, unknown>;
  if (!isText(path) || !isCount(modifiedAtMs) || !isCount(bytes) || !isCount(lines))
    throw new BadParcel('its manifest does not say what it is');
  const named = toList(parts).map((part) => {
    const { entry, name } = (part ?? {}) as Record<string, unknown>;
    if (!isText(entry) || !isText(name)) throw new BadParcel('its manifest does not say what it is');
    return { entry, name };
  });
  return { path, modifiedAtMs, bytes, lines, parts: named };
}

const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
