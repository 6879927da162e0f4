// Where Qwen Code keeps its chats: below projects/ a folder for each directory, with chats/ and subagents/. Pure: it looks at
// names only.

import type { Layout, Meaning, Place } from '../files/layout.ts';

interface QwenPlace extends Place {
  readonly holds: 'projects' | 'project' | 'chats' | 'parents' | 'subagents';
  readonly slug: string | null;
  /** The session whose subagents these are. */
  readonly nativeId: string | null;
}

const base = { hasSessionFolders: false, isSessionFolder: false, slug: null, nativeId: null };

function toPlaceBelow({ holds, folder, slug }: QwenPlace, name: string): QwenPlace | null {
  const below = { ...base, folder: `${folder}/${name}`, slug };
  if (holds === 'projects') return { ...below, holds: 'project', slug: name };
  if (holds === 'project' && name === 'chats') return { ...below, holds: 'chats' };
  if (holds === 'project' && name === 'subagents') return { ...below, holds: 'parents' };
  return holds === 'parents' ? { ...below, holds: 'subagents', nativeId: name } : null;
}

const chat = /^(.+)\.jsonl$/s;
const subagent = /^agent-(.+)\.jsonl$/s;
const subagentMeta = /^agent-(.+)\.meta\.json$/s;

function isOfInterest({ holds }: QwenPlace, name: string): boolean {
  if (holds === 'chats') return chat.test(name);
  return holds === 'subagents' && (subagent.test(name) || subagentMeta.test(name));
}

function toMeaning({ holds, folder, slug, nativeId: parentNativeId }: QwenPlace, name: string): Meaning {
  const path = `${folder}/${name}`;
  if (holds === 'chats') {
    const nativeId = chat.exec(name)?.[1] ?? name;
    const transcript = {
      path,
      kind: 'main' as const,
      nativeId,
      parentNativeId: null,
      slug,
      isMachinery: false,
    };
    return { transcript, sidecar: null };
  }
  const nativeId = subagent.exec(name)?.[1];
  if (nativeId === undefined) {
    const described = subagentMeta.exec(name)?.[1] ?? null;
    const sidecar = { path, kind: 'agent-meta', slug: slug ?? '', nativeId: described, parentNativeId };
    return { transcript: null, sidecar };
  }
  const transcript = { path, kind: 'subagent' as const, nativeId, parentNativeId, slug, isMachinery: false };
  return { transcript, sidecar: null };
}

export const layout: Layout<QwenPlace> = {
  stores: [{ ...base, folder: 'projects', holds: 'projects' }],
  rootFiles: new Map(),
  toPlaceBelow,
  isOfInterest,
  isTranscript: (name) => name.endsWith('.jsonl'),
  isWrittenOnce: () => false,
  toMeaning,
  toSessionFolder: ({ folder }, name) => `${folder}/${name}`,
};
