// Where Codex keeps its rollouts: by day below sessions/, flat in archived_sessions/, and either may be compressed. Pure: it
// looks at names only.

import type { Layout, Meaning, Place } from '../files/layout.ts';

interface CodexPlace extends Place {
  /** How many folders below this one are still looked into: year, month, day. */
  readonly depth: number;
}

const base = { hasSessionFolders: false, isSessionFolder: false };
const stores: readonly CodexPlace[] = [
  { ...base, folder: 'sessions', depth: 3 },
  { ...base, folder: 'archived_sessions', depth: 0 },
];

/** The names that people gave to sessions. */
const namesFile = 'session_index.jsonl';
const names: Meaning = {
  transcript: null,
  sidecar: { path: namesFile, kind: 'sessions-index', slug: '', nativeId: null, parentNativeId: null },
};

const rollout = /^rollout-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-(.+?)\.jsonl(?:\.zst)?$/s;

export function isArchived(path: string): boolean {
  return path.startsWith('archived_sessions/');
}

export function isCompressed(path: string): boolean {
  return path.endsWith('.zst');
}

function toMeaning({ folder }: CodexPlace, name: string): Meaning {
  const transcript = {
    path: `${folder}/${name}`,
    kind: 'main' as const,
    nativeId: rollout.exec(name)?.[1] ?? name,
    parentNativeId: null,
    slug: null,
    isMachinery: false,
  };
  return { transcript, sidecar: null };
}

export const layout: Layout<CodexPlace> = {
  stores,
  rootFiles: new Map([[namesFile, names]]),
  toPlaceBelow: ({ folder, depth }, name) =>
    depth > 0 && /^\d{2,4}$/.test(name) ? { ...base, folder: `${folder}/${name}`, depth: depth - 1 } : null,
  isOfInterest: (_place, name) => rollout.test(name),
  isTranscript: (name) => name.startsWith('rollout-'),
  isWrittenOnce: () => false,
  toMeaning,
  toSessionFolder: ({ folder }, name) => `${folder}/${name}`,
};
