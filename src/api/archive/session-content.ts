// Finds what can be written to restore a session: its copies in the archive with all that belongs to it, else a transcript that
// is rebuilt from the indexed text. Of a damaged copy, what can be read, if the index then keeps what it has of the rest; where
// nothing can be read, the text again. Anything else is refused: the index would take what is left for all that there was.

import { join } from 'node:path';
import { type Copy, eachCopy, TranscriptCopies } from '../../archive/layout.ts';
import { eachRestoredChunk } from '../../archive/restore-file.ts';
import { type Damage, readStretches, toKeptBytes } from '../../archive/segments.ts';
import { UserError } from '../../errors.ts';
import { type Hint, hint, parameter, recall } from '../../hints.ts';
import { loadTools } from '../../indexing/reader.ts';
import { sessionKinds } from '../../records.ts';
import { isFile } from '../../sources/files/open-file.ts';
import { getSource } from '../../sources/index.ts';
import type { RebuiltMessage, SessionFiles } from '../../sources/kept-files.ts';
import type { Store } from '../../store/open/open-store.ts';
import {
  findKnownTranscript,
  readRebuildFacts,
  readSubagentTranscripts,
  type TranscriptPlace,
} from '../../store/read/known-files.ts';
import { readConversation, wholeTranscript } from '../../store/read/read-conversation.ts';
import type { ResumeTarget } from '../../store/read/sessions.ts';
import { toPrintableLine } from '../../text/printable.ts';
import type { Host } from '../host.ts';

export interface ContentRequest {
  readonly host: Host;
  readonly store: Store;
  readonly target: ResumeTarget;
  /** Where it is to be resumed, if not where it ran. */
  readonly directory: string | null;
  /** The version before the last, where both are kept. */
  readonly older: boolean;
  /** It goes where the index will read it. */
  readonly isIndexed: boolean;
}

export interface SessionContent {
  readonly from: 'archive' | 'text' | 'prompts';
  readonly transcript: RestorableFile;
  readonly beside: readonly RestorableFile[];
  /** Files beside it that the index reads, and of which a part is lost: written, they would take the place of the indexed text. */
  readonly damaged: readonly { readonly path: string; readonly damages: readonly Damage[] }[];
  readonly olderVersions: number;
  /** The ids of sessions that are needed to resume it, and cannot be restored. */
  readonly lacking: readonly string[];
}

export interface RestorableFile {
  /** Where it goes, relative to its root. */
  readonly path: string;
  chunks(onDamage: (damage: Damage) => void): Iterable<Buffer>;
}

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

/** Null where there is no copy of its transcript. */
async function findCopiedContent(
  request: ContentRequest,
  files: SessionFiles,
): Promise<SessionContent | null> {
  const { host, target, directory, older } = request;
  const copies = new TranscriptCopies(host.archivePath, host.machine);
  const found =
    target.path === null ? null : copies.find(target.agent, target.root, files.toFormerPaths(target.path));
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

/** In the folder of the session, which may hold the transcript itself. */
function findInFolder(copy: Copy, files: SessionFiles, nativeId: string, path: string): RestorableFile[] {
  const [from, to] = [files.toFolder(copy.path, nativeId), files.toFolder(path, nativeId)];
  if (from === null || to === null) return [];
  return [...eachCopy(copy.root, from)]
    .filter((each) => each.versions.length > 0 && each.path !== copy.path)
    .map((each) => toRestorable(`${to}${each.path.slice(from.length)}`, each, files));
}

function toRestorable(path: string, copy: Copy, files: SessionFiles): RestorableFile {
  const [version] = copy.versions;
  const stretches = () => (version === undefined ? [] : readStretches(copy, version));
  const hasLines = files.findForm(path) === 'lines';
  return { path, chunks: (onDamage) => eachRestoredChunk(stretches(), hasLines, onDamage) };
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
    const ids = next.flatMap((each) => findNeeded?.(toKeptBytes(each)) ?? []).filter((id) => !seen.has(id));
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

/** What a subagent said is not part of the conversation with the model. */
function* eachSaid(db: Store['db'], sessionId: number): Generator<RebuiltMessage> {
  for (const row of readConversation(db, sessionId, wholeTranscript))
    if (row.type === 'message' && !row.message.isSidechain && row.message.text !== '') yield row.message;
}
