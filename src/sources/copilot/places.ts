// Where Copilot CLI keeps its sessions: each has a folder, named by its id. Pure: it looks at names only.

import type { Layout, Place } from '../files/layout.ts';

interface CopilotPlace extends Place {
  /** The session whose folder this is. */
  readonly nativeId: string | null;
}

const base = { hasSessionFolders: false, isSessionFolder: false };
export const store = 'session-state';
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
