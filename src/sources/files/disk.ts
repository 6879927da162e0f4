// Asks the file system about the files and folders of one root, and takes note of what it could not be asked about. Links
// are not followed below the stores: a listing leaves them out.

import { type Dirent, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { toReason } from '../../errors.ts';
import type { FileStamp } from '../../records.ts';
import type { Layout, Place } from './layout.ts';

/** Something that was not looked into. Known files below it are neither seen nor gone. */
export interface Obstacle {
  readonly path: string;
  readonly reason: string;
  readonly isLink: boolean;
  /** A single file whose name is not UTF-8. */
  readonly isOfName: boolean;
}

/** What of interest is in a folder. */
export interface Names {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly hasLinks: boolean;
}

export class Disk {
  readonly obstacles: Obstacle[] = [];
  /** How often it was asked: looks are what a walk that finds nothing new costs. */
  looks = 0;
  private readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /** Null when it is not there, or cannot be asked about. */
  stampOf(path: string): FileStamp | null {
    this.looks++;
    try {
      return toFileStamp(statSync(`${this.root}/${path}`));
    } catch (error) {
      this.note(path, error);
      return null;
    }
  }

  /** The same, for a path that no listing vouches for. */
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

  readNames<P extends Place>(place: P, layout: Layout<P>): Names | null {
    const files: string[] = [];
    const folders: string[] = [];
    const before = this.obstacles.length;
    try {
      for (const entry of readdirSync(`${this.root}/${place.folder}`, {
        withFileTypes: true,
      }) as Dirent[]) {
        const { name } = entry;
        if (entry.isSymbolicLink()) this.addLink(`${place.folder}/${name}`);
        else if (entry.isDirectory()) {
          if (layout.toPlaceBelow(place, name) !== null) folders.push(name);
        } else if (entry.isFile() && layout.isOfInterest(place, name)) files.push(name);
      }
    } catch (error) {
      this.note(place.folder, error);
      return null;
    }
    return { files, folders, hasLinks: this.obstacles.length > before };
  }

  /**
   * Deleted between the listing and now: simply not there. A name that is not UTF-8 lists but cannot be found again, and
   * is said.
   */
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
