// Where a page goes other than straight to standard output: a file, which is never among an agent's own files; or the person's
// pager, if the page does not fit on the screen.

import { spawn } from 'node:child_process';
import { existsSync, lstatSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
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

/** Writes under another name first: no half page is left behind, and an existing file stays intact until the end. */
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

const defaultPager = 'less -R';
/** The shell's exit codes for a program that cannot be run or found. */
const notStarted = [126, 127];

/** Shows the first screen while the rest is still being made. False if there is no pager; then nothing has been shown. */
export async function page(context: Context, pieces: AsyncIterable<string>): Promise<boolean> {
  const { env, platform } = context.at;
  const command = env.PAGER ?? (platform === 'win32' ? '' : defaultPager);
  if (command.trim() === '' || command.trim() === 'cat') return false;
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await takeScreen(iterator, context.stdout);
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
    try {
      await pipeline(async function* () {
        yield `${first.text}\n`;
        for (let next = await iterator.next(); !next.done; next = await iterator.next())
          if (next.value !== '') yield `${next.value}\n`;
      }, pager.stdin);
    } catch (error) {
      // The person has quit the pager.
      if (!/^(EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/.test((error as NodeJS.ErrnoException).code ?? ''))
        throw error;
    }
    return !notStarted.includes((await ended) ?? 0);
  });
}

async function takeScreen(iterator: AsyncIterator<string>, { rows, columns }: Context['stdout']) {
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
