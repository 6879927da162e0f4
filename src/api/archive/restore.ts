// Brings a session back so that its program can resume it: from the archive, else from the indexed text. Writes new files
// only, the transcript itself last, so that it is there only when all that belongs to it is and can be read.

import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { refuseTakenName, writeNewFile } from '../../archive/write-new-file.ts';
import { UserError } from '../../errors.ts';
import { hint, parameter } from '../../hints.ts';
import type { Root } from '../../records.ts';
import { isFile } from '../../sources/files/open-file.ts';
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
  type ResumeWay,
  type Resumption,
  toStart,
} from '../resume.ts';
import { findPresent } from './find-present.ts';
import { getContent } from './get-content.ts';
import type { RestorableFile } from './restorable-content.ts';

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
  const content = await getContent(host, store, target, { directory, older, isIndexed: true });
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
