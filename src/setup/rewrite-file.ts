// Replaces the text of a file so that a reader always finds either the old text or the new one, never a part. Claude Code
// writes these files too, at any time: what it wrote between our read and our write is not lost.

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { toReason, UserError } from '../errors.ts';
import { readForeignFile } from '../open-file.ts';

const maxTries = 10;

export function readText(path: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readForeignFile(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    const reason = error instanceof TypeError ? 'it is not UTF-8' : toReason(error);
    throw new UserError(`${path} cannot be read: ${reason}`, { code: 'bad-settings', cause: error });
  }
}

/**
 * 1. Reads the file, or the target of a link, and makes the new text.
 * 2. Writes it to a new file next to it, with the same permissions and owner, and flushes it to the disk.
 * 3. If the old file has changed since it was read, starts again.
 * 4. Renames the new file over the old one.
 */
export function rewriteFile(path: string, edit: (text: string | null) => string): void {
  const target = followLink(path);
  for (let tries = 1; ; tries++) {
    const before = statSync(target, { throwIfNoEntry: false });
    const after = edit(readText(target));
    let beside: FileBeside | null = null;
    try {
      beside = new FileBeside(target);
      writeFileSync(beside.file, after);
      if (before !== undefined) makeLike(beside.file, before);
      beside.end();
      const now = statSync(target, { throwIfNoEntry: false });
      if (before?.ino === now?.ino && before?.size === now?.size && before?.mtimeMs === now?.mtimeMs) {
        beside.putInPlace();
        return;
      }
    } catch (error) {
      throw new UserError(`${path} cannot be written: ${toReason(error)}`, {
        code: 'cannot-write',
        cause: error,
      });
    } finally {
      beside?.discard();
    }
    if (tries === maxTries)
      throw new UserError(`${path} keeps changing`, {
        code: 'cannot-write',
        hint: 'close Claude Code first',
      });
  }
}

/** Settings are often links into a dotfiles folder: the file there is the one to write, even if it does not exist yet. */
function followLink(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    try {
      return resolve(dirname(path), readlinkSync(path));
    } catch {
      return path;
    }
  }
}

/** Settings may contain keys: a new file is readable by its owner only, unless the old one was more open. */
function makeLike(file: number, like: Stats): void {
  try {
    fchownSync(file, like.uid, like.gid);
  } catch (error) {
    // Only root can change the owner; for anyone else it is the right one already.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
  fchmodSync(file, like.mode & 0o7777);
}

/** How much of the other file's name is kept, to show what a leftover belonged to; file names have a maximum length. */
const maxNameChars = 60;

/** A new file next to the one it will replace. Its name is unique, and only its owner can read it. */
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

  end(): void {
    fsyncSync(this.file);
    this.close();
  }

  putInPlace(): void {
    renameSync(this.path, this.target);
    // So that the new name survives a power cut; not every system can open a folder.
    try {
      const folder = openSync(dirname(this.target), 'r');
      try {
        fsyncSync(folder);
      } finally {
        closeSync(folder);
      }
    } catch {}
  }

  discard(): void {
    this.close();
    rmSync(this.path, { force: true });
  }

  private close(): void {
    if (this.isOpen) closeSync(this.file);
    this.isOpen = false;
  }
}
