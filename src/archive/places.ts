// Where things are in the archive: <machine>/<agent>@<root>/<path of the file in its root>. Lists folders and finds the
// segments of a file; names that are not the archive's are passed over.

import { type Dirent, readdirSync, rmSync } from 'node:fs';
import { type AgentName, agents } from '../records.ts';
import {
  isTemporary,
  type KeptName,
  parseKeptName,
  parseKeptParts,
  type Segment,
  toKeptParts,
} from './names.ts';

/** A root of an agent, on some machine, of which the archive has something. */
export interface KeptRoot {
  readonly machine: string;
  readonly agent: AgentName;
  /** The folder that was archived, as it was named on that machine. */
  readonly path: string;
  /** Where it is kept. */
  readonly folder: string;
}

export function toKeptRoot(archive: string, machine: string, agent: AgentName, path: string): KeptRoot {
  const names = [...toKeptParts(machine), ...toKeptParts(`${agent}@${path}`)];
  return { machine, agent, path, folder: `${archive}/${names.join('/')}` };
}

/** Every root of which there may be something. */
export function readKeptRoots(archive: string): KeptRoot[] {
  return eachNamed(archive).flatMap(({ name: machine, folder }) =>
    eachNamed(folder).flatMap(({ name, folder: found }) => {
      const agent = agents.find((each) => name.startsWith(`${each}@`));
      return agent === undefined
        ? []
        : [{ machine, agent, path: name.slice(agent.length + 1), folder: found }];
    }),
  );
}

/** Where the segments of a file are. */
export interface Place {
  readonly folder: string;
  /** What their names start with. */
  readonly stem: string;
}

/** A file in the root itself may be named as one in `.`, which is the name of no file. */
export function toNames(path: string): string[] {
  return path.replace(/^\.\//, '').split('/');
}

/** `path` is relative to the root, with forward slashes. */
export function toPlace({ folder }: KeptRoot, path: string): Place {
  const parts = toNames(path).flatMap(toKeptParts);
  const stem = parts.pop() ?? '';
  return { folder: [folder, ...parts].join('/'), stem };
}

export interface KeptFile {
  /** Relative to its root. */
  readonly path: string;
  readonly place: Place;
  readonly segments: readonly Segment[];
  /** How large it was each time it was pruned. */
  readonly prunedBytes: readonly number[];
}

/** Folders are listed once: a project may have thousands of sessions. */
export class Listings {
  private readonly isCleaning: boolean;
  private readonly folders = new Map<string, Map<string, KeptName[]>>();
  private readonly cleaned = new Set<string>();
  /** Files that have changed since their folder was listed. */
  private readonly stale = new Set<string>();

  /** `isCleaning`: what a killed run has left half-written is deleted, for a caller who is the only one that writes. */
  constructor({ isCleaning = false } = {}) {
    this.isCleaning = isCleaning;
  }

  find({ folder, stem }: Place): Pick<KeptFile, 'segments' | 'prunedBytes'> {
    const known = this.stale.delete(`${folder}/${stem}`) ? undefined : this.folders.get(folder);
    const names = known ?? this.read(folder);
    this.folders.set(folder, names);
    return toKept(names.get(stem) ?? []);
  }

  /** Something of it has changed. */
  drop({ folder, stem }: Place): void {
    this.stale.add(`${folder}/${stem}`);
  }

  private read(folder: string): Map<string, KeptName[]> {
    const { files, unfinished } = readNames(folder);
    // Only the first time: after that, they are files that this run is writing.
    if (this.isCleaning && !this.cleaned.has(folder))
      for (const name of unfinished) rmSync(`${folder}/${name}`, { force: true });
    this.cleaned.add(folder);
    return files;
  }
}

export function readSegments(place: Place): readonly Segment[] {
  return new Listings().find(place).segments;
}

/** Every file of a root, or of a folder of it. */
export function* eachKeptFile(root: KeptRoot, path = ''): Generator<KeptFile> {
  const folder =
    path === '' ? root.folder : `${root.folder}/${path.split('/').flatMap(toKeptParts).join('/')}`;
  yield* eachBelow(folder, path, []);
}

/** `parts` are the folders into which a long name is divided, as far as the walk has come. */
function* eachBelow(folder: string, path: string, parts: readonly string[]): Generator<KeptFile> {
  const { files, folders } = readNames(folder);
  const toPath = (name: string) => {
    const whole = parseKeptParts([...parts, name]);
    return whole === null || !isPlainName(whole) ? null : path === '' ? whole : `${path}/${whole}`;
  };
  for (const [stem, names] of files) {
    const found = toPath(stem);
    if (found !== null) yield { path: found, place: { folder, stem }, ...toKept(names) };
  }
  for (const name of folders) {
    if (name.endsWith('%')) yield* eachBelow(`${folder}/${name}`, path, [...parts, name]);
    else {
      const below = toPath(name);
      if (below !== null) yield* eachBelow(`${folder}/${name}`, below, []);
    }
  }
}

/** A name from the archive becomes a path to write to, so it must not lead anywhere else. */
export function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name);
}

function toKept(names: readonly KeptName[]): Pick<KeptFile, 'segments' | 'prunedBytes'> {
  return {
    segments: names.flatMap(({ segment }) => (segment === null ? [] : [segment])),
    prunedBytes: names.flatMap(({ prunedBytes }) => (prunedBytes === null ? [] : [prunedBytes])),
  };
}

interface Names {
  readonly files: Map<string, KeptName[]>;
  readonly folders: string[];
  /** Files that never got their name. */
  readonly unfinished: string[];
}

function readNames(folder: string): Names {
  const files = new Map<string, KeptName[]>();
  const folders: string[] = [];
  const unfinished: string[] = [];
  for (const entry of readEntries(folder)) {
    if (isTemporary(entry.name)) unfinished.push(entry.name);
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) folders.push(entry.name);
    const kept = entry.isFile() ? parseKeptName(entry.name) : null;
    if (kept === null) continue;
    const others = files.get(kept.stem);
    if (others === undefined) files.set(kept.stem, [kept]);
    else others.push(kept);
  }
  return { files, folders, unfinished };
}

/** Folders by the name that they stand for. */
function eachNamed(folder: string, parts: readonly string[] = []): { name: string; folder: string }[] {
  return readNames(folder).folders.flatMap((part) => {
    const below = `${folder}/${part}`;
    if (part.endsWith('%')) return eachNamed(below, [...parts, part]);
    const name = parseKeptParts([...parts, part]);
    return name === null ? [] : [{ name, folder: below }];
  });
}

function readEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}
