// What the archive has of a session, file by file: its transcript, what lies beside it, the transcripts of its subagents, and those
// without which its program could not resume it.

import { join } from 'node:path';
import { type KeptTranscript, KeptTranscripts, readKeptBelow } from '../../archive/find-kept.ts';
import type { KeptFile } from '../../archive/places.ts';
import { readStretches } from '../../archive/read-kept.ts';
import { toRestored } from '../../archive/restored-lines.ts';
import { toVersions, type Version } from '../../archive/versions.ts';
import { UserError } from '../../errors.ts';
import { hint, parameter } from '../../hints.ts';
import { loadTools } from '../../indexing/reader.ts';
import { isFile } from '../../sources/files/is-file.ts';
import { getSource } from '../../sources/index.ts';
import type { KeptBytes, SessionFiles } from '../../sources/kept-files.ts';
import type { Store } from '../../store/open/open-store.ts';
import {
  findKnownTranscript,
  type KnownTranscript,
  readSubagentTranscripts,
} from '../../store/read/read-archived-facts.ts';
import type { ResumeTarget } from '../../store/read/read-resume-targets.ts';
import type { Host } from '../host.ts';
import {
  type ContentOptions,
  type RestorableContent,
  type RestorableFile,
  readOnce,
} from './restorable-content.ts';

/** Null where no copy is kept. */
export async function findKeptContent(
  host: Host,
  store: Store,
  target: ResumeTarget,
  files: SessionFiles,
  { directory, older }: ContentOptions,
): Promise<RestorableContent | null> {
  const { agent, root, nativeId, path: known } = target;
  const transcripts = new KeptTranscripts(host.archivePath, host.machine);
  const found = known === null ? null : transcripts.find(agent, root, files.toFormerPaths(known));
  if (found === null) return null;
  const kept = older ? withoutNewest(found) : found;
  const { file, versions } = kept;
  const path = directory === null ? file.path : getMovedPath(target, files, directory, file.path);
  const folder = findBeside(kept, files, nativeId, path);
  // In another directory they would not belong to it.
  const related =
    path === file.path ? await findRelated(transcripts, store, target, kept) : { kept: [], lacking: [] };
  const others = related.kept.filter((one) => !folder.some((each) => each.path === one.file.path));
  const all = [
    ...folder,
    ...others.map((one) => toFile(one.file.path, one.file, one.versions[0] as Version, files)),
  ];
  const damaged = all.flatMap((each) => {
    const { damages } = files.findMeaning(each.path) === null ? { damages: [] } : readOnce(each);
    return damages.length === 0 ? [] : [{ path: each.path, damages }];
  });
  const isDamaged = (at: string) => damaged.some((each) => each.path === at);
  const unreadable = related.kept.filter(({ neededId, file }) => neededId !== null && isDamaged(file.path));
  return {
    from: 'archive',
    transcript: toFile(path, file, versions[0] as Version, files),
    beside: all.filter((each) => !isDamaged(each.path)),
    damaged,
    olderVersions: versions.length - 1,
    lacking: [...related.lacking, ...unreadable.flatMap(({ neededId }) => neededId ?? [])],
  };
}

function withoutNewest(kept: KeptTranscript): KeptTranscript {
  if (kept.versions.length > 1) return { ...kept, versions: kept.versions.slice(1) };
  throw new UserError('only one version of this transcript is kept', {
    code: 'usage',
    hint: hint`leave out ${parameter('older')}`,
  });
}

export function getMovedPath(
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

function findBeside(
  { root, file }: KeptTranscript,
  files: SessionFiles,
  nativeId: string,
  path: string,
): RestorableFile[] {
  const [from, to] = [files.toFolder(file.path, nativeId), files.toFolder(path, nativeId)];
  if (from === null || to === null) return [];
  return readKeptBelow(root, from).flatMap((each) => {
    const version = toVersions(each.segments).versions[0];
    const moved = `${to}${each.path.slice(from.length)}`;
    // The folder may hold the transcript itself.
    return version === undefined || each.path === file.path ? [] : [toFile(moved, each, version, files)];
  });
}

function toFile(path: string, { place }: KeptFile, version: Version, files: SessionFiles): RestorableFile {
  const hasLines = files.findForm(path) === 'lines';
  return { path, chunks: (onDamage) => toRestored(readStretches(place, version), hasLines, onDamage) };
}

interface Related {
  /** `neededId`: the session, where this one is not resumed without it. */
  readonly kept: readonly (KeptTranscript & { readonly neededId: string | null })[];
  readonly lacking: readonly string[];
}

/** Copies of other transcripts that come back with this one, unless they are there. */
async function findRelated(
  transcripts: KeptTranscripts,
  { db }: Store,
  { agent, nativeId, root: targetRoot }: ResumeTarget,
  kept: KeptTranscript,
): Promise<Related> {
  const { files, loadReader } = getSource(agent);
  const find = ({ root, path }: KnownTranscript): KeptTranscript | 'there' | null => {
    const former = files?.toFormerPaths(path) ?? [];
    return former.some((each) => isFile(join(root, each))) ? 'there' : transcripts.find(agent, root, former);
  };
  const related: Related['kept'][number][] = [];
  const lacking: string[] = [];
  for (const known of readSubagentTranscripts(db, agent, nativeId)) {
    const found = find(known);
    if (found !== null && found !== 'there') related.push({ ...found, neededId: null });
  }
  const seen = new Set([nativeId]);
  for (let next: readonly KeptTranscript[] = [kept]; next.length > 0; ) {
    const { findNeeded } = await loadReader(
      next.map(({ file }) => file.path),
      loadTools,
    );
    const ids = next.flatMap((each) => findNeeded?.(toKeptBytes(each)) ?? []).filter((id) => !seen.has(id));
    const needed: Related['kept'][number][] = [];
    for (const id of ids) {
      seen.add(id);
      const known = findKnownTranscript(db, agent, id);
      const found = known === undefined ? null : find(known);
      if (found === null && (files?.findOnDisk(targetRoot, id) ?? null) === null) lacking.push(id);
      if (found !== null && found !== 'there') needed.push({ ...found, neededId: id });
    }
    related.push(...needed);
    next = needed;
  }
  return { kept: related, lacking };
}

/** Up to a part that is damaged. */
function toKeptBytes({ file, versions }: KeptTranscript): KeptBytes {
  const [newest] = versions;
  return {
    path: file.path,
    *chunks() {
      if (newest === undefined) return;
      for (const stretch of readStretches(file.place, newest)) {
        if ('damage' in stretch) return;
        yield stretch.bytes;
      }
    },
  };
}
