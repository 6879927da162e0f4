// Where a page goes other than straight to standard output: a file that only its owner can read, and that is never among an agent's own
// files; or the person's pager, if the page does not fit on the screen.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, lstatSync, realpathSync, writeSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { toReason, UserError, usageError } from '../errors.ts';
import { widthOf } from '../render/columns.ts';
import { FileBeside } from '../setup/rewrite-file.ts';
import { toPrintableLine } from '../text/printable.ts';
import type { Context } from './context.ts';

/** Where `--output` points; null for standard output, which a dash means, as everywhere. */
export function resolveOutput({ at }: Pick<Context, 'at'>, flag: string | undefined): string | null {
  if (flag?.trim() === '') throw usageError('--output needs the name of a file');
  return flag === undefined || flag === '-' ? null : resolve(at.cwd, flag);
}

/**
 * Writes under another name first: no half page is left behind, and an existing file stays intact until the
 * end. Text is written in lines, bytes as they are.
 */
export async function writeOutput(
  context: Context,
  path: string,
  chunks: AsyncIterable<string> | Iterable<Buffer>,
  overwrites: boolean,
): Promise<void> {
  const target = getTarget(path);
  await refuseOthersFiles(context, path, target);
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
      writeAll(beside.file, typeof chunk === 'string' ? Buffer.from(`${chunk}\n`) : chunk);
    beside.end();
    beside.putInPlace();
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).syscall !== 'string') throw error;
    throw cannotWrite(path, error, 'choose another path with --output <file>');
  } finally {
    beside?.discard();
  }
}

async function refuseOthersFiles(context: Context, path: string, target: string): Promise<void> {
  const { folders, files, archivePath } = await context.recall.readOnlyPaths();
  if (isIndexFile(target, context.indexPath))
    throw refused(path, 'is the index itself', 'choose another file');
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

function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
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

const defaultPager = 'less -R';
/** The shell's exit codes for a program that cannot be run or found. */
const notStarted = [126, 127];

/**
 * Shows pieces in the pager, if they do not fit on the screen: the first screen while the rest is still being made. False if there is
 * no pager; then nothing has been shown.
 */
export async function page(context: Context, pieces: AsyncIterable<string>): Promise<boolean> {
  const { env, platform } = context.at;
  const command = env.PAGER ?? (platform === 'win32' ? '' : defaultPager);
  if (command.trim() === '' || command.trim() === 'cat') return false;
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await takeScreen(iterator, context);
  if (!first.isMore) {
    context.print(first.text);
    return true;
  }
  return context.handOver(async () => {
    // As git does: less should show colours even if PAGER is set without flags.
    const pager = spawn(command, {
      shell: true,
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { LESS: 'R', ...env },
    });
    const ended = new Promise<number | null>((resolve) => {
      pager.on('error', () => resolve(notStarted[0] ?? null));
      pager.on('close', resolve);
    });
    await feed(pager, first.text, iterator);
    return !notStarted.includes((await ended) ?? 0);
  });
}

async function takeScreen(
  iterator: AsyncIterator<string>,
  context: Context,
): Promise<{ readonly text: string; readonly isMore: boolean }> {
  const { rows, columns } = context.stdout;
  const taken: string[] = [];
  let lines = 0;
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    if (next.value === '') continue;
    taken.push(next.value);
    for (const line of next.value.split('\n'))
      lines += Math.max(1, Math.ceil(widthOf(line.replace(/\x1b\[\d+m/g, '')) / columns));
    // One row is for the prompt.
    if (lines > rows - 1) return { text: taken.join('\n'), isMore: true };
  }
  return { text: taken.join('\n'), isMore: false };
}

/** Until there are no more pieces, or the person quits the pager. */
async function feed(pager: ChildProcess, first: string, iterator: AsyncIterator<string>): Promise<void> {
  const { stdin } = pager;
  if (stdin === null) return;
  let isOpen = true;
  let wake = () => {};
  const close = () => {
    isOpen = false;
    wake();
  };
  stdin.on('error', close);
  stdin.on('close', close);
  stdin.on('drain', () => wake());
  const write = async (text: string) => {
    if (stdin.write(`${text}\n`) || !isOpen) return;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  };
  await write(first);
  for (let next = await iterator.next(); !next.done && isOpen; next = await iterator.next())
    if (next.value !== '') await write(next.value);
  stdin.end();
}
