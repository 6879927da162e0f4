// Finds the files of one root that are new or changed since a snapshot of it, with their stamps; without a snapshot, all
// of them. It looks only where the agent's layout says that conversations are, and goes on past what it cannot read. The
// stores themselves may be links, as people set them up; below them no link is followed.

import { lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { toReason } from '../../errors.ts';
import { type FileStamp, type SidecarFile, type TranscriptFile, unfinishedPrefix } from '../../records.ts';
import type { DiscoverOptions, Discovery, Obstacle, SourceTools } from '../source.ts';
import { type FileLayout, type FilePlace, type Meaning, toSidecarFile, toTranscriptFile } from './layout.ts';
import { type FolderSnapshot, listPathsBelow, toStamp, toStampsByName, unknownStamp } from './snapshot.ts';

type WalkOptions = Omit<DiscoverOptions, keyof SourceTools>;

const lookAtEverything: WalkOptions = {
  known: new Map(),
  trustFolders: false,
  nowMs: 0,
};

export function discoverFiles<P extends FilePlace>(
  root: string,
  layout: FileLayout<P>,
  options: Partial<WalkOptions> = {},
): Discovery {
  const walk = new Walk(root, layout, { ...lookAtEverything, ...options });
  for (const store of layout.stores) walk.visit(store);
  walk.visitRootFiles();
  return walk;
}

/** A folder that was changed less than this before it was read may change again without getting another time. */
const settledAfterMs = 2000;

const rootFolder = '';

class Walk<P extends FilePlace> implements Discovery {
  readonly files: TranscriptFile[] = [];
  readonly sidecars: SidecarFile[] = [];
  readonly missing: string[] = [];
  readonly folders: FolderSnapshot[] = [];
  unchanged = 0;
  private readonly disk: Disk;
  private readonly layout: FileLayout<P>;
  private readonly options: WalkOptions;
  private readonly places: P[] = [];

  constructor(root: string, layout: FileLayout<P>, options: WalkOptions) {
    this.disk = new Disk(root);
    this.layout = layout;
    this.options = options;
  }

  get obstacles(): readonly Obstacle[] {
    return this.disk.obstacles;
  }

  get unfinished(): readonly string[] {
    return this.disk.unfinished;
  }

  visit(place: P): void {
    const known = this.options.known.get(place.folder);
    const found = this.list(place, known);
    if (found === null) {
      this.missing.push(...listPathsBelow(this.options.known, place.folder));
      return;
    }
    this.places.push(place);
    this.folders.push(
      known !== undefined && found.isTrusted
        ? this.lookAgain(place, known)
        : this.lookAtAll(place, found, known),
    );
    const left = new Set(known?.folders ?? []);
    for (const name of found.folders) {
      left.delete(name);
      const below = this.layout.findPlaceBelow(place, name);
      if (below !== null) this.visit(below);
    }
    for (const name of left)
      this.missing.push(...listPathsBelow(this.options.known, `${place.folder}/${name}`));
  }

  /** The files of a folder that holds the same names as before; mostly they are as they were, too. */
  private lookAgain(place: P, known: FolderSnapshot): FolderSnapshot {
    let isSame = true;
    const stamps: number[] = [];
    for (let i = 0; i < known.files.length; i++) {
      const before = known.stamps[i] ?? unknownStamp;
      const stamp = this.look(place, known.files[i] ?? '', before, true);
      if (stamp === before) continue;
      isSame = false;
      if (stamp === null) this.missing.push(`${place.folder}/${known.files[i]}`);
      stamps[i] = stamp ?? unknownStamp;
    }
    return isSame
      ? known
      : { ...known, stamps: Array.from(known.stamps, (before, i) => stamps[i] ?? before) };
  }

  private lookAtAll(place: P, { stamp, files, folders }: Listing, known: FolderSnapshot | undefined) {
    const before = known === undefined ? new Map<string, number>() : toStampsByName(known);
    const kept: string[] = [];
    const stamps: number[] = [];
    for (const name of files) {
      const knownStamp = before.get(name);
      before.delete(name);
      const current = this.look(place, name, knownStamp ?? unknownStamp, false);
      if (current !== null) {
        kept.push(name);
        stamps.push(current);
      } else if (knownStamp !== undefined) this.missing.push(`${place.folder}/${name}`);
    }
    for (const name of before.keys()) this.missing.push(`${place.folder}/${name}`);
    return { path: place.folder, stamp, folders, files: kept, stamps };
  }

  visitRootFiles(): void {
    const { rootFiles = new Map<string, Meaning>() } = this.layout;
    const known = this.options.known.get(rootFolder);
    const before = known === undefined ? new Map<string, number>() : toStampsByName(known);
    const files: string[] = [];
    const stamps: number[] = [];
    for (const [path, meaning] of rootFiles) {
      const found = this.disk.stampOfFile(path);
      if (found === null) {
        if (before.has(path)) this.missing.push(path);
        continue;
      }
      const stamp = toStamp(found);
      files.push(path);
      stamps.push(stamp);
      if (stamp !== before.get(path)) this.take(meaning, found);
      else if (meaning.transcript !== null) this.unchanged++;
    }
    if (files.length > 0)
      this.folders.push({ path: rootFolder, stamp: unknownStamp, folders: [], files, stamps });
  }

  nativeIds(): Set<string> {
    const ids = new Set<string>();
    for (const [i, place] of this.places.entries()) {
      for (const name of this.folders[i]?.files ?? []) {
        const transcript = this.layout.findMeaning(place, name)?.transcript ?? null;
        if (transcript !== null) ids.add(transcript.nativeId);
      }
    }
    return ids;
  }

  /** The names of interest in a folder; null when it is missing or cannot be read. */
  private list(place: P, known: FolderSnapshot | undefined): Listing | null {
    const found = this.disk.stampOf(place.folder);
    if (found === null) return null;
    const stamp = toStamp({ ...found, sizeBytes: 0 });
    if (this.options.trustFolders && known?.stamp === stamp)
      return { isTrusted: true, stamp, files: known.files, folders: known.folders };
    const obstacles = this.obstacles.length;
    const names = this.disk.readNames(place, this.layout);
    if (names === null) return null;
    const hasLinks = this.obstacles.length > obstacles;
    const isSettled = !hasLinks && found.mtimeMs < this.options.nowMs - settledAfterMs;
    return { isTrusted: false, stamp: isSettled ? stamp : unknownStamp, ...names };
  }

  /** The file's stamp now, null when it is not there; a file that is not as it was is taken up. */
  private look(place: P, name: string, knownStamp: number, isTrusted: boolean): number | null {
    if (isTrusted && knownStamp !== unknownStamp && this.layout.isWrittenOnce?.(place, name)) {
      if (this.layout.isTranscript(name)) this.unchanged++;
      return knownStamp;
    }
    const stamp = this.disk.stampOf(`${place.folder}/${name}`);
    const current = stamp === null ? null : toStamp(stamp);
    if (stamp === null || current === null) return null;
    if (current === knownStamp) {
      if (this.layout.isTranscript(name)) this.unchanged++;
      return current;
    }
    this.take(this.layout.findMeaning(place, name), stamp);
    return current;
  }

  private take(meaning: Meaning | null, stamp: FileStamp): void {
    const { transcript = null, sidecar = null } = meaning ?? {};
    if (transcript !== null) this.files.push(toTranscriptFile(transcript, stamp));
    if (sidecar !== null) this.sidecars.push(toSidecarFile(sidecar, stamp));
  }
}

type FolderNames = Pick<FolderSnapshot, 'files' | 'folders'>;

interface Listing extends FolderNames {
  /** The names are those of the snapshot, in the same order. */
  readonly isTrusted: boolean;
  readonly stamp: number;
}

class Disk {
  readonly obstacles: Obstacle[] = [];
  readonly unfinished: string[] = [];
  private readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /** Null when it is not there, or cannot be asked about. */
  stampOf(path: string): FileStamp | null {
    try {
      return toFileStamp(statSync(`${this.root}/${path}`));
    } catch (error) {
      this.note(path, error);
      return null;
    }
  }

  /** The same for a path that was not listed, and so may be a link or a folder. */
  stampOfFile(path: string): FileStamp | null {
    try {
      const stat = lstatSync(`${this.root}/${path}`);
      if (stat.isSymbolicLink()) this.addLink(path);
      return stat.isFile() ? toFileStamp(stat) : null;
    } catch (error) {
      this.note(path, error);
      return null;
    }
  }

  readNames<P extends FilePlace>(place: P, layout: FileLayout<P>): FolderNames | null {
    const files: string[] = [];
    const folders: string[] = [];
    try {
      for (const entry of readdirSync(`${this.root}/${place.folder}`, { withFileTypes: true })) {
        const { name } = entry;
        if (entry.isSymbolicLink()) this.addLink(`${place.folder}/${name}`);
        else if (entry.isDirectory()) {
          if (layout.findPlaceBelow(place, name) !== null) folders.push(name);
        } else if (entry.isFile()) {
          if (layout.findMeaning(place, name) !== null) files.push(name);
          else if (name.startsWith(unfinishedPrefix)) this.unfinished.push(`${place.folder}/${name}`);
        }
      }
    } catch (error) {
      this.note(place.folder, error);
      return null;
    }
    return { files, folders };
  }

  /** Deleted since it was listed: simply not there. A name that is not UTF-8 lists but cannot be found again, and is said. */
  private note(path: string, error: unknown): void {
    const isOfName = isMissing(error) && path.includes('\uFFFD');
    if (!isMissing(error) || isOfName)
      this.obstacles.push({ path, reason: toReason(error), isLink: false, isOfName });
  }

  private addLink(path: string): void {
    this.obstacles.push({ path, reason: 'symbolic link, not followed', isLink: true, isOfName: false });
  }
}

function toFileStamp({ size, mtimeMs, ctimeMs, ino }: Stats): FileStamp {
  return { sizeBytes: size, mtimeMs, ctimeMs, inode: ino };
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
