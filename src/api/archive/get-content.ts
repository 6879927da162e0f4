// Finds what can be written to bring a session back: from the archive with all that belongs to it, else a transcript that is
// rebuilt from the index. Of a damaged copy, what can be read, if the index then keeps what it has of the rest; where nothing can
// be read, the index again. Anything else is refused: the index would take what is left for all that there was.

import type { Damage } from '../../archive/read-kept.ts';
import { UserError } from '../../errors.ts';
import { hint, recall } from '../../hints.ts';
import { loadTools } from '../../indexing/reader.ts';
import { sessionKinds } from '../../records.ts';
import { getSource } from '../../sources/index.ts';
import type { RebuiltMessage, SessionFiles } from '../../sources/kept-files.ts';
import type { Store } from '../../store/open/open-store.ts';
import { readRebuildFacts } from '../../store/read/read-archived-facts.ts';
import { readConversation, wholeTranscript } from '../../store/read/read-conversation.ts';
import type { ResumeTarget } from '../../store/read/read-resume-targets.ts';
import { toPrintableLine } from '../../text/printable.ts';
import type { Host } from '../host.ts';
import { findKeptContent, getMovedPath } from './kept-content.ts';
import {
  type ContentOptions,
  type RestorableContent,
  type RestorableFile,
  readOnce,
} from './restorable-content.ts';

/** `isIndexed`: it goes where the index will read it. */
export async function getContent(
  host: Host,
  store: Store,
  target: ResumeTarget,
  options: ContentOptions & { readonly isIndexed: boolean },
): Promise<RestorableContent> {
  const content = await findContent(host, store, target, options);
  if (content === null) throw notRestorable(target);
  return content;
}

async function findContent(
  host: Host,
  store: Store,
  target: ResumeTarget,
  { isIndexed, ...options }: ContentOptions & { readonly isIndexed: boolean },
): Promise<RestorableContent | null> {
  const { agent, kind } = target;
  const { files } = getSource(agent);
  if (files === null || !(sessionKinds[kind].isResumable || kind === 'history')) return null;
  const kept = await findKeptContent(host, store, target, files, options);
  if (kept === null) return rebuildTranscript(store, target, files, options.directory);
  const { bytes, lines, damages } = readOnce(kept.transcript);
  if (damages.length === 0) return kept;
  if (bytes === 0) {
    // An empty transcript resumes nothing.
    const rebuilt = await rebuildTranscript(store, target, files, options.directory);
    if (rebuilt === null) throw damagedError(target, damages, false);
    return { ...kept, from: rebuilt.from, transcript: withDamages(rebuilt.transcript, damages) };
  }
  if (!isIndexed) return kept;
  const { toRebuiltMarker } = await getSource(agent).loadReader([], loadTools);
  if (toRebuiltMarker === undefined) throw damagedError(target, damages, true);
  return { ...kept, transcript: withFirstLine(kept.transcript, toRebuiltMarker(target.nativeId, lines)) };
}

function withFirstLine(file: RestorableFile, line: string): RestorableFile {
  return {
    ...file,
    *chunks(onDamage) {
      yield Buffer.from(`${line}\n`);
      yield* file.chunks(onDamage);
    },
  };
}

function damagedError({ nativeId }: ResumeTarget, damages: readonly Damage[], isPartly: boolean): UserError {
  const id = toPrintableLine(nativeId);
  const [first] = damages;
  const what = `${toPrintableLine(first?.path ?? '')}: ${first?.reason}`;
  const read = hint`read it with: ${recall('show', id)}`;
  return new UserError(
    isPartly
      ? `the copy of ${id} is damaged and is not restored, so that the index keeps the text of the part that is lost: ${what}`
      : `nothing of the copy of ${id} can be read: ${what}`,
    {
      code: 'not-restorable',
      hint: isPartly
        ? hint`to write what can be read of it: ${recall('restore', id, '-o', '<file>')}; or ${read}`
        : read,
      exitCode: 1,
    },
  );
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

function withDamages(file: RestorableFile, damages: readonly Damage[]): RestorableFile {
  return {
    ...file,
    chunks(onDamage) {
      for (const damage of damages) onDamage(damage);
      return file.chunks(onDamage);
    },
  };
}

async function rebuildTranscript(
  { db }: Store,
  target: ResumeTarget,
  files: SessionFiles,
  directory: string | null,
): Promise<RestorableContent | null> {
  const { agent, nativeId, targetId, kind, path: oldPath } = target;
  const source = getSource(agent);
  const cwd = directory ?? source.findDirectory(target);
  const count = countSaid(db, targetId);
  if (cwd === null || count === 0 || !source.canRebuild(nativeId)) return null;
  const { rebuild } = await source.loadReader([], loadTools);
  if (rebuild === undefined) return null;
  const about = { nativeId, cwd, ...readRebuildFacts(db, targetId) };
  const path = directory === null && oldPath !== null ? oldPath : getMovedPath(target, files, cwd, oldPath);
  const chunks = () => toChunks(rebuild(about, eachSaid(db, targetId), count));
  return {
    from: kind === 'history' ? 'prompts' : 'text',
    transcript: { path, chunks },
    ...{ beside: [], damaged: [] },
    olderVersions: 0,
    lacking: [],
  };
}

function* toChunks(lines: Iterable<string>): Generator<Buffer> {
  for (const line of lines) yield Buffer.from(`${line}\n`);
}

/** What a subagent said is not part of the conversation with the model. */
function* eachSaid(db: Store['db'], sessionId: number): Generator<RebuiltMessage> {
  for (const row of readConversation(db, sessionId, wholeTranscript))
    if (row.type === 'message' && row.message.isSidechain === 0 && row.message.text !== '') yield row.message;
}

function countSaid(db: Store['db'], sessionId: number): number {
  let count = 0;
  for (const _ of eachSaid(db, sessionId)) count++;
  return count;
}
