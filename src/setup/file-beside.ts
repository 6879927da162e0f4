// A new file next to the one it will replace, so that a reader finds the old one or the new one and never a part of
// one. Its name is unique, and only its owner can read it.

import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** How much of the other file's name is kept, to show what a leftover belonged to; file names have a maximum length. */
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

  /** Flushed to the disk. */
  end(): void {
    fsyncSync(this.file);
    this.close();
  }

  putInPlace(): void {
    renameSync(this.path, this.target);
    syncFolder(dirname(this.target));
  }

  /** Removes it, unless it was put in place. */
  discard(): void {
    this.close();
    rmSync(this.path, { force: true });
  }

  private close(): void {
    if (this.isOpen) closeSync(this.file);
    this.isOpen = false;
  }
}

/** So that the new name survives a power cut; not every system can open a folder. */
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
