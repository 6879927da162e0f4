// Qwen Code: all that recall knows of its files and habits, behind the interface of a source.

import { join, resolve } from 'node:path';
import { asSidecar, asTranscript, type FileLayout, type FilePlace, type Meaning } from '../files/layout.ts';
import type { Source } from '../source.ts';
import { findRunning, isPlainId, keepsFiles, keepsFolder, usualSource } from '../usual.ts';

/** Below projects/ there is a folder for each directory, with chats/ and subagents/<id of the session>/. */
interface QwenPlace extends FilePlace {
  readonly holds: 'projects' | 'project' | 'chats' | 'parents' | 'subagents';
  readonly slug?: string;
  readonly nativeId?: string;
}

function findPlaceBelow({ holds, folder, slug }: QwenPlace, name: string): QwenPlace | null {
  const below = { folder: `${folder}/${name}`, slug };
  if (holds === 'projects') return { ...below, holds: 'project', slug: name };
  if (holds === 'project' && name === 'chats') return { ...below, holds: 'chats' };
  if (holds === 'project' && name === 'subagents') return { ...below, holds: 'parents' };
  return holds === 'parents' ? { ...below, holds: 'subagents', nativeId: name } : null;
}

const chat = /^(.+)\.jsonl$/s;
const subagent = /^agent-(.+)\.jsonl$/s;
const subagentMeta = /^agent-(.+)\.meta\.json$/s;

function findMeaning(place: QwenPlace, name: string): Meaning | null {
  const { holds, folder, slug, nativeId: parentNativeId } = place;
  const path = `${folder}/${name}`;
  if (holds === 'chats') {
    const nativeId = chat.exec(name)?.[1];
    return nativeId === undefined ? null : asTranscript({ path, kind: 'main', nativeId, slug });
  }
  if (holds !== 'subagents') return null;
  const nativeId = subagent.exec(name)?.[1];
  if (nativeId !== undefined) return asTranscript({ path, kind: 'subagent', nativeId, parentNativeId, slug });
  const described = subagentMeta.exec(name)?.[1];
  if (described === undefined) return null;
  return asSidecar({ path, kind: 'agent-meta', slug, nativeId: described, parentNativeId });
}

const layout: FileLayout<QwenPlace> = {
  stores: [{ folder: 'projects', holds: 'projects' }],
  findPlaceBelow,
  isTranscript: (name) => name.endsWith('.jsonl'),
  findMeaning,
};

/** Subagents are beside the folder of the chats. */
function toFolder(path: string, nativeId: string): string | null {
  const [store, slug, holds] = path.split('/');
  return holds === undefined ? null : `${store}/${slug}/subagents/${nativeId}`;
}

export const qwen: Source = {
  ...usualSource('qwen'),
  name: 'Qwen Code',
  parserVersion: 3,
  ...keepsFolder('QWEN_HOME', ({ env, homeDir, cwd }) =>
    resolve(cwd, env.QWEN_RUNTIME_DIR || env.QWEN_HOME || join(homeDir, '.qwen')),
  ),
  findOwnFiles: (root) => ['settings.json', 'oauth_creds.json'].map((name) => join(root, name)),
  fileTools: {
    changing: ['edit', 'write_file', 'replace'],
    reading: ['read_file', 'read_many_files'],
    other: ['run_shell_command', 'grep_search', 'glob', 'list_directory', 'agent', 'web_fetch'],
  },
  ...keepsFiles(layout, { toFolder }),
  isWatched: (name) => /\.jsonl$|\.meta\.json$/.test(name),
  loadReader: async () => (await import('./reader.ts')).qwenReader,
  resumesIn: 'required',
  toResumeArgv: ({ nativeId }) => (isPlainId(nativeId) ? ['qwen', '-r', nativeId] : null),
  findRunningSession: (env) => findRunning(env, null, 'QWEN_CODE'),
};
