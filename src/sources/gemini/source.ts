// Gemini CLI: all that recall knows of its files and habits, behind the interface of a source.

import { readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Surroundings } from '../../config.ts';
import { parameter } from '../../hints.ts';
import { discoverFiles } from '../files/discover.ts';
import { field, objectField, parseJsonObject, stringField } from '../json/json-value.ts';
import type { Source } from '../source.ts';
import { findRootEnv, findRunning, isPlainId, usual } from '../usual.ts';
import { layout } from './places.ts';
import { sessionFiles } from './session-files.ts';

function toDefaultRoots({ env, homeDir, cwd }: Surroundings): readonly string[] {
  return [join(resolve(cwd, env.GEMINI_CLI_HOME || homeDir), '.gemini')];
}

const defaultCleanupDays = 30;

/** Days, hours or weeks, as its settings have them. */
function readCleanupDays(root: string): number | null {
  let text: string;
  try {
    text = readFileSync(join(root, 'settings.json'), 'utf8');
  } catch {
    return defaultCleanupDays;
  }
  const general = objectField(parseJsonObject(text) ?? {}, 'general') ?? {};
  const retention = objectField(general, 'sessionRetention') ?? {};
  if (field(retention, 'enabled') === false) return null;
  const [, count, unit] = /^(\d{1,4})([hdwm])$/.exec(stringField(retention, 'maxAge') ?? '') ?? [];
  const days = { h: 1 / 24, d: 1, w: 7, m: 30 }[unit ?? ''] ?? 0;
  return count === undefined ? defaultCleanupDays : Number(count) * days;
}

export const gemini: Source = {
  ...usual,
  agent: 'gemini',
  name: 'Gemini CLI',
  // Raised when parsing finds something else in the same bytes: every session on disk is then read again.
  parserVersion: 3,
  rootParameter: parameter('agentDirs', '--agent-dir gemini=<dir>'),
  rootVariable: 'GEMINI_CLI_HOME',
  toDefaultRoots,
  findOwnFiles: (root) => ['settings.json', 'oauth_creds.json', 'GEMINI.md'].map((name) => join(root, name)),
  readCleanupDays,
  cleanupAdvice: 'raise general.sessionRetention.maxAge in settings.json',
  fileTools: {
    changing: ['write_file', 'replace', 'edit'],
    reading: ['read_file', 'read_many_files'],
    other: [
      'run_shell_command',
      'search_file_content',
      'grep_search',
      'glob',
      'list_directory',
      'invoke_agent',
    ],
  },
  discover: (root, options) => discoverFiles(root, layout, options),
  files: sessionFiles,
  isWatched: (name) => /(^|[\\/])chats[\\/].*\.jsonl?$/.test(name),
  loadReader: async () => (await import('./reader.ts')).geminiReader,
  resumesIn: 'required',
  toResumeArgv: ({ nativeId }) => (isPlainId(nativeId) ? ['gemini', '--resume', nativeId] : null),
  findResumeEnv: (root, at) =>
    basename(root) === '.gemini'
      ? findRootEnv(root, toDefaultRoots(at), 'GEMINI_CLI_HOME', dirname(root))
      : {},
  findRunningSession: (env) => findRunning(env, null, 'GEMINI_CLI'),
};
