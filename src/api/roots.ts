// The folders to index, and the agents' own files that recall must never write.

import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Surroundings } from '../config.ts';
import { toReason, UserError } from '../errors.ts';
import type { Root } from '../records.ts';
import { sources } from '../sources/index.ts';

/** By real path, so that a folder is one root however it is named. Throws if one is missing. */
export function getRoots(claudeDirs: readonly string[], at: Surroundings): Root[] {
  const { claude } = sources;
  const chosen = claudeDirs.length > 0 ? claudeDirs : claude.toDefaultRoots(at);
  const paths = new Set(chosen.map((dir) => getRealPath(resolve(at.cwd, dir))));
  return [...paths].map((path) => ({ agent: claude.agent, path }));
}

function getRealPath(dir: string): string {
  try {
    const real = realpathSync(dir);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    throw new UserError(`no Claude Code folder at ${dir}: ${toReason(error)}`, {
      code: 'no-claude-dir',
      hint: 'set it with --claude-dir <dir> or CLAUDE_CONFIG_DIR',
      cause: error,
    });
  }
  throw new UserError(`${dir} is not a folder`, {
    code: 'no-claude-dir',
    hint: 'choose one with --claude-dir <dir>',
  });
}

/**
 * For every agent's default folder: ~/.claude.json is in use even while CLAUDE_CONFIG_DIR names another
 * folder.
 */
export function findOwnFiles(at: Surroundings): string[] {
  const usual = { ...at, env: {} };
  return Object.values(sources).flatMap((source) =>
    source.toDefaultRoots(usual).flatMap((root) => source.findOwnFiles(findRealPath(root) ?? root, usual)),
  );
}

function findRealPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
