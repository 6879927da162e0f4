// Qwen Code: all that recall knows of its files and habits, behind the interface of a source.

import { join, resolve } from 'node:path';
import { layoutOf } from '../files/layout.ts';
import type { Source } from '../source.ts';
import { findRunning, keepsFiles, keepsFolder, resumesById, usualSource } from '../usual.ts';

const layout = layoutOf({
  'projects/<slug>/chats/<id>.jsonl': 'main',
  'projects/<slug>/subagents/<parent>/agent-<id>.jsonl': 'subagent',
  'projects/<slug>/subagents/<parent>/agent-<id>.meta.json': 'sidecar',
});

/** Subagents are beside the folder of the chats. */
function toFolder(path: string, nativeId: string): string | null {
  const [store, slug, holds] = path.split('/');
  return holds === undefined ? null : `${store}/${slug}/subagents/${nativeId}`;
}

export const qwen: Source = {
  ...usualSource('qwen', 'Qwen Code'),
  parserVersion: 3,
  ...keepsFolder(
    'QWEN_HOME',
    ({ env, homeDir, cwd }) => resolve(cwd, env.QWEN_RUNTIME_DIR || env.QWEN_HOME || join(homeDir, '.qwen')),
    { own: ['settings.json', 'oauth_creds.json'] },
  ),
  ...keepsFiles(layout, { toFolder }),
  loadReader: async () => (await import('./reader.ts')).qwenReader,
  ...resumesById('required', 'qwen', '-r'),
  findRunningSession: (env) => findRunning(env, null, 'QWEN_CODE'),
};
