// Replaces the text of a file so that a reader always finds either the old text or the new one, never a part. Claude Code
// writes these files too, at any time: what it wrote between our read and our write is not lost.

import {
  fchmodSync,
  fchownSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { toReason, UserError } from '../errors.ts';
import { FileBeside } from './file-beside.ts';

const maxTries = 10;

/** Null if the file does not exist. */
export function readText(path: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
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
  const target = toTarget(path);
  for (let tries = 1; ; tries++) {
    const before = findStats(target);
    const after = edit(readText(target));
    let beside: FileBeside | null = null;
    try {
      beside = new FileBeside(target);
      writeFileSync(beside.file, after);
      if (before !== undefined) makeLike(beside.file, before);
      beside.end();
      if (isSame(before, findStats(target))) {
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
function toTarget(path: string): string {
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
  keepOwner(file, like);
  fchmodSync(file, like.mode & 0o7777);
}

/** Only root can change the owner; for anyone else it is the right one already. */
function keepOwner(file: number, like: Stats): void {
  try {
    fchownSync(file, like.uid, like.gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

function findStats(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

function isSame(before: Stats | undefined, now: Stats | undefined): boolean {
  return before?.ino === now?.ino && before?.size === now?.size && before?.mtimeMs === now?.mtimeMs;
}
