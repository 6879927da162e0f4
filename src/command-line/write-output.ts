// Writes a page to a file that only its owner can read, and never among an agent's own files.

import { existsSync, lstatSync, realpathSync, writeSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { toReason, UserError } from '../errors.ts';
import { FileBeside } from '../setup/file-beside.ts';
import { toPrintableLine } from '../text/printable.ts';

export interface OutputOptions {
  readonly overwrites: boolean;
  /** Folders where nothing is ever written. */
  readonly folders: readonly string[];
  /** Agents' own files outside of these folders. */
  readonly files: readonly string[];
  readonly archivePath: string;
  readonly indexPath: string;
}

/**
 * Writes under another name first: no half page is left behind, and an existing file stays intact until the
 * end. Text is written in lines, bytes as they are.
 */
export async function writeOutput(
  path: string,
  chunks: AsyncIterable<string> | Iterable<Buffer>,
  { overwrites, folders, files, archivePath, indexPath }: OutputOptions,
): Promise<void> {
  const shown = toPrintableLine(path);
  const target = getTarget(path);
  if (isIndexFile(target, indexPath))
    throw new UserError(`${shown} is the index itself`, {
      code: 'output-refused',
      hint: 'choose another file',
    });
  if (isInside(archivePath, target))
    throw new UserError(`${shown} is inside the archive ${toPrintableLine(archivePath)}`, {
      code: 'output-refused',
      hint: 'choose a path outside of it',
    });
  const root = folders.find((each) => isInside(each, target));
  if (root !== undefined) {
    throw new UserError(`${shown} is inside ${toPrintableLine(root)}, which belongs to an agent`, {
      code: 'output-refused',
      hint: 'choose a path outside of it; recall never writes there',
    });
  }
  // Most agents are not used by everybody, so that their folders are not there.
  if (files.some((file) => existsSync(dirname(file)) && readRealPath(file) === target)) {
    throw new UserError(`${shown} is an agent’s own file`, {
      code: 'output-refused',
      hint: 'choose another file',
    });
  }
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) {
    throw new UserError(`${shown} is not a file`, {
      code: 'output-refused',
      hint: 'choose a file, or leave out --output to write to standard output',
    });
  }
  if (found !== undefined && !overwrites) {
    throw new UserError(`${shown} already exists`, {
      code: 'output-exists',
      hint: 'overwrite it with --force',
    });
  }
  let beside: FileBeside | null = null;
  try {
    beside = new FileBeside(target);
    for await (const chunk of chunks)
      writeAll(beside.file, typeof chunk === 'string' ? Buffer.from(`${chunk}\n`) : chunk);
    beside.end();
    beside.putInPlace();
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new UserError(`${shown} cannot be written: ${toReason(error)}`, {
      code: 'output-failed',
      hint: 'choose another path with --output <file>',
      cause: error,
    });
  } finally {
    beside?.discard();
  }
}

function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

function getTarget(path: string): string {
  try {
    return readRealPath(path);
  } catch (error) {
    throw new UserError(`${toPrintableLine(path)} cannot be written: ${toReason(error)}`, {
      code: 'output-failed',
      hint: 'create its folder first',
      cause: error,
    });
  }
}

/** The real path of its folder; the file itself may not exist yet, or be a link that will be replaced. */
function readRealPath(path: string): string {
  return join(realpathSync(dirname(path)), basename(path));
}

/** The endings of the index and of the files beside it that belong to it. */
const indexEndings = ['', '-wal', '-shm', '.lock'];
/** The folder beside it that holds the numbers of results. */
const listsEnding = '.last';

/** By the name it was given, and by the one that a link points to. */
function isIndexFile(target: string, indexPath: string): boolean {
  const names = [readRealPath(indexPath), realpathSync(indexPath)];
  return names.some(
    (name) =>
      indexEndings.some((ending) => target === `${name}${ending}`) ||
      isInside(`${name}${listsEnding}`, target),
  );
}

function isInside(root: string, path: string): boolean {
  const fromRoot = relative(root, path);
  return fromRoot !== '..' && !fromRoot.startsWith(`..${sep}`) && !isAbsolute(fromRoot);
}

function isFileError(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException).syscall === 'string';
}
