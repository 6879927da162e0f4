// What can be written to bring a session back, file by file: from the archive with all that belongs to it, else a transcript
// that is rebuilt from the index. Of a damaged copy, what can be read; where that is nothing, the index again.

import type { Damage } from '../../archive/read-kept.ts';
import { loadTools } from '../../indexing/load-tools.ts';
import { sessionKinds } from '../../records.ts';
import { getSource } from '../../sources/index.ts';
import type { RebuiltMessage, SessionFiles } from '../../sources/kept-files.ts';
import type { Store } from '../../store/open/open-store.ts';
import { readRebuildFacts } from '../../store/read/read-archived-facts.ts';
import { readConversation, wholeTranscript } from '../../store/read/read-conversation.ts';
import type { ResumeTarget } from '../../store/read/read-resume-targets.ts';
import type { Host } from '../host.ts';
import { findKeptContent, getMovedPath } from './kept-content.ts';

export interface RestorableFile {
  /** Where it goes, relative to its root. */
  readonly path: string;
  chunks(onDamage: (damage: Damage) => void): Iterable<Buffer>;
}

export interface RestorableContent {
  readonly from: 'archive' | 'text' | 'prompts';
  readonly transcript: RestorableFile;
  readonly beside: readonly RestorableFile[];
  readonly olderVersions: number;
  /** The ids of sessions that are needed to resume it, and are left nowhere. */
  readonly lacking: readonly string[];
}

export interface ContentOptions {
  /** Where it is to be resumed, if not where it ran. */
  readonly directory: string | null;
  /** The version before the last, where both are kept. */
  readonly older: boolean;
}

const newline = 10;

/** Null where nothing is left. */
export async function findContent(
  host: Host,
  store: Store,
  target: ResumeTarget,
  options: ContentOptions,
): Promise<RestorableContent | null> {
  const { agent, kind } = target;
  const { files } = getSource(agent);
  if (files === null || !(sessionKinds[kind].isResumable || kind === 'history')) return null;
  const kept = await findKeptContent(host, store, target, files, options);
  if (kept === null) return rebuildTranscript(store, target, files, options.directory);
  const { lines, damages } = readOnce(kept.transcript);
  if (damages.length === 0) return kept;
  // An empty transcript resumes nothing.
  const rebuilt = lines > 0 ? null : await rebuildTranscript(store, target, files, options.directory);
  if (rebuilt !== null) {
    const { from, transcript } = rebuilt;
    return { ...kept, from, transcript: withDamages(transcript, damages) };
  }
  return { ...kept, transcript: await withMarker(kept.transcript, target, lines) };
}

/** What is damaged decides what is written, and is known only when all of it was read. */
function readOnce({ chunks }: RestorableFile): { lines: number; damages: readonly Damage[] } {
  const damages: Damage[] = [];
  let lines = 0;
  for (const chunk of chunks((damage) => damages.push(damage)))
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) lines++;
  return { lines, damages };
}

/** The index still has the text of what is lost, and must not take the rest for all that there was. */
async function withMarker(
  file: RestorableFile,
  { agent, nativeId }: ResumeTarget,
  lines: number,
): Promise<RestorableFile> {
  const { toRebuiltMarker } = await getSource(agent).loadReader([], loadTools);
  if (toRebuiltMarker === undefined) return file;
  return {
    ...file,
    *chunks(onDamage) {
      yield Buffer.from(`${toRebuiltMarker(nativeId, lines)}\n`);
      yield* file.chunks(onDamage);
    },
  };
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
    beside: [],
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
