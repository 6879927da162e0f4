// Restores a session so that its agent can resume it: from the archive, else from the indexed text. Writes new files only, the
// transcript itself last, so that it is there only when all that belongs to it is and can be read. Or reads the transcript
// without writing it.

import { closeSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { eachRestoredChunk, refuseTakenName, writeNewFile } from '../../archive/restore-file.ts';
import { cutPieces, type Damage, toReadAt } from '../../archive/segments.ts';
import { toReason, UserError } from '../../errors.ts';
import { hint, parameter } from '../../hints.ts';
import type { Root } from '../../records.ts';
import { isFile, openFile } from '../../sources/files/open-file.ts';
import { getSource } from '../../sources/index.ts';
import type { Store } from '../../store/open/open-store.ts';
import { type FoundSession, type ResumeTarget, readResumeTargets } from '../../store/read/sessions.ts';
import { toPrintableLine } from '../../text/printable.ts';
import type { Host } from '../host.ts';
import {
  findFirst,
  findStartObstacle,
  isDirectory,
  makeLook,
  planStart,
  type ResumeWay,
  type Resumption,
} from '../resume.ts';
import { tryRoots } from '../roots.ts';
import { getContent, type RestorableFile } from './session-content.ts';

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
  /** What is restored: the session itself, or the one it belongs to. */
  readonly nativeId: string;
  /** present: it is there · text: without tools · prompts: without answers, too. */
  readonly from: 'archive' | 'text' | 'prompts' | 'present';
  readonly files: readonly RestoredFile[];
  /** Parts of copies that are lost. */
  readonly damages: readonly Damage[];
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
  const about = { askedId, nativeId, kind, program: getSource(agent).name };
  const onDisk = findOnDisk(host, target);
  if (onDisk !== null)
    return {
      ...about,
      from: 'present',
      files: [{ path: join(onDisk.root.path, onDisk.path), state: 'exists' }],
      damages: [],
      olderVersions: 0,
      ...findResumable(host, { ...target, root: onDisk.root.path, path: onDisk.path }, way),
    };
  const content = await getContent({ host, store, target, directory, older, isIndexed: true });
  const { from, transcript, olderVersions, lacking } = content;
  refuseTakenName(root.path, transcript.path);
  const damages: Damage[] = [];
  const write = (file: RestorableFile): RestoredFile => {
    const path = join(root.path, file.path);
    if (dryRun) return { path, state: isFile(path) ? 'exists' : 'planned' };
    const chunks = file.chunks((damage) => damages.push(damage));
    return { path, state: writeNewFile(root.path, file.path, chunks) ? 'written' : 'exists' };
  };
  const beside = content.beside.map(write);
  const damaged = content.damaged.map((file): RestoredFile => {
    const path = join(root.path, file.path);
    if (isFile(path)) return { path, state: 'exists' };
    damages.push(...file.damages);
    return { path, state: 'damaged' };
  });
  const files = [write(transcript), ...beside, ...damaged];
  const restored = { ...target, root: root.path, path: transcript.path };
  const resumable = findResumable(host, restored, { ...way, into: directory, lacking });
  return { ...about, from, files, damages, olderVersions, ...resumable };
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

function getDirectory(path: string): string {
  if (isDirectory(path)) return realpathSync(path);
  throw new UserError(`${toPrintableLine(path)} is not a directory`, {
    code: 'usage',
    hint: hint`name the directory in which the session is to be resumed, with ${parameter('into', '--into <dir>')}`,
  });
}

/** How a session can be resumed whose transcript is on disk. */
function findResumable(
  { at }: Host,
  target: ResumeTarget,
  {
    into = null,
    lacking = [],
    ...way
  }: ResumeWay & { readonly into?: string | null; readonly lacking?: readonly string[] },
): Resumable {
  const directory = into ?? getSource(target.agent).findDirectory(target);
  const { hasDirectory, ...start } = planStart(target, directory, makeLook(at), way);
  const unable = start.resume === null ? (way.fork ? ('no-fork' as const) : ('id' as const)) : null;
  const missing = lacking.length > 0 ? ('base-missing' as const) : null;
  const obstacle = missing ?? findStartObstacle(target, hasDirectory && !way.here) ?? unable;
  return { ...start, obstacle, lacking, first: findFirst(target) };
}

/**
 * The transcript of a session that was asked for as a deleted one, where it is there after all. A second transcript with the same
 * id would confuse the agent, so one anywhere will do.
 */
function findOnDisk(host: Host, target: ResumeTarget): { root: Root; path: string } | null {
  const { agent, root, path, nativeId } = target;
  const { files, hasSession } = getSource(agent);
  // By the path that the index knows: the agent may have moved it since.
  const isThere = path !== null && (files === null ? hasSession(target) : isFile(join(root, path)));
  if (isThere) return { root: { agent, path: root }, path };
  for (const each of tryRoots(host.roots).roots.filter((one) => one.agent === agent)) {
    const found = files?.findOnDisk(each.path, nativeId) ?? null;
    if (found !== null) return { root: each, path: found };
  }
  return null;
}

/** The bytes of a transcript, wherever there are any: on disk, in the archive, or rebuilt from the index. */
export interface ReadTranscript extends Pick<Restoration, 'nativeId' | 'from'> {
  /** Complete when the chunks were read. */
  readonly damages: readonly Damage[];
  readonly chunks: Iterable<Buffer>;
}

export async function readTranscript(
  host: Host,
  store: Store,
  { id }: FoundSession,
  { older = false }: Pick<RestoreRequest, 'older'>,
): Promise<ReadTranscript> {
  const target = readResumeTargets(store.db, [id]).get(id) as ResumeTarget;
  const { agent, nativeId } = target;
  const { files } = getSource(agent);
  const onDisk = older || files === null ? null : findOnDisk(host, target);
  if (onDisk !== null) {
    const hasLines = files?.findForm(onDisk.path) === 'lines';
    const chunks = readFromDisk(join(onDisk.root.path, onDisk.path), hasLines);
    return { nativeId, from: 'present', damages: [], chunks };
  }
  const request = { host, store, target, directory: null, older, isIndexed: false };
  const { from, transcript } = await getContent(request);
  const damages: Damage[] = [];
  return { nativeId, from, damages, chunks: transcript.chunks((damage) => damages.push(damage)) };
}

const chunkBytes = 1024 * 1024;

/** Of lines, up to the last newline. */
function* readFromDisk(path: string, hasLines: boolean): Generator<Buffer> {
  const fd = openTranscript(path);
  try {
    const whole = { from: 0, to: Number.POSITIVE_INFINITY, maxBytes: chunkBytes, clean: null, hasLines };
    yield* eachRestoredChunk(cutPieces(toReadAt(fd), whole), hasLines);
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
