// The directories of the repository that a directory is in: the one it was cloned into and its work trees, wherever they are.
// Read from git's own files, because starting git takes as long as a search.

import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { readForeignFile } from '../open-file.ts';

/** The directory itself where there is no repository. The first is the main one. */
export function findRepositoryDirectories(directory: string): readonly string[] {
  const root = findRoot(directory);
  if (root === undefined) return [directory];
  const gitFolder = findGitFolder(root);
  // A bare repository has no directory of its own beside its work trees.
  const main = basename(gitFolder) === '.git' ? dirname(gitFolder) : root;
  return [...new Set([main, root, ...readWorkTrees(gitFolder)])];
}

interface Repository {
  /** Of `origin`, or of the only one, as `github.com/maya/shop`, however it is addressed. */
  readonly remote: string | null;
  readonly branch: string | null;
  readonly commit: string | null;
}

/** What is checked out in a directory; null outside a repository. */
export function readRepository(directory: string): Repository | null {
  const root = findRoot(directory);
  if (root === undefined) return null;
  const gitFolder = findGitFolder(root);
  const named = /^gitdir: (.+)$/m.exec(readText(join(root, '.git')))?.[1];
  // A work tree has a head of its own.
  const head = readText(join(named === undefined ? gitFolder : resolve(root, named.trim()), 'HEAD')).trim();
  const ref = /^ref: (refs\/\S+)$/.exec(head)?.[1];
  const commit =
    ref === undefined ? head : readText(join(gitFolder, ref)).trim() || findPacked(gitFolder, ref);
  return {
    remote: findRemote(readText(join(gitFolder, 'config'))),
    branch: ref?.replace(/^refs\/heads\//, '') ?? null,
    commit: /^[0-9a-f]{40,64}$/.test(commit) ? commit : null,
  };
}

function findPacked(gitFolder: string, ref: string): string {
  const lines = readText(join(gitFolder, 'packed-refs')).split('\n');
  return lines.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0] ?? '';
}

function findRemote(config: string): string | null {
  const remotes = new Map<string, string>();
  for (const [, name = '', section = ''] of config.matchAll(/^\[remote "(.+)"\]$([^[]*)/gm)) {
    const url = /^\s*url\s*=\s*(.+?)\s*$/m.exec(section)?.[1];
    if (url !== undefined) remotes.set(name, url);
  }
  const url = remotes.get('origin') ?? (remotes.size === 1 ? [...remotes.values()][0] : undefined);
  return url === undefined ? null : normalizeRemote(url);
}

/** One text for all ways to address a repository, without a name or password that may be in it; null for a path. */
function normalizeRemote(url: string): string | null {
  const [, host, path] =
    /^(?:[a-z+]+:\/\/)(?:[^@/]*@)?([^/:]+)(?::\d+)?\/+(.+)$/i.exec(url) ??
    /^(?:[^@/:]+@)?([^/:]{2,}):(?!\/\/)\/*(.+)$/.exec(url) ??
    [];
  if (host === undefined || path === undefined || /^file:/i.test(url)) return null;
  return `${host.toLowerCase()}/${path.replace(/\/+$/, '').replace(/\.git$/, '')}`;
}

function findRoot(directory: string): string | undefined {
  for (let at = directory; ; at = dirname(at)) {
    if (findStat(join(at, '.git')) !== undefined) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** In a work tree, `.git` is a file that says where the repository keeps what belongs to it. */
function findGitFolder(root: string): string {
  const path = join(root, '.git');
  if (findStat(path)?.isDirectory()) return path;
  const named = /^gitdir: (.+)$/m.exec(readText(path))?.[1];
  if (named === undefined) return path;
  const own = resolve(root, named.trim());
  const common = readText(join(own, 'commondir')).trim();
  return common === '' ? own : resolve(own, common);
}

function readWorkTrees(gitFolder: string): string[] {
  const folder = join(gitFolder, 'worktrees');
  const names = attempt(() => readdirSync(folder), []);
  return names.flatMap((name) => {
    const path = readText(join(folder, name, 'gitdir')).trim();
    return path === '' ? [] : [dirname(resolve(folder, name, path))];
  });
}

const findStat = (path: string) => attempt(() => statSync(path, { throwIfNoEntry: false }), undefined);
const readText = (path: string) => attempt(() => readForeignFile(path).toString(), '');

/** What is not there, or must not be read, is as if there were no repository. */
function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
