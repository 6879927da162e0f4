// GitHub Copilot CLI: all that recall knows of its files and habits, behind the interface of a source.

import { join, resolve } from 'node:path';
import type { Surroundings } from '../../config.ts';
import { parameter } from '../../hints.ts';
import { discoverFiles } from '../files/discover.ts';
import type { Source } from '../source.ts';
import { findRootEnv, findRunning, isPlainId, usual } from '../usual.ts';
import { layout } from './places.ts';
import { sessionFiles } from './session-files.ts';

function toDefaultRoots({ env, homeDir, cwd }: Surroundings): readonly string[] {
  return [resolve(cwd, env.COPILOT_HOME || join(homeDir, '.copilot'))];
}

export const copilot: Source = {
  ...usual,
  agent: 'copilot',
  name: 'Copilot CLI',
  // Raised when parsing finds something else in the same bytes: every session on disk is then read again.
  parserVersion: 3,
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
  files: sessionFiles,
  isWatched: (name) => /(^|[\\/])(events\.jsonl|workspace\.yaml)$/.test(name),
  loadReader: async () => (await import('./reader.ts')).copilotReader,
  // It goes back to the session's directory by itself.
  resumesIn: 'anywhere',
  toResumeArgv: ({ nativeId }) => (isPlainId(nativeId) ? ['copilot', `--resume=${nativeId}`] : null),
  findResumeEnv: (root, at) => findRootEnv(root, toDefaultRoots(at), 'COPILOT_HOME'),
  findRunningSession: (env) => findRunning(env, 'COPILOT_AGENT_SESSION_ID', 'COPILOT_CLI'),
};
