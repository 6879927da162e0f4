// Where Copilot CLI keeps its sessions: each has a folder, named by its id. Pure: it looks at names only.

import type { Layout, Place } from '../files/layout.ts';
import { toUsualFiles } from '../files/usual-files.ts';
import type { SessionFiles } from '../kept-files.ts';

interface CopilotPlace extends Place {
  /** The session whose folder this is. */
  readonly nativeId: string | null;
}

const base = { hasSessionFolders: false, isSessionFolder: false };
const store = 'session-state';
const events = 'events.jsonl';
const workspace = 'workspace.yaml';

export const layout: Layout<CopilotPlace> = {
  stores: [{ ...base, folder: store, nativeId: null }],
  rootFiles: new Map(),
  toPlaceBelow: ({ folder, nativeId }, name) =>
    nativeId === null ? { ...base, folder: `${folder}/${name}`, nativeId: name } : null,
  isOfInterest: ({ nativeId }, name) => nativeId !== null && (name === events || name === workspace),
  isTranscript: (name) => name === events,
  isWrittenOnce: () => false,
  toMeaning: ({ folder, nativeId }, name) => {
    const found = { path: `${folder}/${name}`, parentNativeId: null, nativeId: nativeId ?? '' };
    return name === events
      ? { transcript: { ...found, kind: 'main', slug: null, isMachinery: false }, sidecar: null }
      : { transcript: null, sidecar: { ...found, kind: 'workspace', slug: '' } };
  },
  toSessionFolder: ({ folder }, name) => `${folder}/${name}`,
};

/**
 * What is in the folder of a session belongs to it, but for locks and databases, which are of a running program, and for the files
 * of the project as they were before each turn, which it does not need to be resumed.
 */
function findOwner(path: string): string | null {
  const [folder, nativeId, ...rest] = path.split('/');
  const name = rest.at(-1) ?? '';
  const isLock = name.startsWith('.') || /\.(lock|db|db-wal|db-shm)$/.test(name);
  const isOfProgram = isLock || rest[0] === 'rewind-file-snapshots';
  return folder === store && nativeId !== undefined && name !== '' && !isOfProgram ? nativeId : null;
}

export const sessionFiles: SessionFiles = {
  ...toUsualFiles(layout),
  findOwner,
  toFolder: (_path, nativeId) => `${store}/${nativeId}`,
};
