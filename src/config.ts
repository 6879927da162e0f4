// Where the index is, from flags and the environment, and the permanent settings in config.json.

import { readFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { toReason, UserError } from './errors.ts';

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
  /** As process.platform has it. */
  readonly platform: string;
  readonly cwd: string;
}

export function toIndexPath(flag: string | undefined, at: Surroundings): string {
  if (flag !== undefined && flag.trim() === '')
    throw new UserError('--db needs a file name, and it is empty', { code: 'usage' });
  const chosen = flag ?? nonEmpty(at.env.RECALL_DB);
  if (chosen !== undefined) return resolve(at.cwd, chosen);
  return join(toDataDir(at), 'recall', 'recall.db');
}

function toDataDir({ env, homeDir, platform }: Surroundings): string {
  const xdg = nonEmpty(env.XDG_DATA_HOME);
  // The XDG specification says that a relative path must be ignored.
  if (xdg !== undefined && isAbsolute(xdg)) return xdg;
  if (platform === 'darwin') return join(homeDir, 'Library', 'Application Support');
  if (platform === 'win32') return nonEmpty(env.LOCALAPPDATA) ?? join(homeDir, 'AppData', 'Local');
  return join(homeDir, '.local', 'share');
}

export interface Config {
  /** Where the file is, or would be. */
  readonly path: string;
  /** Keep secrets out of the index. */
  readonly redact: boolean;
  /** Index what was done: what tools were given and what they answered. */
  readonly done: boolean;
}

const defaults = { redact: false, done: true };

function toConfigPath(at: Surroundings): string {
  const { env, homeDir, platform } = at;
  const xdg = nonEmpty(env.XDG_CONFIG_HOME);
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, 'recall', 'config.json');
  const folder = platform === 'darwin' || platform === 'win32' ? toDataDir(at) : join(homeDir, '.config');
  return join(folder, 'recall', 'config.json');
}

/** Without a file, the defaults apply. An invalid one is an error, because it may have asked for privacy. */
export function readConfig(at: Surroundings): Config {
  const path = toConfigPath(at);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { path, ...defaults };
    throw badConfig(path, toReason(error), error);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badConfig(path, 'not an object');
  for (const [key, setting] of Object.entries(value)) {
    if (!Object.hasOwn(defaults, key)) throw badConfig(path, `${JSON.stringify(key)} is not a setting`);
    if (typeof setting !== 'boolean') throw badConfig(path, `"${key}" must be true or false`);
  }
  return { path, ...defaults, ...value };
}

function badConfig(path: string, reason: string, cause?: unknown): UserError {
  return new UserError(`${path} cannot be used: ${reason}`, {
    code: 'bad-config',
    hint: 'write {"redact": true} or {"done": false} into it, or delete it',
    cause,
  });
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}
