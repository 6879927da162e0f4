// Where Gemini CLI keeps its sessions: below tmp/ a folder for each project, with chats/, in which a session's subagents
// have a folder of their own. Pure: it looks at names only. The whole id of a session is only in its file.

import type { Layout, Meaning, Place } from '../files/layout.ts';

interface GeminiPlace extends Place {
  readonly holds: 'projects' | 'project' | 'chats' | 'subagents';
  readonly slug: string | null;
  /** The session whose subagents these are. */
  readonly nativeId: string | null;
}

const base = { hasSessionFolders: false, isSessionFolder: false, slug: null, nativeId: null };

function toPlaceBelow({ holds, folder, slug }: GeminiPlace, name: string): GeminiPlace | null {
  const below = { ...base, folder: `${folder}/${name}`, slug };
  if (holds === 'projects') return { ...below, holds: 'project', slug: name };
  if (holds === 'project') return name === 'chats' ? { ...below, holds: 'chats' } : null;
  return holds === 'chats' ? { ...below, holds: 'subagents', nativeId: name } : null;
}

const session = /^session-.+\.jsonl?$/s;

function toMeaning({ holds, folder, slug, nativeId: parentNativeId }: GeminiPlace, name: string): Meaning {
  const kind = holds === 'subagents' ? ('subagent' as const) : ('main' as const);
  const nativeId = name.replace(/\.jsonl?$/, '');
  const path = `${folder}/${name}`;
  return { transcript: { path, kind, nativeId, parentNativeId, slug, isMachinery: false }, sidecar: null };
}

export const layout: Layout<GeminiPlace> = {
  stores: [{ ...base, folder: 'tmp', holds: 'projects' }],
  rootFiles: new Map(),
  toPlaceBelow,
  isOfInterest: ({ holds }, name) =>
    holds === 'chats' ? session.test(name) : holds === 'subagents' && /\.jsonl?$/.test(name),
  isTranscript: () => true,
  isWrittenOnce: () => false,
  toMeaning,
  toSessionFolder: ({ folder }, name) => `${folder}/${name}`,
};
