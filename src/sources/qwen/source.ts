// Qwen Code: all that recall knows of its files and habits, behind the interface of a source.

import { join, resolve } from 'node:path';
import type { Surroundings } from '../../config.ts';
import { parameter } from '../../hints.ts';
import { discoverFiles } from '../files/discover.ts';
import type { Source } from '../source.ts';
import { findRootEnv, findRunning, isPlainId, usual } from '../usual.ts';
import { layout } from './places.ts';
import { sessionFiles } from './session-files.ts';

function toDefaultRoots({ env, homeDir, cwd }: Surroundings): readonly string[] {
  return [resolve(cwd, env.QWEN_RUNTIME_DIR || env.QWEN_HOME || join(homeDir, '.qwen'))];
}

export const qwen: Source = {
  ...usual,
  agent: 'qwen',
  name: 'Qwen Code',
  // Raised when parsing finds something else in the same bytes: every chat on disk is then read again.
  parserVersion: 3,
  rootParameter: parameter('agentDirs', '--agent-dir qwen=<dir>'),
  rootVariable: 'QWEN_HOME',
  toDefaultRoots,
  findOwnFiles: (root) => ['settings.json', 'oauth_creds.json'].map((name) => join(root, name)),
  fileTools: {
    changing: ['edit', 'write_file', 'replace'],
    reading: ['read_file', 'read_many_files'],
    other: ['run_shell_command', 'grep_search', 'glob', 'list_directory', 'agent', 'web_fetch'],
  },
  discover: (root, options) => discoverFiles(root, layout, options),
  files: sessionFiles,
  isWatched: (name) => /\.jsonl$|\.meta\.json$/.test(name),
  loadReader: async () => (await import('./reader.ts')).qwenReader,
  resumesIn: 'required',
  toResumeArgv: ({ nativeId }) => (isPlainId(nativeId) ? ['qwen', '-r', nativeId] : null),
  findResumeEnv: (root, at) => findRootEnv(root, toDefaultRoots(at), 'QWEN_HOME'),
  findRunningSession: (env) => findRunning(env, null, 'QWEN_CODE'),
};
