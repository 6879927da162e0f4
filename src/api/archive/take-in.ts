// The archive as a source: sessions that are left nowhere else are read from it, once for each index and each version of the
// reader.

import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { extname, join } from 'node:path';
import { eachKeptFile, type KeptFile, type KeptRoot, readKeptRoots } from '../../archive/places.ts';
import { readStretches } from '../../archive/read-kept.ts';
import { toRestored } from '../../archive/restored-lines.ts';
import { toVersions, type Version } from '../../archive/versions.ts';
import { type ArchivedRoot, isTakenIn, setTakenIn, takeInArchived } from '../../indexing/carry-out.ts';
import { agents, type FileStamp } from '../../records.ts';
import { isFile } from '../../sources/files/is-file.ts';
import { getSource } from '../../sources/index.ts';
import type { Store } from '../../store/open/open-store.ts';
import type { Host } from '../host.ts';

/** Folders of unpacked files; a killed run has left its own. */
const prefix = '.unpacked-';

/** How many transcripts were read. */
export async function takeIn(host: Host, store: Store): Promise<number> {
  const { archivePath: path, signal, threads } = host;
  const due = agents.filter((agent) => getSource(agent).files !== null && !isTakenIn(store, { agent, path }));
  if (due.length === 0) return 0;
  for (const name of readdirSync(path))
    if (name.startsWith(prefix)) rmSync(join(path, name), { recursive: true });
  const folder = mkdtempSync(join(path, prefix));
  let count = 0;
  try {
    for (const kept of readKeptRoots(path).filter(({ agent }) => due.includes(agent)))
      count += await takeInArchived(store, toArchivedRoot(kept, folder), {
        ...{ signal, threads, isTimeUp: () => false },
        onProgress: (progress) => host.onEvent({ type: 'progress', progress }),
      });
    for (const agent of due) setTakenIn(store, { agent, path });
  } finally {
    host.onEvent({ type: 'progress-end' });
    rmSync(folder, { recursive: true, force: true });
  }
  return count;
}

/** What is still on disk is read from there. */
function toArchivedRoot(kept: KeptRoot, folder: string): ArchivedRoot {
  const { files } = getSource(kept.agent);
  const byPath = new Map<string, { file: KeptFile; version: Version }>();
  const transcripts: ArchivedRoot['transcripts'][number][] = [];
  const sidecars: ArchivedRoot['sidecars'][number][] = [];
  for (const file of eachKeptFile(kept)) {
    const version = toVersions(file.segments).versions[0];
    if (version === undefined || isFile(join(kept.path, file.path))) continue;
    const { transcript = null, sidecar = null } = files?.findMeaning(file.path) ?? {};
    const stamp = readStamp(file, version);
    const found = transcript ?? sidecar;
    if (found !== null) byPath.set(found.path, { file, version });
    if (transcript !== null && !transcript.isMachinery) transcripts.push({ ...transcript, ...stamp });
    if (sidecar !== null) sidecars.push({ ...sidecar, ...stamp });
  }
  let unpacked = 0;
  return {
    root: { agent: kept.agent, path: kept.path },
    ...{ transcripts, sidecars },
    // How a file is read may depend on how its name ends.
    unpack: (path) =>
      unpack(byPath.get(path), `${folder}/${unpacked++}${extname(path)}`, files?.findForm(path) === 'lines'),
    discard: (path) => rmSync(path, { force: true }),
  };
}

/** As far as it is known; no file on disk has the same. */
function readStamp({ place }: KeptFile, { segments, sizeBytes }: Version): FileStamp {
  const name = segments.at(-1)?.name ?? '';
  const found = statSync(`${place.folder}/${name}`, { throwIfNoEntry: false });
  return { sizeBytes, mtimeMs: found?.mtimeMs ?? 0, ctimeMs: 0, inode: 0 };
}

function unpack(
  kept: { file: KeptFile; version: Version } | undefined,
  path: string,
  hasLines: boolean,
): string {
  const fd = openSync(path, 'wx', 0o600);
  try {
    const stretches = kept === undefined ? [] : readStretches(kept.file.place, kept.version);
    for (const bytes of toRestored(stretches, hasLines, () => {}))
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
  } finally {
    closeSync(fd);
  }
  return path;
}
