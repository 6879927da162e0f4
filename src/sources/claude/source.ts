// Claude Code: all that recall knows of its files and habits, behind the interface of a source.

import { discoverFiles } from '../files/discover.ts';
import type { Source } from '../source.ts';
import { parserVersion } from './parser-version.ts';
import { layout } from './places.ts';
import { resolveTitle } from './resolve-title.ts';
import { findDirectory, findResumeEnv, findRunningSession, toResumeArgv } from './resume.ts';
import { findClaudeFiles, readCleanupDays, toDefaultRoots } from './roots.ts';

export const claude: Source = {
  agent: 'claude',
  name: 'Claude Code',
  parserVersion,
  toDefaultRoots,
  findOwnFiles: (root, at) => Object.values(findClaudeFiles(root, at)),
  readCleanupDays,
  discover: (root, options) => discoverFiles(root, layout, options),
  isWatched: (name) => /\.jsonl?$/.test(name),
  loadReader: async () => (await import('./reader.ts')).claudeReader,
  resolveTitle,
  // Claude Code warms subagents up with this one word before it has anything for them to do.
  isWarmup: (kind, firstPrompt) => kind === 'subagent' && firstPrompt?.trim().toLowerCase() === 'warmup',
  findDirectory,
  toResumeArgv,
  findResumeEnv,
  findRunningSession,
};
