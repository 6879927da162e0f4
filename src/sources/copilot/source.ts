// GitHub Copilot CLI: all that recall knows of its files and habits, behind the interface of a source.

import { join } from 'node:path';
import { asSidecar, asTranscript, type FileLayout, type FilePlace } from '../files/layout.ts';
import type { Source } from '../source.ts';
import { findRunning, isPlainId, keepsFiles, keepsFolder, usualSource } from '../usual.ts';

type CopilotPlace = FilePlace & { readonly nativeId?: string };

const store = 'session-state';
const events = 'events.jsonl';
const workspace = 'workspace.yaml';

/** Each session has a folder, named by its id. */
const layout: FileLayout<CopilotPlace> = {
  stores: [{ folder: store }],
  findPlaceBelow: ({ folder, nativeId }, name) =>
    nativeId === undefined ? { folder: `${folder}/${name}`, nativeId: name } : null,
  isTranscript: (name) => name === events,
  findMeaning: ({ folder, nativeId }, name) => {
    const path = `${folder}/${name}`;
    if (nativeId === undefined) return null;
    if (name === events) return asTranscript({ path, kind: 'main', nativeId });
    return name === workspace ? asSidecar({ path, kind: 'workspace', nativeId }) : null;
  },
};

/** Locks and databases are of a running program; snapshots of the project are not needed to resume. All else belongs to it. */
function findOwner(path: string): string | null {
  const [folder, nativeId, ...rest] = path.split('/');
  const name = rest.at(-1) ?? '';
  const isLock = name.startsWith('.') || /\.(lock|db|db-wal|db-shm)$/.test(name);
  const isOfProgram = isLock || rest[0] === 'rewind-file-snapshots';
  return folder === store && nativeId !== undefined && name !== '' && !isOfProgram ? nativeId : null;
}

export const copilot: Source = {
  ...usualSource('copilot'),
  ...keepsFolder('COPILOT_HOME', '.copilot'),
  name: 'Copilot CLI',
  parserVersion: 3,
  findOwnFiles: (root) => ['config.json', 'mcp-config.json'].map((name) => join(root, name)),
  fileTools: {
    changing: ['create', 'edit', 'str_replace', 'insert', 'apply_patch'],
    reading: ['view'],
    other: ['bash', 'powershell', 'grep', 'glob', 'task', 'web_fetch'],
  },
  ...keepsFiles(layout, { findOwner, toFolder: (_path, nativeId) => `${store}/${nativeId}` }),
  isWatched: (name) => /(^|[\\/])(events\.jsonl|workspace\.yaml)$/.test(name),
  loadReader: async () => (await import('./reader.ts')).copilotReader,
  // It goes back to the session's directory by itself.
  resumesIn: 'anywhere',
  toResumeArgv: ({ nativeId }) => (isPlainId(nativeId) ? ['copilot', `--resume=${nativeId}`] : null),
  findRunningSession: (env) => findRunning(env, 'COPILOT_AGENT_SESSION_ID', 'COPILOT_CLI'),
};
