// Brings a session back so that its program can resume it: from the archive, else from the indexed text. Writes new files
// only, the transcript itself last, so that it is there only when all that belongs to it is and can be read.

import { closeSync, readSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { toRestored } from '../../archive/restored-lines.ts';
import { refuseTakenName, writeNewFile } from '../../archive/write-new-file.ts';
import { toReason, UserError } from '../../errors.ts';
import { hint, parameter, recall } from '../../hints.ts';
import { type Root, sessionKinds } from '../../records.ts';
import { isFile } from '../../sources/files/is-file.ts';
import { openFile } from '../../sources/files/open-file.ts';
import { getSource } from '../../sources/index.ts';
import type { Store } from '../../store/open/open-store.ts';
import type { FoundSession } from '../../store/read/find-session.ts';
import { type ResumeTarget, readResumeTargets } from '../../store/read/read-resume-targets.ts';
import { toPrintableLine } from '../../text/printable.ts';
import type { Host } from '../host.ts';
import {
  findFirst,
  findStartObstacle,
  isDirectory,
  makeLook,
  type ResumeWay,
  type Resumption,
  toStart,
} from '../resume.ts';
import { tryRoots } from '../roots.ts';
import type { RestorableFile } from './restorable-content.ts';
import { findContent } from './restorable-files.ts';

/** With the way in which it is to be resumed. */
export interface RestoreRequest extends ResumeWay {
  /** The directory that the session is to be resumed in, for a project that has moved. */
  readonly into?: string | undefined;
  /** Only say what would be written. */
  readonly dryRun?: boolean | undefined;
  /** The version before the last, where both are kept. */
  readonly older?: boolean | undefined;
}

/** How it can be resumed when it is back. */
type Resumable = Pick<
  Resumption,
  'resume' | 'obstacle' | 'first' | 'goneDirectory' | 'lacking' | 'env' | 'live'
>;

export interface Restoration extends Resumable, Pick<Resumption, 'kind' | 'program'> {
  readonly askedId: string;
  /** What is brought back: the session itself, or the one it belongs to. */
  readonly nativeId: string;
  /** present: it is there · text: without tools · prompts: without answers, too. */
  readonly from: 'archive' | 'text' | 'prompts' | 'present';
  readonly files: readonly RestoredFile[];
  /** Parts of copies that are lost. */
  readonly damages: readonly { readonly path: string; readonly reason: string }[];
  /** Older versions of the transcript that are kept because they hold more. */
  readonly olderVersions: number;
}

export interface RestoredFile {
  readonly path: string;
  /** damaged: a part of its copy is lost, and it is not written, so that the index keeps the text that it has. */
  readonly state: 'written' | 'exists' | 'planned' | 'damaged';
}

export async function restore(
  host: Host,
  store: Store,
  { id, nativeId: askedId }: FoundSession,
  { into, dryRun = false, older = false, ...way }: RestoreRequest,
): Promise<Restoration> {
  const target = readResumeTargets(store.db, [id]).get(id) as ResumeTarget;
  const directory = into === undefined ? null : getDirectory(resolve(host.at.cwd, into));
  const root = getRoot(host, target);
  const { agent, nativeId, kind } = target;
  const program = getSource(agent).name;
  const about = { askedId, nativeId, kind, program, damages: [], olderVersions: 0 };
  const present = findPresent(host, target);
  if (present !== null) {
    const files: RestoredFile[] = [{ path: join(present.root.path, present.path), state: 'exists' }];
    return {
      ...about,
      from: 'present',
      files,
      ...toResumable(host, target, present, { ...way, into: null, lacking: [] }),
    };
  }
  const content = await findContent(host, store, target, { directory, older, isIndexed: true });
  if (content === null) throw notRestorable(target);
  refuseTakenName(root.path, content.transcript.path);
  const damages: Restoration['damages'][number][] = [];
  const write = (file: RestorableFile): RestoredFile => {
    const path = join(root.path, file.path);
    if (dryRun) return { path, state: isFile(path) ? 'exists' : 'planned' };
    const isNew = writeNewFile(
      root.path,
      file.path,
      file.chunks((damage) => damages.push(damage)),
    );
    return { path, state: isNew ? 'written' : 'exists' };
  };
  const beside = content.beside.map(write);
  const damaged = content.damaged.map((file): RestoredFile => {
    const path = join(root.path, file.path);
    if (isFile(path)) return { path, state: 'exists' };
    damages.push(...file.damages);
    return { path, state: 'damaged' };
  });
  const files = [write(content.transcript), ...beside, ...damaged];
  const { from, olderVersions, lacking } = content;
  const restored = { root, path: content.transcript.path };
  return {
    ...about,
    from,
    files,
    damages,
    olderVersions,
    ...toResumable(host, target, restored, { ...way, into: directory, lacking }),
  };
}

/** The bytes of a transcript that is kept or can be rebuilt, or of one that is there. */
export interface ReadTranscript extends Pick<Restoration, 'nativeId' | 'from' | 'damages'> {
  readonly chunks: Iterable<Buffer>;
}

/** `damages` is complete when the chunks were read. */
export async function readTranscript(
  host: Host,
  store: Store,
  { id }: FoundSession,
  { older = false }: Pick<RestoreRequest, 'older'>,
): Promise<ReadTranscript> {
  const target = readResumeTargets(store.db, [id]).get(id) as ResumeTarget;
  const { agent, nativeId } = target;
  const { files } = getSource(agent);
  if (files === null) throw notRestorable(target);
  const damages: Restoration['damages'][number][] = [];
  const present = older ? null : findPresent(host, target);
  if (present !== null) {
    const hasLines = files.findForm(present.path) === 'lines';
    const chunks = readFrom(join(present.root.path, present.path), hasLines);
    return { nativeId, from: 'present', damages, chunks };
  }
  const content = await findContent(host, store, target, { directory: null, older, isIndexed: false });
  if (content === null) throw notRestorable(target);
  const chunks = content.transcript.chunks((damage) => damages.push(damage));
  return { nativeId, from: content.from, damages, chunks };
}

/** A second transcript with the same id would confuse the program, so one anywhere will do. */
function findPresent(host: Host, target: ResumeTarget): { root: Root; path: string } | null {
  const { agent, root, path, nativeId } = target;
  if (path !== null && isThere(target, path)) return { root: { agent, path: root }, path };
  for (const each of tryRoots(host.roots).roots.filter((one) => one.agent === agent)) {
    const found = getSource(agent).files?.findOnDisk(each.path, nativeId) ?? null;
    if (found !== null) return { root: each, path: found };
  }
  return null;
}

/** By the path that the index knows: the program may have moved it since. */
function isThere(target: ResumeTarget, path: string): boolean {
  const { files, hasSession } = getSource(target.agent);
  return files === null ? hasSession(target) : isFile(join(target.root, path));
}

/** Where it was, if that is still one of the folders; else the first one of its program. */
function getRoot(host: Host, { agent, root }: ResumeTarget): Root {
  const roots = host.roots().filter((each) => each.agent === agent);
  const found = roots.find(({ path }) => path === root) ?? roots[0];
  if (found !== undefined) return found;
  throw new UserError(`there is no folder of ${getSource(agent).name} to restore it to`, {
    code: 'no-folder',
    hint: hint`name one with ${getSource(agent).rootParameter}`,
  });
}

const chunkBytes = 1024 * 1024;

/** Of lines, up to the last newline. */
function* readFrom(path: string, hasLines: boolean): Generator<Buffer> {
  const fd = openTranscript(path);
  try {
    yield* toRestored(eachChunk(fd), hasLines, () => {});
  } finally {
    closeSync(fd);
  }
}

/** It is there for its program, but links are not followed below an agent's folder. */
function openTranscript(path: string): number {
  try {
    return openFile(path);
  } catch (error) {
    const isLink = (error as NodeJS.ErrnoException).code === 'ELOOP';
    throw new UserError(
      `${toPrintableLine(path)} cannot be read: ${isLink ? 'it is a symbolic link' : toReason(error)}`,
      {
        code: 'unreadable',
        hint: isLink ? 'copy the file that it points to' : 'fix the permissions, or copy it yourself',
        cause: error,
      },
    );
  }
}

function* eachChunk(fd: number): Generator<{ from: number; bytes: Buffer }> {
  for (let from = 0; ; ) {
    const bytes = Buffer.allocUnsafe(chunkBytes);
    const read = readSync(fd, bytes, 0, chunkBytes, from);
    if (read === 0) return;
    yield { from, bytes: bytes.subarray(0, read) };
    from += read;
  }
}

function getDirectory(path: string): string {
  if (isDirectory(path)) return realpathSync(path);
  throw new UserError(`${toPrintableLine(path)} is not a directory`, {
    code: 'usage',
    hint: hint`name the directory in which the session is to be resumed, with ${parameter('into', '--into <dir>')}`,
  });
}

function toResumable(
  { at }: Host,
  target: ResumeTarget,
  { root, path }: { readonly root: Root; readonly path: string },
  {
    into,
    lacking,
    ...way
  }: ResumeWay & {
    readonly into: string | null;
    readonly lacking: readonly string[];
  },
): Resumable {
  const directory = into ?? getSource(target.agent).findDirectory(target);
  const restored = { ...target, root: root.path, path };
  const { hasDirectory, ...start } = toStart(restored, directory, makeLook(at), way);
  const unable = start.resume === null ? (way.fork ? ('no-fork' as const) : ('id' as const)) : null;
  const missing = lacking.length > 0 ? ('base-missing' as const) : null;
  const obstacle = missing ?? findStartObstacle(restored, hasDirectory && !way.here) ?? unable;
  return { ...start, obstacle, lacking, first: findFirst(restored) };
}

function notRestorable(target: ResumeTarget): UserError {
  const id = toPrintableLine(target.nativeId);
  return new UserError(toRefusal(target, id), {
    code: 'not-restorable',
    hint: hint`read it with: ${recall('show', id)}`,
    exitCode: 1,
  });
}

function toRefusal({ agent, nativeId, kind, messageCount }: ResumeTarget, id: string): string {
  const { name, files, canRebuild } = getSource(agent);
  if (files === null) return `${id} is a session of ${name}, and those are not kept in the archive`;
  if (!sessionKinds[kind].isResumable && kind !== 'history')
    return `${id} is ${sessionKinds[kind].description} and cannot be resumed`;
  return messageCount === 0 || canRebuild(nativeId)
    ? `neither a copy nor any text of ${id} is left`
    : `no copy of ${id} was kept, and recall cannot rebuild a session of ${name} from the indexed text`;
}
