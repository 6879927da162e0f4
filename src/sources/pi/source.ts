// pi: all that recall knows of its files and habits, behind the interface of a source.

import { join, resolve } from 'node:path';
import { control } from '../../text/printable.ts';
import { asTranscript, type FileLayout, type FilePlace } from '../files/layout.ts';
import type { Source } from '../source.ts';
import { findRunning, keepsFiles, usualSource } from '../usual.ts';

const sessionFile = /^\d{4}-\d{2}-\d{2}T[\dA-Z-]+_(.+)\.jsonl$/s;

/** Below sessions/ there is a folder for each directory; a folder that a person has named for sessions holds them itself. */
const layout: FileLayout<FilePlace> = {
  stores: [{ folder: 'sessions' }, { folder: '.' }],
  findPlaceBelow: ({ folder }, name) => (/^--.*--$/s.test(name) ? { folder: `${folder}/${name}` } : null),
  isTranscript: () => true,
  findMeaning: ({ folder }, name) => {
    const nativeId = sessionFile.exec(name)?.[1];
    if (nativeId === undefined) return null;
    const slug = folder.split('/')[1] ?? null;
    return asTranscript({ path: `${folder}/${name}`, kind: 'main', nativeId, slug });
  },
};

export const pi: Source = {
  ...usualSource('pi'),
  name: 'pi',
  parserVersion: 3,
  rootVariable: 'PI_CODING_AGENT_DIR',
  toDefaultRoots: ({ env, homeDir, cwd }) => {
    const sessions = env.PI_CODING_AGENT_SESSION_DIR;
    const own = resolve(cwd, env.PI_CODING_AGENT_DIR || join(homeDir, '.pi', 'agent'));
    return sessions ? [own, resolve(cwd, sessions)] : [own];
  },
  findOwnFiles: (root) => ['settings.json', 'models.json', 'auth.json'].map((name) => join(root, name)),
  fileTools: { changing: ['edit', 'write'], reading: ['read'], other: ['bash', 'grep', 'find', 'ls'] },
  ...keepsFiles(layout),
  isWatched: (name) => name.endsWith('.jsonl'),
  loadReader: async () => (await import('./reader.ts')).piReader,
  // By its file it is found from anywhere, and works in its own directory; by its id only in that directory.
  resumesIn: 'anywhere',
  toResumeArgv: ({ root, path }) =>
    path === null || control.test(path) || control.test(root) ? null : ['pi', '--session', join(root, path)],
  findResumeEnv: () => ({}),
  findRunningSession: (env) => findRunning(env, null, 'PI_CODING_AGENT'),
};
