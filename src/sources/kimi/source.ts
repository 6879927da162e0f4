// Kimi Code: all that recall knows of its files and habits, behind the interface of a source.

import { layoutOf } from '../files/layout.ts';
import type { Source } from '../source.ts';
import { keepsFiles, keepsFolder, resumesById, usualSource } from '../usual.ts';

const layout = layoutOf({
  'sessions/<>/<id>/agents/main/wire.jsonl': 'main',
  'sessions/<>/<parent>/agents/<nth>/wire.jsonl': 'subagent',
  'sessions/<>/<id>/state.json': 'sidecar',
});

/** What undoing needs is copied with it; its log and its notices are of the program. */
function findOwner(path: string): string | null {
  const [store, , nativeId, ...rest] = path.split('/');
  const isOfSession = rest[0] === 'agents' || rest.join('/') === 'state.json';
  return store === 'sessions' && nativeId !== undefined && isOfSession ? nativeId : null;
}

export const kimi: Source = {
  ...usualSource('kimi', 'Kimi Code'),
  ...keepsFolder('KIMI_CODE_HOME', '.kimi-code', { own: ['config.toml'] }),
  ...keepsFiles(layout, {
    findOwner,
    toFolder: (path) => path.split('/').slice(0, 3).join('/'),
  }),
  loadReader: async () => (await import('./reader.ts')).kimiReader,
  isSessionId: (text) => /^session_[0-9a-f-]{36}$/.test(text),
  // Elsewhere it says that the session was created under a different directory.
  ...resumesById('required', 'kimi', '--session'),
};
