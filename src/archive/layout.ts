// The archive on disk: <machine>/<agent>@<root>/<path of the file in its root>, each file as one or more segments. Their names
// are the catalogue, there is no other: a name says which bytes of the file a segment holds and how to check them. Names
// that are not the archive's are ignored. Nothing here opens a file.

import { accessSync, constants, type Dirent, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { toReason, UserError } from '../errors.ts';
import { type AgentName, agents, type FailedFile } from '../records.ts';

/** A root of an agent, on some machine, of which the archive has copies. */
export interface ArchiveRoot {
  readonly machine: string;
  readonly agent: AgentName;
  /** The folder that was archived, as it was named on that machine. */
  readonly path: string;
  readonly folder: string;
}

export interface CopyPlace {
  readonly root: ArchiveRoot;
  /** Of the file, relative to its root, with forward slashes. */
  readonly path: string;
  readonly folder: string;
  /** What the names of its segments start with. */
  readonly stem: string;
}

export interface Copy extends CopyPlace {
  readonly segments: readonly Segment[];
  /** The newest first. */
  readonly versions: readonly Version[];
  /** Segments whose bytes others hold too, or that a killed run left of a version that it did not finish. */
  readonly leftovers: readonly Segment[];
  /** How large the file was each time its copy was pruned. */
  readonly prunedBytes: readonly number[];
}

/** All of it is read for a single line, so not more; brotli looks back 4 MB, so more would hardly be packed more tightly. */
export const segmentBytes = 8 * 1024 * 1024;

/** Nothing that recall has written is packed more tightly; what says so would take much time and memory to unpack. */
export const maxRatio = 200;
const harmlessBytes = 64 * 1024;

/** Why a segment cannot be what its name says; null where it can. */
export function findImplausible({ from, to }: Segment, packedBytes: number): string | null {
  if (to - from > segmentBytes) return `it is said to hold more than ${segmentBytes / 1024 / 1024} MB`;
  const isBomb = to - from > Math.max(harmlessBytes, maxRatio * packedBytes);
  return isBomb ? `it is said to hold more than ${maxRatio} times its size` : null;
}

/** A stretch of one version of a file: one complete brotli stream, never changed once it has its name. */
export interface Segment {
  readonly name: string;
  /** Counts the versions of a file: one that was rewritten, rather than added to, starts the next. */
  readonly version: number;
  /** The bytes of the file that it holds, `to` not among them. */
  readonly from: number;
  readonly to: number;
  /** Of what it holds: the first 16 digits of its SHA-256. */
  readonly checksum: string;
  /** Of the file from its start to `to`, as it was on disk, to see later whether it has only grown. */
  readonly fingerprint: string;
  /** The version of the rules by which secrets were taken out, without moving any other byte; 0 where they are still in it. */
  readonly redactionVersion: number;
}

export interface Version {
  readonly version: number;
  /** In order. One may start before the end of the one before, but reaches further. */
  readonly segments: readonly Segment[];
  readonly sizeBytes: number;
  /** Bytes that no segment holds: something was lost from the archive. */
  readonly holes: readonly { readonly from: number; readonly to: number }[];
}

export function toArchiveRoot(archive: string, machine: string, agent: AgentName, path: string): ArchiveRoot {
  const names = [...encodeName(machine), ...encodeName(`${agent}@${path}`)];
  return { machine, agent, path, folder: `${archive}/${names.join('/')}` };
}

export function readArchiveRoots(archive: string): ArchiveRoot[] {
  return listFolder(archive).folders.flatMap(({ name: machine, folder: ofMachine }) =>
    listFolder(ofMachine).folders.flatMap(({ name, folder }) => {
      const agent = agents.find((each) => name.startsWith(`${each}@`));
      return agent === undefined ? [] : [{ machine, agent, path: name.slice(agent.length + 1), folder }];
    }),
  );
}

/** A file in the root itself may be named as one in `.`, which is the name of no file. */
export function toNames(path: string): string[] {
  return path.replace(/^\.\//, '').split('/');
}

export function toPlace(root: ArchiveRoot, path: string): CopyPlace {
  const parts = toNames(path).flatMap(encodeName);
  const stem = parts.pop() ?? '';
  return { root, path, folder: [root.folder, ...parts].join('/'), stem };
}

/** Every copy of a root, or of a folder of it. */
export function* eachCopy(root: ArchiveRoot, path = '', options: ListOptions = {}): Generator<Copy> {
  const parts = path === '' ? [] : path.split('/').flatMap(encodeName);
  const { files, folders } = listFolder([root.folder, ...parts].join('/'), options);
  const toPath = (name: string) => (path === '' ? name : `${path}/${name}`);
  for (const { name, names, ...place } of files)
    if (isPlainName(name)) yield toCopy({ root, path: toPath(name), ...place }, names);
  for (const { name } of folders) if (isPlainName(name)) yield* eachCopy(root, toPath(name), options);
}

/** A name from the archive becomes a path to write to, so it must not lead anywhere else. */
export function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name);
}

/** Finds copies by the files' places, and lists each folder once: a project may have thousands of sessions. */
export class Listings {
  private readonly options: ListOptions;
  private readonly folders = new Map<string, Map<string, CopyName[]>>();

  constructor(options: ListOptions = {}) {
    this.options = options;
  }

  find(place: CopyPlace): Copy {
    const { folder, stem } = place;
    let names = this.folders.get(folder);
    if (names === undefined) {
      names = readNames(folder, this.options).files;
      this.folders.set(folder, names);
    }
    return toCopy(place, names.get(stem) ?? []);
  }
}

/** Finds copies of transcripts: on this machine first, then on any other whose archive was copied here. */
export class TranscriptCopies {
  private readonly archive: string;
  private readonly machine: string;
  private readonly listings = new Listings();
  private roots: readonly ArchiveRoot[] | null = null;

  constructor(archive: string, machine: string) {
    this.archive = archive;
    this.machine = machine;
  }

  /** Of the first of these paths, relative to the root, of which there is one. */
  find(
    agent: AgentName,
    rootPath: string,
    paths: readonly string[],
    of: string | null = this.machine,
  ): Copy | null {
    this.roots ??= readArchiveRoots(this.archive);
    const closeness = ({ machine, path }: ArchiveRoot) =>
      Number(machine === (of ?? this.machine)) + Number(path === rootPath) * 2;
    const roots = this.roots.filter((root) => root.agent === agent);
    for (const root of roots.sort((a, b) => closeness(b) - closeness(a)))
      for (const path of paths) {
        const copy = this.listings.find(toPlace(root, path));
        if (copy.versions.length > 0) return copy;
      }
    return null;
  }
}

function toCopy(place: CopyPlace, names: readonly CopyName[]): Copy {
  const segments = names.flatMap(({ segment }) => segment ?? []);
  const prunedBytes = names.flatMap((name) => name.prunedBytes ?? []);
  // One that cannot be what its name says must not hide those that are.
  const plausible = segments.filter(({ from, to }) => to - from <= segmentBytes);
  return { ...place, segments, ...findVersions(plausible.length > 0 ? plausible : segments), prunedBytes };
}

/**
 * A further version is put in place with its start last, so one without a start is not finished; the older one counts. The
 * first version is put in place from its start, so that what a killed run has kept of it counts.
 */
function findVersions(segments: readonly Segment[]): Pick<Copy, 'versions' | 'leftovers'> {
  const all = [...groupBy(segments, ({ version }) => version)].sort(([a], [b]) => b - a);
  const finished = all.filter(([, own]) => own.some(({ from }) => from === 0));
  const chosen = finished.length > 0 ? finished : all.slice(-1);
  const versions = chosen.map(([version, own]) => toVersion(version, own));
  const needed = new Set(versions.flatMap((each) => each.segments));
  return { versions, leftovers: segments.filter((segment) => !needed.has(segment)) };
}

/** From each place on, the segment that reaches furthest: a merged one before those that it replaces. */
function toVersion(version: number, own: readonly Segment[]): Version {
  const sorted = own.toSorted(
    (a, b) => a.from - b.from || b.to - a.to || b.redactionVersion - a.redactionVersion,
  );
  const segments: Segment[] = [];
  const holes: { from: number; to: number }[] = [];
  let end = 0;
  for (const segment of sorted) {
    if (segment.to <= end) continue;
    if (segment.from > end) holes.push({ from: end, to: segment.from });
    segments.push(segment);
    end = segment.to;
  }
  return { version, segments, sizeBytes: end, holes };
}

interface Listed {
  readonly files: { name: string; folder: string; stem: string; names: readonly CopyName[] }[];
  readonly folders: { name: string; folder: string }[];
}

/** Files and folders by their own names. `parts` are the folders into which a long name is divided, as far as the walk has come. */
function listFolder(folder: string, options: ListOptions = {}, parts: readonly string[] = []): Listed {
  const found = readNames(folder, options);
  const listed: Listed = { files: [], folders: [] };
  for (const [stem, names] of found.files) {
    const name = decodeName([...parts, stem]);
    if (name !== null) listed.files.push({ name, folder, stem, names });
  }
  for (const part of found.folders) {
    const below = `${folder}/${part}`;
    if (part.endsWith('%')) {
      const { files, folders } = listFolder(below, options, [...parts, part]);
      listed.files.push(...files);
      listed.folders.push(...folders);
    } else {
      const name = decodeName([...parts, part]);
      if (name !== null) listed.folders.push({ name, folder: below });
    }
  }
  return listed;
}

interface ListOptions {
  /** What a killed run left half-written is deleted, for a caller who is the only one that writes. */
  readonly isCleaning?: boolean;
}

function readNames(folder: string, { isCleaning = false }: ListOptions) {
  const names: CopyName[] = [];
  const folders: string[] = [];
  for (const entry of readEntries(folder)) {
    if (isCleaning && entry.name.startsWith(temporaryPrefix))
      rmSync(`${folder}/${entry.name}`, { force: true });
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) folders.push(entry.name);
    const name = entry.isFile() ? parseCopyName(entry.name) : null;
    if (name !== null) names.push(name);
  }
  return { files: groupBy(names, ({ stem }) => stem), folders };
}

function groupBy<T, K>(values: readonly T[], toKey: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) {
    const group = groups.get(toKey(value));
    if (group === undefined) groups.set(toKey(value), [value]);
    else group.push(value);
  }
  return groups;
}

function readEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw new UserError(`${folder} cannot be read: ${toReason(error)}`, {
      code: 'archive-unreadable',
      hint: 'fix the permissions, or name another archive with --archive <dir>',
      cause: error,
    });
  }
}

/** What keeps an archive that is there from being read or written; null where nothing does. */
export function findArchiveObstacle(archive: string): (FailedFile & { readonly isReadable: boolean }) | null {
  if (!existsSync(archive)) return null;
  if (!statSync(archive).isDirectory()) return { path: archive, reason: 'not a directory', isReadable: true };
  const { R_OK, W_OK, X_OK } = constants;
  const readable = findDenied([archive], R_OK | X_OK);
  if (readable !== null) return { ...readable, isReadable: false };
  const writable = findDenied([archive, ...readArchiveRoots(archive).map(({ folder }) => folder)], W_OK);
  return writable === null ? null : { ...writable, isReadable: true };
}

function findDenied(folders: readonly string[], mode: number): FailedFile | null {
  for (const path of folders) {
    try {
      accessSync(path, mode);
    } catch (error) {
      return { path, reason: toReason(error) };
    }
  }
  return null;
}

const offsetDigits = 12;
const segmentPattern = /^(.+)\.(\d+)\.(\d{12,})-(\d{12,})\.([0-9a-f]{16})\.([0-9a-f]{16})(?:\.r(\d*))?\.br$/;
const prunedPattern = /^(.+)\.(\d+)\.pruned$/;

export const temporaryPrefix = '.new-';

/** Offsets are padded, so that the order of names is the order of bytes. */
export function formatSegmentName(stem: string, segment: Omit<Segment, 'name'>): string {
  const [from, to] = [segment.from, segment.to].map((offset) => String(offset).padStart(offsetDigits, '0'));
  const { version, checksum, fingerprint, redactionVersion } = segment;
  const redacted = redactionVersion === 0 ? '' : `.r${redactionVersion === 1 ? '' : redactionVersion}`;
  return `${stem}.${version}.${from}-${to}.${checksum}.${fingerprint}${redacted}.br`;
}

export function formatPrunedName(stem: string, sizeBytes: number): string {
  return `${stem}.${sizeBytes}.pruned`;
}

interface CopyName {
  readonly stem: string;
  readonly segment: Segment | null;
  readonly prunedBytes: number | null;
}

export function parseCopyName(name: string): CopyName | null {
  const [, stem, version, from, to, checksum = '', fingerprint = '', redacted] =
    segmentPattern.exec(name) ?? [];
  if (stem !== undefined) {
    const range = { version: Number(version), from: Number(from), to: Number(to) };
    const redactionVersion = redacted === undefined ? 0 : Number(redacted || 1);
    const segment = { name, ...range, checksum, fingerprint, redactionVersion };
    return segment.to > segment.from && segment.version > 0 ? { stem, segment, prunedBytes: null } : null;
  }
  const [, pruned, bytes] = prunedPattern.exec(name) ?? [];
  return pruned === undefined ? null : { stem: pruned, segment: null, prunedBytes: Number(bytes) };
}

/** What a segment's name adds to that of its file stays below a hundred characters; names have at most 255 bytes. */
const maxStemChars = 150;

/**
 * A name as every file system can hold it, which can be turned back: letters, digits, `.`, `_`, `@` and `-` as they are, `+` for a
 * slash, `%E4` for any other byte. One that is too long is divided into folders; those end with `%`, which no whole name does.
 */
export function encodeName(name: string): string[] {
  let encoded = '';
  for (const byte of Buffer.from(name)) {
    const character = String.fromCharCode(byte);
    if (/[\w.@-]/.test(character)) encoded += character;
    else if (character === '/') encoded += '+';
    else encoded += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  // Windows drops a dot at the end, `.` and `..` are not names, and what starts with a dot is the archive's own.
  encoded = encoded.replace(/^\.|\.$/g, '%2E');
  const parts: string[] = [];
  while (encoded.length > maxStemChars) {
    parts.push(`${encoded.slice(0, maxStemChars - 1)}%`);
    encoded = encoded.slice(maxStemChars - 1).replace(/^\./, '%2E');
  }
  return [...parts, encoded];
}

export function decodeName(parts: readonly string[]): string | null {
  const encoded = parts.map((part, i) => (i < parts.length - 1 ? part.slice(0, -1) : part)).join('');
  if (!/^(?:[\w.@+-]|%[0-9A-F]{2})+$/.test(encoded)) return null;
  const bytes = encoded
    .replaceAll('+', '/')
    .replace(/%(..)/g, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Starts the name of a file in the archive that says that copies are to be deleted. */
export const markPrefix = '.forgotten-';

export function hasMarks(archive: string): boolean {
  try {
    return readdirSync(archive).some((name) => name.startsWith(markPrefix));
  } catch {
    return false;
  }
}
