// Writes a page to a file that only its owner may read, and never among Claude Code's own files.

import { lstatSync, realpathSync, writeSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { toReason, UserError } from '../errors.ts';
import { FileBeside } from '../setup/file-beside.ts';
import { toPrintableLine } from '../text/printable.ts';

export interface OutputOptions {
  readonly overwrites: boolean;
  /** Folders in which nothing is ever written. */
  readonly folders: readonly string[];
  /** Files of agents' own that are elsewhere. */
  readonly files: readonly string[];
  readonly indexPath: string;
}

/** Under another name first: half a page is never left behind, and one that is overwritten stays whole till then. */
export async function writeOutput(
  path: string,
  chunks: AsyncIterable<string>,
  { overwrites, folders, files, indexPath }: OutputOptions,
): Promise<void> {
  const shown = toPrintableLine(path);
  const target = toTarget(path);
  if (isOfIndex(target, indexPath))
    throw new UserError(`${shown} is the index itself`, {
      code: 'output-refused',
      hint: 'choose another file',
    });
  const root = folders.find((each) => isInside(each, target));
  if (root !== undefined) {
    throw new UserError(`${shown} is inside Claude Code’s folder ${toPrintableLine(root)}`, {
      code: 'output-refused',
      hint: 'choose a place outside of it; recall never writes there',
    });
  }
  if (files.some((file) => toRealPath(file) === target)) {
    throw new UserError(`${shown} is Claude Code’s own file`, {
      code: 'output-refused',
      hint: 'choose another file',
    });
  }
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) {
    throw new UserError(`${shown} is not a file`, {
      code: 'output-refused',
      hint: 'name a file; without --output the page goes to standard output',
    });
  }
  if (found !== undefined && !overwrites) {
    throw new UserError(`${shown} exists already`, {
      code: 'output-exists',
      hint: 'overwrite it with --force',
    });
  }
  let beside: FileBeside | null = null;
  try {
    beside = new FileBeside(target);
    for await (const chunk of chunks) writeAll(beside.file, `${chunk}\n`);
    beside.end();
    beside.putInPlace();
  } catch (error) {
    if (!isOfFiles(error)) throw error;
    throw new UserError(`${shown} cannot be written: ${toReason(error)}`, {
      code: 'output-failed',
      hint: 'choose another place with --output <file>',
      cause: error,
    });
  } finally {
    beside?.discard();
  }
}

function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

function toTarget(path: string): string {
  try {
    return toRealPath(path);
  } catch (error) {
    throw new UserError(`${toPrintableLine(path)} cannot be written: ${toReason(error)}`, {
      code: 'output-failed',
      hint: 'make its folder first',
      cause: error,
    });
  }
}

/** By its real folder; the file itself may be yet to be made, or a link that is to be replaced. */
function toRealPath(path: string): string {
  return join(realpathSync(dirname(path)), basename(path));
}

/** What stands beside the index and belongs to it, its own name among them. */
const indexEndings = ['', '-wal', '-shm', '.last', '.lock'];

/** Under the name it was given, and under the one to which a link leads. */
function isOfIndex(target: string, indexPath: string): boolean {
  const names = [toRealPath(indexPath), realpathSync(indexPath)];
  return names.some((name) => indexEndings.some((ending) => target === `${name}${ending}`));
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function isOfFiles(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException).syscall === 'string';
}
