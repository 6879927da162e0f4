// Indexes sessions of which only the archive has a copy, once for each index and each version of the reader.

import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type ArchiveRoot, type Copy, eachCopy, readArchiveRoots } from '../../archive/layout.ts';
import { eachRestoredChunk, writeAll } from '../../archive/restore-file.ts';
import { readStretches } from '../../archive/segments.ts';
import { type ArchivedRoot, isTakenIn, setTakenIn, takeInArchived } from '../../indexing/carry-out.ts';
import { agents, type SidecarFile, type TranscriptFile } from '../../records.ts';
import { isFile } from '../../sources/files/open-file.ts';
import { getSource } from '../../sources/index.ts';
import type { Store } from '../../store/open/open-store.ts';
import type { Host } from '../host.ts';

/** Folders of unpacked files; a killed run has left its own. */
const prefix = '.unpacked-';

/** How many transcripts were read. */
export async function indexCopies(host: Host, store: Store): Promise<number> {
  const { archivePath: path, signal, threads } = host;
  const due = agents.filter((agent) => getSource(agent).files !== null && !isTakenIn(store, { agent, path }));
  if (due.length === 0) return 0;
  for (const name of readdirSync(path))
    if (name.startsWith(prefix)) rmSync(join(path, name), { recursive: true });
  const folder = mkdtempSync(join(path, prefix));
  let count = 0;
  try {
    for (const root of readArchiveRoots(path).filter(({ agent }) => due.includes(agent)))
      count += await takeInArchived(store, findArchivedOnly(root, folder), {
        signal,
        threads,
        isTimeUp: () => false,
        onProgress: (progress) => host.onEvent({ type: 'progress', progress }),
      });
    for (const agent of due) setTakenIn(store, { agent, path });
  } finally {
    host.onEvent({ type: 'progress-end' });
    rmSync(folder, { recursive: true, force: true });
  }
  return count;
}

/** What is still on disk is read from there. Files are unpacked to `folder`. */
function findArchivedOnly(root: ArchiveRoot, folder: string): ArchivedRoot {
  const { files } = getSource(root.agent);
  const byPath = new Map<string, Copy>();
  const transcripts: TranscriptFile[] = [];
  const sidecars: SidecarFile[] = [];
  for (const copy of eachCopy(root)) {
    const [version] = copy.versions;
    if (version === undefined || isFile(join(root.path, copy.path))) continue;
    const { transcript = null, sidecar = null } = files?.findMeaning(copy.path) ?? {};
    const found = transcript ?? sidecar;
    if (found !== null) byPath.set(found.path, copy);
    const last = `${copy.folder}/${version.segments.at(-1)?.name}`;
    const mtimeMs = statSync(last, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    // No file on disk has the same.
    const stamp = { sizeBytes: version.sizeBytes, mtimeMs, ctimeMs: 0, inode: 0 };
    if (transcript !== null && !transcript.isMachinery) transcripts.push({ ...transcript, ...stamp });
    if (sidecar !== null) sidecars.push({ ...sidecar, ...stamp });
  }
  let unpacked = 0;
  return {
    root: { agent: root.agent, path: root.path },
    transcripts,
    sidecars,
    unpack: (path) => {
      // How a file is read may depend on how its name ends.
      const target = `${folder}/${unpacked++}${extname(path)}`;
      unpack(byPath.get(path), target, files?.findForm(path) === 'lines');
      return target;
    },
    discard: (path) => rmSync(path, { force: true }),
  };
}

function unpack(copy: Copy | undefined, path: string, hasLines: boolean): void {
  const fd = openSync(path, 'wx', 0o600);
  try {
    const version = copy?.versions[0];
    if (copy !== undefined && version !== undefined)
      writeAll(fd, eachRestoredChunk(readStretches(copy, version), hasLines));
  } finally {
    closeSync(fd);
  }
}
