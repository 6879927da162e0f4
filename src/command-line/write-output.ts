// Writes what a command makes to a file, which is never among an agent's own files or recall's.

import { existsSync, lstatSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { ReadOnlyPaths } from '../api/roots.ts';
import { toReason, UserError, usageError } from '../errors.ts';
import { FileBeside } from '../setup/rewrite-file.ts';
import { toPrintableLine } from '../text/printable.ts';
import type { Context } from './context.ts';

/** Where `--output` points; null for standard output, which a dash means, as everywhere. */
export function resolveOutput(cwd: string, flag: string | undefined): string | null {
  if (flag?.trim() === '') throw usageError('--output needs the name of a file');
  return flag === undefined || flag === '-' ? null : resolve(cwd, flag);
}

/** Writes under another name first: no half page is left behind, and an existing file stays intact until the end. */
export async function writeOutput(
  { recall }: Context,
  path: string,
  chunks: AsyncIterable<string | Buffer> | Iterable<Buffer>,
  overwrites = false,
): Promise<void> {
  const target = getTarget(path);
  refuseTaken(path, target, await recall.readOnlyPaths());
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile())
    throw refused(path, 'is not a file', 'choose a file, or leave out --output to write to standard output');
  if (found !== undefined && !overwrites)
    throw new UserError(`${toPrintableLine(path)} already exists`, {
      code: 'output-exists',
      hint: 'overwrite it with --force',
    });
  let beside: FileBeside | null = null;
  try {
    beside = new FileBeside(target);
    for await (const chunk of chunks)
      writeFileSync(beside.file, typeof chunk === 'string' ? `${chunk}\n` : chunk);
    beside.end();
    beside.putInPlace();
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).syscall !== 'string') throw error;
    throw cannotWrite(path, error, 'choose another path with --output <file>');
  } finally {
    beside?.discard();
  }
}

function refuseTaken(path: string, target: string, taken: ReadOnlyPaths): void {
  const { indexPath, folders, files, archivePath } = taken;
  if (isIndexFile(target, indexPath)) throw refused(path, 'is the index itself', 'choose another file');
  if (isInside(archivePath, target))
    throw refused(
      path,
      `is inside the archive ${toPrintableLine(archivePath)}`,
      'choose a path outside of it',
    );
  const root = folders.find((each) => isInside(each, target));
  if (root !== undefined)
    throw refused(
      path,
      `is inside ${toPrintableLine(root)}, which belongs to an agent`,
      'choose a path outside of it; recall never writes there',
    );
  // Most agents are not used by everybody, so that their folders are not there.
  if (files.some((file) => existsSync(dirname(file)) && readRealPath(file) === target))
    throw refused(path, 'is an agent’s own file', 'choose another file');
}

function refused(path: string, why: string, hint: string): UserError {
  return new UserError(`${toPrintableLine(path)} ${why}`, { code: 'output-refused', hint });
}

function cannotWrite(path: string, cause: unknown, hint: string): UserError {
  const message = `${toPrintableLine(path)} cannot be written: ${toReason(cause)}`;
  return new UserError(message, { code: 'output-failed', hint, cause });
}

function getTarget(path: string): string {
  try {
    return readRealPath(path);
  } catch (error) {
    throw cannotWrite(path, error, 'create its folder first');
  }
}

/** The real path of its folder; the file itself may not exist yet, or be a link that will be replaced. */
function readRealPath(path: string): string {
  return join(realpathSync(dirname(path)), basename(path));
}

/** The index, the files beside it that belong to it, and the folder that holds the numbers of results. */
const indexEndings = ['', '-wal', '-shm', '.lock', '.last'];

/** By the name it was given, and by the one that a link points to. */
function isIndexFile(target: string, indexPath: string): boolean {
  const names = [readRealPath(indexPath), realpathSync(indexPath)];
  return names.some((name) => indexEndings.some((ending) => isInside(`${name}${ending}`, target)));
}

function isInside(root: string, path: string): boolean {
  const fromRoot = relative(root, path);
  return fromRoot !== '..' && !fromRoot.startsWith(`..${sep}`) && !isAbsolute(fromRoot);
}
