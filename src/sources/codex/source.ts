// Codex CLI: all that recall knows of its files and habits, behind the interface of a source.

import { join, resolve } from 'node:path';
import type { Surroundings } from '../../config.ts';
import { parameter } from '../../hints.ts';
import { discoverFiles } from '../files/discover.ts';
import { isFile } from '../files/open-file.ts';
import type { ResumableSession, Source } from '../source.ts';
import { findRootEnv, findRunning, isPlainId, usual } from '../usual.ts';
import { isArchived, isCompressed, layout, sessionFiles } from './places.ts';

function toDefaultRoots({ env, homeDir, cwd }: Surroundings): readonly string[] {
  return [resolve(cwd, env.CODEX_HOME || join(homeDir, '.codex'))];
}

/** Where a rollout is now: archived, taken out or compressed since it was indexed. */
function findRollout({ root, path }: ResumableSession): string | null {
  const paths = path === null ? [] : sessionFiles.toFormerPaths(path);
  return paths.find((each) => isFile(join(root, each))) ?? null;
}

export const codex: Source = {
  ...usual,
  agent: 'codex',
  name: 'Codex',
  // Raised when parsing finds something else in the same bytes: every rollout on disk is then read again.
  parserVersion: 3,
  rootParameter: parameter('agentDirs', '--agent-dir codex=<dir>'),
  rootVariable: 'CODEX_HOME',
  toDefaultRoots,
  findOwnFiles: (root) => ['config.toml', 'auth.json'].map((name) => join(root, name)),
  fileTools: { changing: ['apply_patch'], reading: ['view_image'], other: ['shell', 'web_search'] },
  movesTranscripts: true,
  discover: (root, options) => discoverFiles(root, layout, options),
  files: sessionFiles,
  isWatched: (name) => /(^|[\\/])(rollout-[^\\/]+\.jsonl(\.zst)?|session_index\.jsonl)$/.test(name),
  loadReader: async (paths) => {
    const { toReader } = await import('./reader.ts');
    if (!paths.some(isCompressed)) return toReader(null);
    const { loadZstd, readZstd } = await import('../files/zstd.ts');
    await loadZstd();
    const { readFirstPackedLine } = await import('../transcript/packed-lines.ts');
    return toReader({ readZstd, readFirstLine: readFirstPackedLine });
  },
  loadUnpack: async () => {
    const { loadZstd } = await import('../files/zstd.ts');
    await loadZstd();
    const { unpackLines } = await import('../transcript/packed-lines.ts');
    return ({ path, chunks }) => ({
      path: path.replace(/\.zst$/, ''),
      chunks: () => unpackLines(chunks()),
    });
  },
  // It resumes anywhere, but goes on working in the directory where it is started.
  resumesIn: 'preferred',
  toResumeArgv: ({ nativeId }) => (isPlainId(nativeId) ? ['codex', 'resume', nativeId] : null),
  toFirstArgv: (session) => {
    const path = findRollout(session) ?? session.path;
    return path !== null && isArchived(path) ? ['codex', 'unarchive', session.nativeId] : null;
  },
  hasSession: (session) => findRollout(session) !== null,
  findResumeEnv: (root, at) => findRootEnv(root, toDefaultRoots(at), 'CODEX_HOME'),
  findRunningSession: (env) => findRunning(env, 'CODEX_THREAD_ID', 'CODEX_THREAD_ID'),
};
