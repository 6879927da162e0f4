// GitHub Copilot CLI: all that recall knows of its files and habits, behind the interface of a source.

import { join, resolve } from 'node:path';
import type { Surroundings } from '../../config.ts';
import { parameter } from '../../hints.ts';
import { discoverFiles } from '../files/discover.ts';
import type { Layout, Place } from '../files/layout.ts';
import type { Source } from '../source.ts';
import { findRootEnv, findRunning, isPlainId, usual } from '../usual.ts';

interface CopilotPlace extends Place {
  /** The session whose folder this is. */
  readonly nativeId: string | null;
}

const base = { hasSessionFolders: false, isSessionFolder: false };
const events = 'events.jsonl';
const workspace = 'workspace.yaml';

/** Each session has a folder, named by its id. */
const layout: Layout<CopilotPlace> = {
  stores: [{ ...base, folder: 'session-state', nativeId: null }],
  rootFiles: new Map(),
  toPlaceBelow: ({ folder, nativeId }, name) =>
    nativeId === null ? { ...base, folder: `${folder}/${name}`, nativeId: name } : null,
  isOfInterest: ({ nativeId }, name) => nativeId !== null && (name === events || name === workspace),
  isTranscript: (name) => name === events,
  isWrittenOnce: () => false,
  toMeaning: ({ folder, nativeId }, name) => {
    const found = { path: `${folder}/${name}`, parentNativeId: null, nativeId: nativeId ?? '' };
    return name === events
      ? { transcript: { ...found, kind: 'main', slug: null, isMachinery: false }, sidecar: null }
      : { transcript: null, sidecar: { ...found, kind: 'workspace', slug: '' } };
  },
  toSessionFolder: ({ folder }, name) => `${folder}/${name}`,
};

function toDefaultRoots({ env, homeDir, cwd }: Surroundings): readonly string[] {
  return [resolve(cwd, env.COPILOT_HOME || join(homeDir, '.copilot'))];
}

export const copilot: Source = {
  ...usual,
  agent: 'copilot',
  name: 'Copilot CLI',
  // Raised when parsing finds something else in the same bytes: every session on disk is then read again.
  parserVersion: 1,
  rootParameter: parameter('agentDirs', '--agent-dir copilot=<dir>'),
  rootVariable: 'COPILOT_HOME',
  toDefaultRoots,
  findOwnFiles: (root) => ['config.json', 'mcp-config.json'].map((name) => join(root, name)),
  fileTools: {
    changing: ['create', 'edit', 'str_replace', 'insert', 'apply_patch'],
    reading: ['view'],
    other: ['bash', 'powershell', 'grep', 'glob', 'task', 'web_fetch'],
  },
  discover: (root, options) => discoverFiles(root, layout, options),
  isWatched: (name) => /(^|[\\/])(events\.jsonl|workspace\.yaml)$/.test(name),
  loadReader: async () => (await import('./reader.ts')).copilotReader,
  // It goes back to the session's directory by itself.
  resumesIn: 'anywhere',
  toResumeArgv: ({ nativeId }) => (isPlainId(nativeId) ? ['copilot', `--resume=${nativeId}`] : null),
  findResumeEnv: (root, at) => findRootEnv(root, toDefaultRoots(at), 'COPILOT_HOME'),
  findRunningSession: (env) => findRunning(env, 'COPILOT_AGENT_SESSION_ID', 'COPILOT_CLI'),
};
