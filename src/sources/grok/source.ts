// Grok: all that recall knows of its files and habits, behind the interface of a source.

import { layoutOf } from '../files/layout.ts';
import type { Source } from '../source.ts';
import { findRunning, keepsFiles, keepsFolder, resumesById, usualSource } from '../usual.ts';

/** The sessions of subagents are among the others. */
const layout = layoutOf({
  'sessions/<>/<id>/chat_history.jsonl': 'main',
  'sessions/<>/<id>/summary.json': 'sidecar',
});

/** All of a session's folder but the locks of a running program. */
function findOwner(path: string): string | null {
  const [store, , nativeId, ...rest] = path.split('/');
  const isLock = rest.at(-1)?.endsWith('.lock') ?? true;
  return store === 'sessions' && nativeId !== undefined && !isLock ? nativeId : null;
}

export const grok: Source = {
  ...usualSource('grok', 'Grok'),
  ...keepsFolder('GROK_HOME', '.grok', { own: ['config.toml', 'auth.json'] }),
  ...keepsFiles(layout, { findOwner, toFolder: (path) => path.split('/').slice(0, 3).join('/') }),
  loadReader: async () => (await import('./reader.ts')).grokReader,
  ...resumesById('preferred', 'grok', '-r'),
  findRunningSession: (env) => findRunning(env, 'GROK_SESSION_ID', 'GROK_AGENT'),
};
