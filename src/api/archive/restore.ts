// Restores a session so that its agent can resume it: from the archive, else from the indexed text. Writes new files only, the
// transcript itself last, when all that belongs to it is there and can be read. Or reads the transcript without writing it.

import { randomUUID } from 'node:crypto';
import { closeSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Copy, eachCopy, TranscriptCopies, type Version } from '../../archive/layout.ts';
import {
  deleteUnfinished,
  eachRestoredChunk,
  findUnfinished,
  refuseTakenName,
  writeNewFile,
} from '../../archive/restore-file.ts';
import { cutPieces, type Damage, readStretches, toCopiedFile, toReadAt } from '../../archive/segments.ts';
import { toSessionKey } from '../../archive/session-copies.ts';
import { toReason, UserError } from '../../errors.ts';
import { type Hint, hint, parameter, recall } from '../../hints.ts';
import { readMachine } from '../../hub/pull.ts';
import { loadTools } from '../../indexing/reader.ts';
import { isFile, openFile } from '../../open-file.ts';
import { importedPrefix, type Root, sessionKinds } from '../../records.ts';
import { getSource } from '../../sources/index.ts';
import { parseJsonObject } from '../../sources/json/json-value.ts';
import { splitLines } from '../../sources/json/lines.ts';
import type { RebuiltMessage, SessionFiles } from '../../sources/source.ts';
import type { Store } from '../../store/open/open-store.ts';
import { readProjects } from '../../store/read/index-facts.ts';
import {
  findKnownTranscript,
  readRebuildFacts,
  readSubagentTranscripts,
  type TranscriptPlace,
} from '../../store/read/known-files.ts';
import { readConversation, wholeTranscript } from '../../store/read/read-conversation.ts';
import { type FoundSession, type ResumeTarget, readResumeTargets } from '../../store/read/sessions.ts';
import { toPrintableLine } from '../../text/printable.ts';
import type { Restoration, RestoredFile, Resumable } from '../answers.ts';
import type { Host } from '../host.ts';
import { readRepository } from '../repository.ts';
import type { RestoreRequest, ResumeWay } from '../requests.ts';
import { findFirst, findStartObstacle, isDirectory, makeLook, planStart } from '../resume.ts';
import { tryRoots } from '../roots.ts';

export async function restore(
  host: Host,
  store: Store,
  { id, nativeId: askedId }: FoundSession,
  { into, dryRun = false, older = false, ...way }: RestoreRequest,
): Promise<Restoration> {
  const target = readResumeTargets(store.db, [id]).get(id) as ResumeTarget;
  const named = into ?? (way.here && target.machineKey !== null ? '.' : undefined);
  const given = named === undefined ? null : getDirectory(resolve(host.at.cwd, named));
  const root = getRoot(host, target);
  const { agent, nativeId, kind } = target;
  const program = getSource(agent).name;
  const parts = (target.path ?? '').split('/').slice(0, -1);
  const folders = [root.path, ...parts.map((_, i) => join(root.path, ...parts.slice(0, i + 1)))];
  if (!dryRun) deleteUnfinished(folders.flatMap(findUnfinished), host.now().getTime());
  const onDisk = findOnDisk(host, target);
  const isBranch = onDisk !== null && target.machineKey !== null && !holdsCopy(host, target, onDisk);
  const elsewhere = target.machineKey === null ? null : findElsewhere(host, store, target, given);
  const branchOf = isBranch ? nativeId : null;
  const about = { askedId, nativeId: isBranch ? randomUUID() : nativeId, kind, program, elsewhere, branchOf };
  if (onDisk !== null && !isBranch)
    return {
      ...about,
      elsewhere: null,
      from: 'present',
      files: [{ path: join(onDisk.root.path, onDisk.path), state: 'exists' }],
      damages: [],
      olderVersions: 0,
      lacking: [],
      ...findResumable(host, { ...target, root: onDisk.root.path, path: onDisk.path }, way, given),
    };
  const directory = given ?? elsewhere?.directory ?? null;
  const found = await getContent({ host, store, target, directory, older, isIndexed: true });
  const mapped = isImported(target) ? withDirectory(host, found, target, directory) : found;
  const content = isBranch ? toBranch(mapped, target, about.nativeId) : mapped;
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
  const restored = { ...target, nativeId: about.nativeId, root: root.path, path: transcript.path };
  const { obstacle, ...start } = findResumable(host, restored, way, directory);
  const missing = lacking.length > 0 ? 'base-missing' : obstacle;
  return { ...about, from, files, damages, olderVersions, ...start, lacking, obstacle: missing };
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

/**
 * Where a session of another machine goes on: in the same directory if there is one; else in a project that the index knows, with
 * the same repository.
 */
function findElsewhere(
  host: Host,
  { db }: Store,
  target: ResumeTarget,
  given: string | null,
): Restoration['elsewhere'] {
  const { agent, nativeId, machine, owner, machineKey } = target;
  const key = toSessionKey(agent, nativeId);
  const facts = readMachine(host.archivePath, machineKey ?? '')?.sessions[key];
  const cwd = getSource(agent).findDirectory(target) ?? facts?.cwd ?? null;
  const { remote = null, branch = null, commit = null } = facts ?? {};
  const about = { machine: machine ?? '', owner, cwd, branch, commit };
  if (given !== null) return { ...about, directory: given };
  const own = cwd === null ? null : toOwnHome(cwd, host.at.homeDir);
  if (own !== null && isDirectory(own))
    return { ...about, directory: own === cwd ? null : realpathSync(own) };
  const isSame = (path: string) => isDirectory(path) && readRepository(path)?.remote === remote;
  const project = remote === null ? undefined : readProjects(db).find(({ path }) => isSame(path));
  if (project !== undefined) return { ...about, directory: project.path };
  const where =
    cwd === null
      ? 'its directory is not known'
      : `its directory ${toPrintableLine(cwd)} is not on this machine`;
  const and =
    remote === null ? '' : `, and no project with the repository ${toPrintableLine(remote)} is known`;
  throw new UserError(`${where}${and}`, {
    code: 'no-directory',
    hint: hint`name the directory in which it is to go on with ${parameter('into', '--into <dir>')}, or the current one with ${parameter('here', '--here')}`,
    exitCode: 1,
  });
}

/** Whether a transcript here starts with all that was received of it. */
function holdsCopy(host: Host, target: ResumeTarget, { root, path }: { root: Root; path: string }): boolean {
  const { files } = getSource(target.agent);
  const copies = new TranscriptCopies(host.archivePath, host.machine);
  const former = files?.toFormerPaths(target.path ?? '') ?? [];
  const copy = copies.find(target.agent, target.root, former, target.machineKey);
  if (copy === null) return true;
  const fd = openTranscript(join(root.path, path));
  try {
    const here = splitLines(readOpen(fd, true));
    let isWhole = true;
    const chunks = eachRestoredChunk(readStretches(copy, copy.versions[0] as Version), true, () => {
      isWhole = false;
    });
    for (const line of splitLines(chunks)) {
      const { value } = here.next();
      if (value === undefined || withoutDirectory(value) !== withoutDirectory(line)) return false;
    }
    return isWhole;
  } finally {
    closeSync(fd);
  }
}

const anyDirectory = /"cwd":"((?:[^"\\]|\\.)*)"/g;

/** What was handed on is continued in another directory. */
const withoutDirectory = (line: Buffer) => line.toString('latin1').replace(anyDirectory, '"cwd":""');

const isImported = ({ machineKey }: ResumeTarget) => machineKey?.startsWith(importedPrefix) === true;

/** Who hands a session on writes the home directory so. */
function toOwnHome(path: string, homeDir: string): string {
  return path === '~' || path.startsWith('~/') ? `${homeDir}${path.slice(1)}` : path;
}

/** The directory of the project that was handed on, or one in it, becomes that of this one; nothing else is changed. */
function withDirectory(
  { at, archivePath }: Host,
  content: SessionContent,
  target: ResumeTarget,
  directory: string | null,
): SessionContent {
  const facts = readMachine(archivePath, target.machineKey ?? '')?.sessions[
    toSessionKey(target.agent, target.nativeId)
  ];
  const base = facts?.cwd ?? null;
  const toOwn = (cwd: string) => {
    const isInside = base !== null && (cwd === base || cwd.startsWith(`${base}/`));
    return isInside && directory !== null
      ? `${directory}${cwd.slice(base.length)}`
      : toOwnHome(cwd, at.homeDir);
  };
  const edit = (lines: string) =>
    lines.replace(anyDirectory, (field, written: string) => {
      const cwd = parseJsonObject(`{"cwd":"${Buffer.from(written, 'latin1')}"}`)?.cwd;
      const own = typeof cwd === 'string' ? toOwn(cwd) : cwd;
      return own === cwd ? field : `"cwd":${Buffer.from(JSON.stringify(own)).toString('latin1')}`;
    });
  const map = (file: RestorableFile) => editLines(file, file.path, edit);
  return { ...content, transcript: map(content.transcript), beside: content.beside.map(map) };
}

/** The same session under another id, beside the one that is here: every line names the session that it is of. */
function toBranch(content: SessionContent, { agent, nativeId }: ResumeTarget, newId: string): SessionContent {
  const { files, name } = getSource(agent);
  const keys = files?.idKeys;
  if (keys === undefined)
    throw new UserError(
      `${nativeId} was continued here as well, and a session of ${name} cannot be given another id`,
      {
        code: 'not-restorable',
        hint: hint`read it with: ${recall('show', toPrintableLine(nativeId))}`,
        exitCode: 1,
      },
    );
  const renameLines = (lines: string) =>
    keys.reduce((text, key) => text.replaceAll(`"${key}":"${nativeId}"`, `"${key}":"${newId}"`), lines);
  const rename = (file: RestorableFile) =>
    editLines(file, file.path.replaceAll(nativeId, newId), renameLines);
  return { ...content, transcript: rename(content.transcript), beside: content.beside.map(rename) };
}

/**
 * `edit` is given whole lines, each byte as a character. Inside a text quotes would be escaped, so that what has quotes meets
 * fields only.
 */
function editLines(file: RestorableFile, path: string, edit: (lines: string) => string): RestorableFile {
  function* chunks(onDamage: (damage: Damage) => void): Generator<Buffer> {
    let rest = '';
    for (const chunk of file.chunks(onDamage)) {
      const text = rest + chunk.toString('latin1');
      const end = text.lastIndexOf('\n') + 1;
      rest = text.slice(end);
      if (end > 0) yield Buffer.from(edit(text.slice(0, end)), 'latin1');
    }
    if (rest !== '') yield Buffer.from(edit(rest), 'latin1');
  }
  return { path, chunks };
}

/** How a session can be resumed whose transcript is on disk. */
function findResumable(
  { at }: Host,
  target: ResumeTarget,
  way: ResumeWay,
  into: string | null = null,
): Omit<Resumable, 'lacking'> {
  const directory = into ?? getSource(target.agent).findDirectory(target);
  const { hasDirectory, ...start } = planStart(target, directory, makeLook(at), way);
  const unable = start.resume === null ? (way.fork ? 'no-fork' : 'id') : null;
  const obstacle = findStartObstacle(target, hasDirectory && !way.here) ?? unable;
  return { ...start, obstacle, first: findFirst(target) };
}

/**
 * The transcript of a session that was asked for as a deleted one, where it is there after all. A second transcript with the same
 * id would confuse the agent, so one anywhere will do.
 */
export function findOnDisk(host: Host, target: ResumeTarget): { root: Root; path: string } | null {
  const { agent, root, path, nativeId } = target;
  const { files, hasSession } = getSource(agent);
  // By the path that the index knows: the agent may have moved it since.
  const isThere =
    target.machineKey === null &&
    path !== null &&
    (files === null ? hasSession(target) : isFile(join(root, path)));
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

/** A file of lines is read without an incomplete last line. */
export function* readFromDisk(path: string, hasLines: boolean): Generator<Buffer> {
  const fd = openTranscript(path);
  try {
    yield* readOpen(fd, hasLines);
  } finally {
    closeSync(fd);
  }
}

function readOpen(fd: number, hasLines: boolean): Generator<Buffer> {
  const whole = { from: 0, to: Number.POSITIVE_INFINITY, maxBytes: chunkBytes, clean: null, hasLines };
  return eachRestoredChunk(cutPieces(toReadAt(fd), whole), hasLines);
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

interface ContentRequest {
  readonly host: Host;
  readonly store: Store;
  readonly target: ResumeTarget;
  readonly directory: string | null;
  readonly older: boolean;
  /** Whether it is written where the index will read it. */
  readonly isIndexed: boolean;
}

interface SessionContent extends Pick<Restoration, 'olderVersions' | 'lacking'> {
  readonly from: 'archive' | 'text' | 'prompts';
  readonly transcript: RestorableFile;
  readonly beside: readonly RestorableFile[];
  /** Files beside it that the index reads, and of which a part is lost: written, they would take the place of the indexed text. */
  readonly damaged: readonly { readonly path: string; readonly damages: readonly Damage[] }[];
}

interface RestorableFile {
  readonly path: string;
  chunks(onDamage: (damage: Damage) => void): Iterable<Buffer>;
}

/**
 * What can be written: the copies in the archive with all that belongs to the session, else a transcript rebuilt from the indexed text.
 * Of a damaged copy, what can be read, if the index then keeps what it has of the rest; where nothing can be read, the text
 * again. Anything else is refused: the index would take what is left for all that there was.
 */
export async function getContent(request: ContentRequest): Promise<SessionContent> {
  const { target, isIndexed } = request;
  const { files, loadReader } = getSource(target.agent);
  if (files === null || !isRestorable(target.kind)) throw notRestorable(target);
  const copied = await findCopiedContent(request, files);
  if (copied === null) {
    const rebuilt = await rebuildTranscript(request, files);
    if (rebuilt === null) throw notRestorable(target);
    return { ...rebuilt, beside: [], damaged: [], olderVersions: 0, lacking: [] };
  }
  const { transcript } = copied;
  const { bytes, lines, damages } = readOnce(transcript);
  if (damages.length === 0) return copied;
  // An empty transcript resumes nothing.
  if (bytes === 0) {
    const rebuilt = await rebuildTranscript(request, files);
    if (rebuilt === null) throw damagedCopy(target, damages, false);
    const chunks: RestorableFile['chunks'] = (onDamage) => {
      for (const damage of damages) onDamage(damage);
      return rebuilt.transcript.chunks(onDamage);
    };
    return { ...copied, from: rebuilt.from, transcript: { path: rebuilt.transcript.path, chunks } };
  }
  if (!isIndexed) return copied;
  const { toRebuiltMarker } = await loadReader([], loadTools);
  if (toRebuiltMarker === undefined) throw damagedCopy(target, damages, true);
  function* chunks(onDamage: (damage: Damage) => void): Generator<Buffer> {
    yield Buffer.from(`${toRebuiltMarker?.(target.nativeId, lines)}\n`);
    yield* transcript.chunks(onDamage);
  }
  return { ...copied, transcript: { path: transcript.path, chunks } };
}

function damagedCopy({ nativeId }: ResumeTarget, damages: readonly Damage[], isPartly: boolean): UserError {
  const id = toPrintableLine(nativeId);
  const [first] = damages;
  const what = `${toPrintableLine(first?.path ?? '')}: ${first?.reason}`;
  if (!isPartly) return refuse(nativeId, `nothing of the copy of ${id} can be read: ${what}`);
  return refuse(
    nativeId,
    `the copy of ${id} is damaged and is not restored, so that the index keeps the text of the part that is lost: ${what}`,
    hint`to write what can be read of it: ${recall('restore', id, '-o', '<file>')}; or `,
  );
}

function notRestorable({ agent, nativeId, kind, messageCount }: ResumeTarget): UserError {
  const { name, files, canRebuild } = getSource(agent);
  const id = toPrintableLine(nativeId);
  if (files === null)
    return refuse(nativeId, `${id} is a session of ${name}, and those are not kept in the archive`);
  if (!isRestorable(kind))
    return refuse(nativeId, `${id} is ${sessionKinds[kind].description} and cannot be resumed`);
  const why =
    messageCount === 0 || canRebuild(nativeId)
      ? `neither a copy nor any text of ${id} is left`
      : `no copy of ${id} was kept, and recall cannot rebuild a session of ${name} from the indexed text`;
  return refuse(nativeId, why);
}

function refuse(nativeId: string, message: string, first: Hint = ''): UserError {
  const read = hint`${first}read it with: ${recall('show', toPrintableLine(nativeId))}`;
  return new UserError(message, { code: 'not-restorable', hint: read, exitCode: 1 });
}

/** Prompts that were recovered from a history become a session when they are restored. */
function isRestorable(kind: ResumeTarget['kind']): boolean {
  return sessionKinds[kind].isResumable || kind === 'history';
}

const newline = 10;

/** How much of it can be read. What is damaged decides what is written, and is known only when all of it was read. */
function readOnce({ chunks }: RestorableFile) {
  const damages: Damage[] = [];
  let [bytes, lines] = [0, 0];
  for (const chunk of chunks((damage) => damages.push(damage))) {
    bytes += chunk.length;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) lines++;
  }
  return { bytes, lines, damages };
}

async function findCopiedContent(
  request: ContentRequest,
  files: SessionFiles,
): Promise<SessionContent | null> {
  const { host, target, directory, older } = request;
  const copies = new TranscriptCopies(host.archivePath, host.machine);
  const found =
    target.path === null
      ? null
      : copies.find(target.agent, target.root, files.toFormerPaths(target.path), target.machineKey);
  if (found === null) return null;
  const copy = older ? withoutNewest(found) : found;
  const path = directory === null ? copy.path : getMovedPath(target, files, directory, copy.path);
  const inFolder = findInFolder(copy, files, target.nativeId, path);
  // In another directory they would not belong to it.
  const related = path === copy.path ? await findRelated(copies, request, copy) : { copies: [], lacking: [] };
  const others = related.copies
    .filter((other) => !inFolder.some((each) => each.path === other.path))
    .map((other) => toRestorable(other.path, other, files));
  const all = [...inFolder, ...others];
  const damaged = all.flatMap((each) => {
    const { damages } = files.findMeaning(each.path) === null ? { damages: [] } : readOnce(each);
    return damages.length === 0 ? [] : [{ path: each.path, damages }];
  });
  const isDamaged = (each: { readonly path: string }) => damaged.some((file) => file.path === each.path);
  const unreadable = related.copies.filter(isDamaged).flatMap(({ neededId }) => neededId ?? []);
  return {
    from: 'archive',
    transcript: toRestorable(path, copy, files),
    beside: all.filter((each) => !isDamaged(each)),
    damaged,
    olderVersions: copy.versions.length - 1,
    lacking: [...related.lacking, ...unreadable],
  };
}

function withoutNewest(copy: Copy): Copy {
  if (copy.versions.length > 1) return { ...copy, versions: copy.versions.slice(1) };
  throw new UserError('only one version of this transcript is kept', {
    code: 'usage',
    hint: hint`leave out ${parameter('older')}`,
  });
}

/** `path` is where it was; null when it never was anywhere. */
function getMovedPath(
  { agent, nativeId }: ResumeTarget,
  files: SessionFiles,
  directory: string,
  path: string | null,
): string {
  const found = files.toMovedPath(directory, nativeId, path);
  if (found !== null) return found;
  throw new UserError(`${getSource(agent).name} resumes a session only in the directory where it ran`, {
    code: 'usage',
    hint: hint`leave out ${parameter('into')}`,
  });
}

/** Copies of the other files in the folder of the session. */
function findInFolder(copy: Copy, files: SessionFiles, nativeId: string, path: string): RestorableFile[] {
  const [from, to] = [files.toFolder(copy.path, nativeId), files.toFolder(path, nativeId)];
  if (from === null || to === null) return [];
  return [...eachCopy(copy.root, from)]
    .filter((each) => each.versions.length > 0 && each.path !== copy.path)
    .map((each) => toRestorable(`${to}${each.path.slice(from.length)}`, each, files));
}

function toRestorable(path: string, copy: Copy, files: SessionFiles): RestorableFile {
  const hasLines = files.findForm(path) === 'lines';
  const version = copy.versions[0] as Version;
  return { path, chunks: (onDamage) => eachRestoredChunk(readStretches(copy, version), hasLines, onDamage) };
}

/** `neededId`: the session, where the other is not resumed without it. */
type RelatedCopy = Copy & { readonly neededId: string | null };

/** Copies of other transcripts that come back with this one, unless they are on disk. */
async function findRelated(
  copies: TranscriptCopies,
  { store: { db }, target }: ContentRequest,
  copy: Copy,
): Promise<{ readonly copies: readonly RelatedCopy[]; readonly lacking: readonly string[] }> {
  const { agent, nativeId } = target;
  const { files, loadReader } = getSource(agent);
  const find = ({ root, path }: TranscriptPlace): Copy | 'on-disk' | null => {
    const paths = files?.toFormerPaths(path) ?? [];
    return paths.some((each) => isFile(join(root, each))) ? 'on-disk' : copies.find(agent, root, paths);
  };
  const related: RelatedCopy[] = [];
  const lacking: string[] = [];
  for (const known of readSubagentTranscripts(db, agent, nativeId)) {
    const found = find(known);
    if (found !== null && found !== 'on-disk') related.push({ ...found, neededId: null });
  }
  const seen = new Set([nativeId]);
  for (let next: readonly Copy[] = [copy]; next.length > 0; ) {
    const { findNeeded } = await loadReader(
      next.map(({ path }) => path),
      loadTools,
    );
    const ids = next.flatMap((each) => findNeeded?.(toCopiedFile(each)) ?? []).filter((id) => !seen.has(id));
    const needed: RelatedCopy[] = [];
    for (const id of ids) {
      seen.add(id);
      const known = findKnownTranscript(db, agent, id);
      const found = known === undefined ? null : find(known);
      if (found === null && (files?.findOnDisk(target.root, id) ?? null) === null) lacking.push(id);
      if (found !== null && found !== 'on-disk') needed.push({ ...found, neededId: id });
    }
    related.push(...needed);
    next = needed;
  }
  return { copies: related, lacking };
}

async function rebuildTranscript(
  { store: { db }, target, directory }: ContentRequest,
  files: SessionFiles,
): Promise<Pick<SessionContent, 'from' | 'transcript'> | null> {
  const { agent, nativeId, targetId, kind, path: oldPath } = target;
  const source = getSource(agent);
  const cwd = directory ?? source.findDirectory(target);
  let count = 0;
  for (const _ of eachSaid(db, targetId)) count++;
  if (cwd === null || count === 0 || !source.canRebuild(nativeId)) return null;
  const { rebuild } = await source.loadReader([], loadTools);
  if (rebuild === undefined) return null;
  const about = { nativeId, cwd, ...readRebuildFacts(db, targetId) };
  const path = directory === null && oldPath !== null ? oldPath : getMovedPath(target, files, cwd, oldPath);
  function* chunks(): Generator<Buffer> {
    for (const line of rebuild?.(about, eachSaid(db, targetId), count) ?? []) yield Buffer.from(`${line}\n`);
  }
  return { from: kind === 'history' ? 'prompts' : 'text', transcript: { path, chunks } };
}

/** The messages of a session without those of subagents, which are not part of the conversation with the model. */
function* eachSaid(db: Store['db'], sessionId: number): Generator<RebuiltMessage> {
  for (const row of readConversation(db, sessionId, wholeTranscript))
    if (row.type === 'message' && !row.message.isSidechain && row.message.text !== '') yield row.message;
}
