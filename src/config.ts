// Where the transcripts and the index are, from flags and environment. The only file that knows the variables'
// names; everything below the commands gets the result.

import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { toReason, UserError } from './errors.ts';

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
  readonly platform: NodeJS.Platform;
  readonly cwd: string;
}

export function toIndexPath(flag: string | undefined, at: Surroundings): string {
  const chosen = flag ?? nonEmpty(at.env.RECALL_DB);
  if (chosen !== undefined) return resolve(at.cwd, chosen);
  return join(toDataDir(at), 'recall', 'recall.db');
}

function toDataDir({ env, homeDir, platform }: Surroundings): string {
  const xdg = nonEmpty(env.XDG_DATA_HOME);
  // A relative path is to be ignored, says the XDG specification.
  if (xdg !== undefined && isAbsolute(xdg)) return xdg;
  if (platform === 'darwin') return join(homeDir, 'Library', 'Application Support');
  if (platform === 'win32') return nonEmpty(env.LOCALAPPDATA) ?? join(homeDir, 'AppData', 'Local');
  return join(homeDir, '.local', 'share');
}

/** The Claude folders to index, each by its real path so that one folder is one root however it is named. */
export function toRoots(flags: readonly string[], at: Surroundings): string[] {
  const chosen =
    flags.length > 0 ? flags : [nonEmpty(at.env.CLAUDE_CONFIG_DIR) ?? join(at.homeDir, '.claude')];
  return [...new Set(chosen.map((dir) => toRoot(resolve(at.cwd, dir))))];
}

function toRoot(dir: string): string {
  try {
    const real = realpathSync(dir);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    throw new UserError(`no Claude Code folder at ${dir}: ${toReason(error)}`, {
      code: 'no-claude-dir',
      hint: 'name it with --claude-dir <dir> or CLAUDE_CONFIG_DIR',
      cause: error,
    });
  }
  throw new UserError(`${dir} is not a folder`, {
    code: 'no-claude-dir',
    hint: 'name one with --claude-dir <dir>',
  });
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}
