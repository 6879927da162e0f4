// Claude Code: all that recall knows of its files and habits, behind the interface of a source.

import { parameter } from '../../hints.ts';
import { discoverFiles } from '../files/discover.ts';
import type { Source } from '../source.ts';
import { usual } from '../usual.ts';
import { readLiveSessions } from './live-sessions.ts';
import { parserVersion } from './parser-version.ts';
import { layout } from './places.ts';
import { findDirectory, findResumeEnv, findRunningSession, toForkArgv, toResumeArgv } from './resume.ts';
import { findClaudeFiles, readCleanupDays, toDefaultRoots } from './roots.ts';
import { sessionFiles } from './session-files.ts';
import { findDirectoryOf } from './slug.ts';

export const claude: Source = {
  ...usual,
  agent: 'claude',
  name: 'Claude Code',
  knownVersion: '2.1.325',
  parserVersion,
  rootParameter: parameter('claudeDirs', '--claude-dir <dir>'),
  rootVariable: 'CLAUDE_CONFIG_DIR',
  toDefaultRoots,
  excludesOthers: ({ env }) => Boolean(env.CLAUDE_CONFIG_DIR),
  findOwnFiles: (root, at) => Object.values(findClaudeFiles(root, at)),
  readCleanupDays,
  cleanupAdvice: 'raise cleanupPeriodDays in settings.json',
  fileTools: {
    changing: ['edit', 'write', 'multiedit', 'notebookedit'],
    reading: ['read', 'notebookread'],
    other: ['bash', 'powershell', 'grep', 'glob'],
  },
  discover: (root, options) => discoverFiles(root, layout, options),
  files: sessionFiles,
  isWatched: (name) => /\.jsonl?$/.test(name),
  loadReader: async () => (await import('./reader.ts')).claudeReader,
  // Claude Code warms subagents up with this one word before it has anything for them to do.
  isWarmup: (kind, firstPrompt) => kind === 'subagent' && firstPrompt?.trim().toLowerCase() === 'warmup',
  findDirectory,
  resumesIn: 'preferred',
  toResumeArgv,
  toForkArgv,
  findMovedDirectory: findDirectoryOf,
  readLiveSessions,
  findResumeEnv,
  // Claude Code resumes nothing else by its id.
  canRebuild: usual.isSessionId,
  findRunningSession,
};
