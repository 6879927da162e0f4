// Finds the files of one Claude root that are new or changed since a snapshot of it, with their stamps; without a
// snapshot, all of them. It looks only where Claude Code keeps conversations and goes on past what it cannot read. The
// stores themselves (`projects` and its like) may be links, as people set them up; below them no link is followed.

import { type Dirent, lstatSync, readdirSync, statSync } from 'node:fs';
import { toReason } from '../errors.ts';
import type { FileStamp, SidecarFile, TranscriptFile } from '../records.ts';
import {
  historyFile,
  isOfInterest,
  isWrittenOnce,
  type Place,
  stores,
  toMeaning,
  toPlaceBelow,
} from './places.ts';
import { type FolderSnapshot, toStamp, unknownStamp } from './snapshot.ts';

/** Something that was not looked into. Known files below it are neither seen nor gone. */
export interface Obstacle {
  readonly path: string;
  readonly reason: string;
  readonly isLink: boolean;
}

export interface Discovery {
  /** Transcripts that are not as the snapshot has them. */
  readonly files: readonly TranscriptFile[];
  readonly sidecars: readonly SidecarFile[];
  readonly obstacles: readonly Obstacle[];
  /** Transcripts that are as they were. */
  readonly unchanged: number;
  /** Paths of the snapshot that are no longer there. */
  readonly missing: readonly string[];
  /** All that was found, for the next snapshot. */
  readonly folders: readonly FolderSnapshot[];
  /** The ids of all transcripts on disk, changed or not. */
  claudeIds(): Set<string>;
}

export interface DiscoverOptions {
  readonly known: ReadonlyMap<string, FolderSnapshot>;
  /** Take a folder that was not touched to hold the same names, instead of reading them again. */
  readonly trustFolders: boolean;
  readonly nowMs: number;
}

/** The names of interest in one folder. */
interface Listing {
  /** They are those of the snapshot, in the same order. */
  readonly isTrusted: boolean;
  readonly stamp: number;
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

const everything: DiscoverOptions = { known: new Map(), trustFolders: false, nowMs: 0 };

export function discover(root: string, options: DiscoverOptions = everything): Discovery {
  const walk = new Walk(root, options);
  for (const store of stores) walk.visit(store);
  walk.visitHistory();
  return walk;
}

/** A folder changed within this time of being read may change again without its time telling. */
const settledAfterMs = 2000;

/** history.jsonl stands in the root itself, of which nothing else is looked at. */
const rootFolder = '';

class Walk implements Discovery {
  readonly files: TranscriptFile[] = [];
  readonly sidecars: SidecarFile[] = [];
  readonly obstacles: Obstacle[] = [];
  readonly missing: string[] = [];
  readonly folders: FolderSnapshot[] = [];
  unchanged = 0;
  private readonly root: string;
  private readonly options: DiscoverOptions;
  private readonly places: Place[] = [];

  constructor(root: string, options: DiscoverOptions) {
    this.root = root;
    this.options = options;
  }

  visit(place: Place): void {
    const known = this.options.known.get(place.folder);
    const found = this.list(place, known);
    if (found === null) {
      if (known !== undefined) this.miss(known);
      return;
    }
    this.places.push(place);
    this.folders.push(
      known !== undefined && found.isTrusted
        ? this.lookAgain(place, known)
        : this.lookAtAll(place, found, known),
    );
    const { folders } = found;
    const left = new Set(known?.folders ?? []);
    for (const name of folders) {
      left.delete(name);
      const below = toPlaceBelow(place, name);
      if (below !== null) this.visit(below);
    }
    for (const name of left) {
      const gone = this.options.known.get(`${place.folder}/${name}`);
      if (gone !== undefined) this.miss(gone);
    }
  }

  /** The files of a folder that holds the same names as before; mostly they are as they were, too. */
  private lookAgain(place: Place, known: FolderSnapshot): FolderSnapshot {
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

  private lookAtAll(
    place: Place,
    { stamp, files, folders }: Listing,
    known: FolderSnapshot | undefined,
  ): FolderSnapshot {
    const before = known === undefined ? null : toStampsByName(known);
    const kept: string[] = [];
    const stamps: number[] = [];
    for (const name of files) {
      const knownStamp = before?.get(name);
      before?.delete(name);
      const current = this.look(place, name, knownStamp ?? unknownStamp, false);
      if (current !== null) {
        kept.push(name);
        stamps.push(current);
      } else if (knownStamp !== undefined) this.missing.push(`${place.folder}/${name}`);
    }
    for (const name of before?.keys() ?? []) this.missing.push(`${place.folder}/${name}`);
    return { path: place.folder, stamp, folders, files: kept, stamps };
  }

  visitHistory(): void {
    const known = this.options.known.get(rootFolder)?.stamps[0];
    const stamp = this.lookAtHistory(known ?? unknownStamp);
    if (stamp !== null) {
      const files = [historyFile.path];
      this.folders.push({ path: rootFolder, stamp: unknownStamp, folders: [], files, stamps: [stamp] });
    } else if (known !== undefined) this.missing.push(historyFile.path);
  }

  claudeIds(): Set<string> {
    const ids = new Set<string>();
    for (const [i, place] of this.places.entries()) {
      for (const name of this.folders[i]?.files ?? []) {
        const { transcript } = toMeaning(place, name);
        if (transcript !== null) ids.add(transcript.claudeId);
      }
    }
    return ids;
  }

  /** The names of interest in a folder; null when it is missing or cannot be read. */
  private list(place: Place, known: FolderSnapshot | undefined): Listing | null {
    const path = `${this.root}/${place.folder}`;
    try {
      const { mtimeMs, ctimeMs, ino } = statSync(path);
      const stamp = toStamp({ sizeBytes: 0, mtimeMs, ctimeMs, inode: ino });
      if (this.options.trustFolders && known?.stamp === stamp) {
        return { isTrusted: true, stamp, files: known.files, folders: known.folders };
      }
      const hasLinks = this.obstacles.length;
      const { files, folders } = this.readNames(place, path);
      const isSettled = mtimeMs < this.options.nowMs - settledAfterMs && hasLinks === this.obstacles.length;
      return { isTrusted: false, stamp: isSettled ? stamp : unknownStamp, files, folders };
    } catch (error) {
      if (!isMissing(error)) this.addObstacle(place.folder, toReason(error));
      return null;
    }
  }

  private readNames(place: Place, path: string): { files: string[]; folders: string[] } {
    const files: string[] = [];
    const folders: string[] = [];
    for (const entry of readdirSync(path, { withFileTypes: true }) as Dirent[]) {
      const { name } = entry;
      if (entry.isSymbolicLink()) this.addLink(`${place.folder}/${name}`);
      else if (entry.isDirectory()) {
        if (toPlaceBelow(place, name) !== null) folders.push(name);
      } else if (entry.isFile() && isOfInterest(place, name)) files.push(name);
    }
    return { files, folders };
  }

  /** The file's stamp now, null when it is not there; a file that is not as it was is taken up. */
  private look(place: Place, name: string, knownStamp: number, isTrusted: boolean): number | null {
    if (isTrusted && knownStamp !== unknownStamp && isWrittenOnce(place, name)) {
      if (name.endsWith('.jsonl')) this.unchanged++;
      return knownStamp;
    }
    const path = `${place.folder}/${name}`;
    const stamp = this.stampOf(path);
    if (stamp === null) return null;
    const current = toStamp(stamp);
    if (current === knownStamp) {
      if (name.endsWith('.jsonl')) this.unchanged++;
      return current;
    }
    const { transcript, sidecar } = toMeaning(place, name);
    if (transcript !== null) this.files.push({ ...transcript, ...stamp });
    if (sidecar !== null) this.sidecars.push({ ...sidecar, ...stamp });
    return current;
  }

  private lookAtHistory(knownStamp: number): number | null {
    try {
      const stat = lstatSync(`${this.root}/${historyFile.path}`);
      if (stat.isSymbolicLink()) this.addLink(historyFile.path);
      if (!stat.isFile()) return null;
      const stamp = { sizeBytes: stat.size, mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs, inode: stat.ino };
      const current = toStamp(stamp);
      if (current === knownStamp) this.unchanged++;
      else this.files.push({ ...historyFile, ...stamp });
      return current;
    } catch (error) {
      if (!isMissing(error)) this.addObstacle(historyFile.path, toReason(error));
      return null;
    }
  }

  private stampOf(path: string): FileStamp | null {
    try {
      const stat = statSync(`${this.root}/${path}`);
      return { sizeBytes: stat.size, mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs, inode: stat.ino };
    } catch (error) {
      // Deleted between the listing and now: simply not there. A name that is not UTF-8 lists but cannot be
      // found again, and is said.
      if (!isMissing(error) || path.includes('\uFFFD')) this.addObstacle(path, toReason(error));
      return null;
    }
  }

  /** All that the snapshot has of a folder that is gone. */
  private miss(folder: FolderSnapshot): void {
    for (const name of folder.files) this.missing.push(`${folder.path}/${name}`);
    for (const name of folder.folders) {
      const below = this.options.known.get(`${folder.path}/${name}`);
      if (below !== undefined) this.miss(below);
    }
  }

  private addLink(path: string): void {
    this.obstacles.push({ path, reason: 'symbolic link, not followed', isLink: true });
  }

  private addObstacle(path: string, reason: string): void {
    this.obstacles.push({ path, reason, isLink: false });
  }
}

function toStampsByName({ files, stamps }: FolderSnapshot): Map<string, number> {
  return new Map(files.map((name, i) => [name, stamps[i] ?? unknownStamp]));
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
