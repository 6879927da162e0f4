// Codex CLI: where it keeps rollouts, and how it is started. They are by day below sessions/, flat in archived_sessions/, and
// either may be compressed.

import { join } from 'node:path';
import { isFile } from '../../open-file.ts';
import { asSidecar, asTranscript, type FileLayout, type FilePlace } from '../files/layout.ts';
import type { ResumableSession, SessionFiles, Source } from '../source.ts';
import { findRunning, isPlainId, keepsFiles, keepsFolder, usualFiles, usualSource } from '../usual.ts';

interface CodexPlace extends FilePlace {
  /** How many folders below this one are still looked into: year, month, day. */
  readonly depth: number;
}

const namesFile = 'session_index.jsonl';
const archive = 'archived_sessions';
const rollout = /^rollout-(\d{4})-(\d{2})-(\d{2})T\d{2}-\d{2}-\d{2}-(.+?)\.jsonl(?:\.zst)?$/s;

const layout: FileLayout<CodexPlace> = {
  stores: [
    { folder: 'sessions', depth: 3 },
    { folder: archive, depth: 0 },
  ],
  rootFiles: new Map([[namesFile, asSidecar({ path: namesFile, kind: 'sessions-index' })]]),
  findPlaceBelow: ({ folder, depth }, name) =>
    depth > 0 && /^\d{2,4}$/.test(name) ? { folder: `${folder}/${name}`, depth: depth - 1 } : null,
  isTranscript: (name) => name.startsWith('rollout-'),
  findMeaning: ({ folder }, name) => {
    const nativeId = rollout.exec(name)?.[4];
    return nativeId === undefined
      ? null
      : asTranscript({ path: `${folder}/${name}`, kind: 'main', nativeId });
  },
};

const { findMeaning, findForm } = usualFiles(layout);

const files: Partial<SessionFiles> = {
  // The names that people gave to sessions are of no session alone, and Codex does not delete them.
  findOwner: (path) => findMeaning(path)?.transcript?.nativeId ?? null,
  findForm: (path) => (isCompressed(path) ? 'packed' : findForm(path)),
  toFormerPaths,
  idKeys: ['id', 'session_id'],
  // It goes on working in the directory where it is started.
  toMovedPath: (_directory, _nativeId, path) => path,
};

/** The name of a rollout has its day, so every place that it can have is known. */
function toFormerPaths(path: string): readonly string[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const [, year, month, day] = rollout.exec(name) ?? [];
  if (day === undefined) return [path];
  const here = path.slice(0, -name.length - 1);
  const folders = [here, `sessions/${year}/${month}/${day}`, archive];
  const other = isCompressed(name) ? name.slice(0, -'.zst'.length) : `${name}.zst`;
  return [...new Set(folders.flatMap((folder) => [`${folder}/${name}`, `${folder}/${other}`]))];
}

function isCompressed(path: string): boolean {
  return path.endsWith('.zst');
}

/** Where a rollout is now: archived, taken out or compressed since it was indexed. */
function findRollout({ root, path }: ResumableSession): string | null {
  const paths = path === null ? [] : toFormerPaths(path);
  return paths.find((each) => isFile(join(root, each))) ?? null;
}

export const codex: Source = {
  ...usualSource('codex', 'Codex'),
  ...keepsFolder('CODEX_HOME', '.codex', { own: ['config.toml', 'auth.json'] }),
  parserVersion: 5,
  movesTranscripts: true,
  ...keepsFiles(layout, files),
  isWatched: (name) => /(^|[\\/])(rollout-[^\\/]+\.jsonl(\.zst)?|session_index\.jsonl)$/.test(name),
  loadReader: async (paths) => {
    const { makeReader } = await import('./reader.ts');
    return makeReader(paths.some(isCompressed) ? await import('../files/zstd.ts') : null);
  },
  loadUnpack: async () => {
    const { decodeZstd } = await import('../files/zstd.ts');
    return ({ path, chunks }) => ({
      path: path.replace(/\.zst$/, ''),
      chunks: () => decodeZstd(chunks(), true),
    });
  },
  // It resumes anywhere, but goes on working in the directory where it is started.
  resumesIn: 'preferred',
  toResumeArgv: ({ nativeId }) => (isPlainId(nativeId) ? ['codex', 'resume', nativeId] : null),
  toFirstArgv: (session) => {
    const path = findRollout(session) ?? session.path;
    return path?.startsWith(`${archive}/`) ? ['codex', 'unarchive', session.nativeId] : null;
  },
  hasSession: (session) => findRollout(session) !== null,
  findRunningSession: (env) => findRunning(env, 'CODEX_THREAD_ID', 'CODEX_THREAD_ID'),
};
