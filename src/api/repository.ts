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
