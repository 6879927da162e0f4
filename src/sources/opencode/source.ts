// OpenCode: all that recall knows of its database and habits, behind the interface of a source.

import { dirname, isAbsolute, join } from 'node:path';
import { isFile } from '../../open-file.ts';
import type { Surroundings } from '../../records.ts';
import type { Source } from '../source.ts';
import { findRunning, isPlainId, keepsFolder, usualSource } from '../usual.ts';
import { databaseName, discoverSessions } from './discover.ts';

function findRoot({ env, homeDir }: Surroundings): string {
  const xdg = env.XDG_DATA_HOME ?? '';
  return join(isAbsolute(xdg) ? xdg : join(homeDir, '.local', 'share'), 'opencode');
}

export const opencode: Source = {
  ...usualSource('opencode'),
  name: 'OpenCode',
  parserVersion: 4,
  ...keepsFolder('XDG_DATA_HOME', findRoot, dirname),
  findOwnFiles: (root) => ['auth.json', databaseName].map((name) => join(root, name)),
  fileTools: {
    changing: ['write', 'edit', 'multiedit', 'apply_patch', 'patch'],
    reading: ['read'],
    other: ['bash', 'grep', 'glob', 'list', 'task', 'webfetch'],
  },
  discover: discoverSessions,
  isWatched: (name) => name.startsWith(databaseName) && !name.endsWith('-shm'),
  loadReader: async (_paths, loadTools) => {
    const { makeReader } = await import('./reader.ts');
    return makeReader(await loadTools());
  },
  isSessionId: (text) => /^ses_[0-9A-Za-z]{20,40}$/.test(text),
  // From elsewhere its turn runs, but nothing is printed.
  resumesIn: 'required',
  toResumeArgv: ({ nativeId }) => (isPlainId(nativeId) ? ['opencode', '-s', nativeId] : null),
  hasSession: ({ root, isGone }) => !isGone && isFile(join(root, databaseName)),
  findRunningSession: (env) => findRunning(env, null, 'OPENCODE'),
};
