// A new file beside the one whose place it is to take, so that a reader finds the old one or the new one and never a
// part. Its name is nobody else's, and only its owner may read it.

import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Of the other's name, to tell whose it was should it be left behind; names have a longest length. */
const maxNameChars = 60;

export class FileBeside {
  readonly file: number;
  private readonly target: string;
  private readonly path: string;
  private isOpen = true;

  constructor(target: string) {
    const name = `.${basename(target).slice(0, maxNameChars)}.recall-${randomBytes(6).toString('hex')}`;
    this.target = target;
    this.path = join(dirname(target), name);
    this.file = openSync(this.path, 'wx', 0o600);
  }

  /** Down to the disk. */
  end(): void {
    fsyncSync(this.file);
    this.close();
  }

  putInPlace(): void {
    renameSync(this.path, this.target);
    syncFolder(dirname(this.target));
  }

  /** Nothing is left of it, unless it was put in place. */
  discard(): void {
    this.close();
    rmSync(this.path, { force: true });
  }

  private close(): void {
    if (this.isOpen) closeSync(this.file);
    this.isOpen = false;
  }
}

/** So that the new name outlives a power cut; not every system lets a folder be opened. */
function syncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch {}
}
