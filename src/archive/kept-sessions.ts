// What is kept, by session: how much, how old. Reads names and sizes, and unpacks nothing.

import { statSync } from 'node:fs';
import type { AgentName } from '../records.ts';
import type { SessionFiles } from '../sources/kept-files.ts';
import { eachKeptFile, type KeptFile, type KeptRoot, readKeptRoots } from './places.ts';
import { toVersions } from './versions.ts';

export interface KeptSession {
  readonly agent: AgentName;
  /** Its id as paths name it. */
  readonly owner: string;
  readonly files: (KeptFile & { readonly root: KeptRoot })[];
  /** What it takes in the archive. */
  bytes: number;
  /** Its files as they were last. */
  transcriptBytes: number;
  /** When the newest of them was last written. */
  modifiedAtMs: number;
}

/** By agent and owner. */
export function readKeptSessions(
  archive: string,
  getFiles: (agent: AgentName) => SessionFiles | null,
): Map<string, KeptSession> {
  const sessions = new Map<string, KeptSession>();
  for (const root of readKeptRoots(archive)) {
    const files = getFiles(root.agent);
    if (files === null) continue;
    for (const file of eachKeptFile(root)) {
      const owner = files.findOwner(file.path);
      if (owner !== null) add(sessions, owner, root, file);
    }
  }
  return sessions;
}

export function toOwnerKey(agent: string, owner: string): string {
  return `${agent} ${owner}`;
}

function add(sessions: Map<string, KeptSession>, owner: string, root: KeptRoot, file: KeptFile): void {
  const key = toOwnerKey(root.agent, owner);
  const session = sessions.get(key) ?? {
    ...{ agent: root.agent, owner, files: [] },
    ...{ bytes: 0, transcriptBytes: 0, modifiedAtMs: 0 },
  };
  sessions.set(key, session);
  session.files.push({ ...file, root });
  session.transcriptBytes += toVersions(file.segments).versions[0]?.sizeBytes ?? 0;
  for (const { name } of file.segments) {
    const found = statSync(`${file.place.folder}/${name}`, { throwIfNoEntry: false });
    session.bytes += found?.size ?? 0;
    session.modifiedAtMs = Math.max(session.modifiedAtMs, found?.mtimeMs ?? 0);
  }
}
