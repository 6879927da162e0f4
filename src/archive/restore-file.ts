// Restores a file: what of its copy is written, and how a file that does not exist yet is written below an agent's folder: never
// over another, never through a link, never in part. The only place of recall that writes there, and only on request.

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { basename } from 'node:path';
import { toReason, UserError } from '../errors.ts';
import { hint, recall } from '../hints.ts';
import { isFile } from '../open-file.ts';
import { unfinishedPrefix } from '../records.ts';
import { toPrintableLine } from '../text/printable.ts';
import { isPlainName, toNames } from './layout.ts';
import { type Damage, isWholeLine, type ReadStretch } from './segments.ts';

const newline = 10;

/** The bytes of a file; of one that consists of lines only whole ones, also around a part that is damaged. The last may lack its newline. */
export function* eachRestoredChunk(
  stretches: Iterable<ReadStretch>,
  hasLines: boolean,
  onDamage: (damage: Damage) => void = () => {},
): Generator<Buffer> {
  let rest: Buffer[] = [];
  let isAfterDamage = false;
  for (const stretch of stretches) {
    if ('damage' in stretch) {
      onDamage(stretch.damage);
      rest = [];
      isAfterDamage = hasLines;
      continue;
    }
    let { bytes } = stretch;
    const firstEnd = isAfterDamage ? bytes.indexOf(newline) : -1;
    if (firstEnd >= 0) {
      isAfterDamage = false;
      // Segments mostly start where a line does; otherwise its start is lost.
      if (!isWholeLine(Buffer.concat([...rest, bytes.subarray(0, firstEnd)]))) {
        rest = [];
        bytes = bytes.subarray(firstEnd + 1);
      }
    }
    const end = hasLines ? bytes.lastIndexOf(newline) + 1 : bytes.length;
    if (end > 0) {
      yield* rest;
      yield bytes.subarray(0, end);
      rest = [];
    }
    if (end < bytes.length) rest.push(bytes.subarray(end));
  }
  if (isWholeLine(Buffer.concat(rest))) yield* rest;
}

/** False where the file is there already. `path` is relative to the root, with forward slashes. */
export function writeNewFile(root: string, path: string, chunks: Iterable<Buffer>): boolean {
  const target = `${root}/${path}`;
  const parts = toNames(path);
  if (!parts.every(isPlainName)) throw refuse(target, 'it would not be inside the folder');
  try {
    makeFolders(root, parts.slice(0, -1));
    if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) return false;
    // Not deeper, where nobody would look for what a killed run has left.
    const folder = [root, ...parts.slice(0, -1).slice(0, maxDepth)].join('/');
    const temporary = `${folder}/${unfinishedPrefix}${randomBytes(6).toString('hex')}`;
    try {
      writeFile(temporary, chunks, true);
      return giveName(temporary, target);
    } finally {
      rmSync(temporary, { force: true });
    }
  } catch (error) {
    if (error instanceof UserError || typeof (error as NodeJS.ErrnoException).syscall !== 'string')
      throw error;
    throw refuse(target, toReason(error));
  }
}

const maxDepth = 2;

/** Nobody has been writing a file for so long. */
const leftAfterMs = 3_600_000;

const unfinishedName = /^[0-9a-f]{12}$/;

/** Deletes what killed runs have left half-written. */
export function deleteUnfinished(paths: readonly string[], nowMs: number): void {
  for (const path of paths) {
    if (!unfinishedName.test(basename(path).slice(unfinishedPrefix.length))) continue;
    try {
      const found = lstatSync(path);
      if (found.isFile() && found.mtimeMs < nowMs - leftAfterMs) rmSync(path);
    } catch {
      // It is not there, or may not be changed: a later run tries again.
    }
  }
}

/** In a folder that may not be there. */
export function findUnfinished(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.startsWith(unfinishedPrefix));
    return names.map((name) => `${folder}/${name}`);
  } catch {
    return [];
  }
}

/** Refuses a transcript whose name something else has: nothing would be written, and nothing could be resumed. */
export function refuseTakenName(root: string, path: string): void {
  const target = `${root}/${path}`;
  let found: Stats | undefined;
  try {
    found = lstatSync(target, { throwIfNoEntry: false });
  } catch {
    // Writing says what is wrong with its folder.
  }
  if (found === undefined || isFile(target)) return;
  const what = found.isSymbolicLink()
    ? 'a symbolic link that leads to no file'
    : 'something that is not a file';
  throw refuse(target, `${found.isDirectory() ? 'a directory' : what} has this name`);
}

/** The stores themselves may be links, as people set them up; below them no link is followed. */
function makeFolders(root: string, names: readonly string[]): void {
  let folder = root;
  for (const [depth, name] of names.entries()) {
    folder = `${folder}/${name}`;
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found === undefined) mkdirSync(folder, 0o700);
    else if (found.isSymbolicLink() && depth > 0) throw refuse(folder, 'it is a symbolic link');
    else if (!statSync(folder).isDirectory()) throw refuse(folder, 'it is not a folder');
  }
}

export function writeFile(path: string, chunks: Iterable<Buffer>, isFlushed = false): void {
  const fd = openSync(path, 'wx', 0o600);
  try {
    for (const chunk of chunks) for (let at = 0; at < chunk.length; ) at += writeSync(fd, chunk, at);
    if (isFlushed) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** A second name is refused where the file exists, as renaming is not; not every file system has second names. */
function giveName(temporary: string, target: string): boolean {
  try {
    linkSync(temporary, target);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (
      code !== 'EPERM' &&
      code !== 'EXDEV' &&
      code !== 'ENOTSUP' &&
      code !== 'EOPNOTSUPP' &&
      code !== 'ENOSYS'
    )
      throw error;
    copyFileSync(temporary, target, constants.COPYFILE_EXCL);
    return true;
  }
}

function refuse(path: string, reason: string): UserError {
  return new UserError(`${toPrintableLine(path)} cannot be written: ${reason}`, {
    code: 'not-restored',
    hint: hint`fix it and try again; to write only the transcript, elsewhere: ${recall('restore', '<id>', '-o', '<file>')}`,
  });
}
