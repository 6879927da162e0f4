// GitHub Copilot CLI: all that recall knows of its files and habits, behind the interface of a source.

import { layoutOf } from '../files/layout.ts';
import type { Source } from '../source.ts';
import { findRunning, isPlainId, keepsFiles, keepsFolder, usualSource } from '../usual.ts';

const store = 'session-state';

const layout = layoutOf({
  [`${store}/<id>/events.jsonl`]: 'main',
  [`${store}/<id>/workspace.yaml`]: 'sidecar',
});

/** Locks and databases are of a running program; snapshots of the project are not needed to resume. All else belongs to it. */
function findOwner(path: string): string | null {
  const [folder, nativeId, ...rest] = path.split('/');
  const name = rest.at(-1) ?? '';
  const isLock = name.startsWith('.') || /\.(lock|db|db-wal|db-shm)$/.test(name);
  const isOfProgram = isLock || rest[0] === 'rewind-file-snapshots';
  return folder === store && nativeId !== undefined && name !== '' && !isOfProgram ? nativeId : null;
}

export const copilot: Source = {
  ...usualSource('copilot', 'Copilot CLI'),
  ...keepsFolder('COPILOT_HOME', '.copilot', { own: ['config.json', 'mcp-config.json'] }),
  parserVersion: 3,
  ...keepsFiles(layout, { findOwner, toFolder: (_path, nativeId) => `${store}/${nativeId}` }),
  loadReader: async () => (await import('./reader.ts')).copilotReader,
  // It goes back to the session's directory by itself.
  resumesIn: 'anywhere',
  toResumeArgv: ({ nativeId }) => (isPlainId(nativeId) ? ['copilot', `--resume=${nativeId}`] : null),
  findRunningSession: (env) => findRunning(env, 'COPILOT_AGENT_SESSION_ID', 'COPILOT_CLI'),
};
