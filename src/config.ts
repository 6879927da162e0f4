// Where the index and the archive are, from flags and the environment, and the permanent settings in config.json.

import { existsSync, mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { toReason, UserError, usageError } from './errors.ts';
import { hint, parameter } from './hints.ts';
import { readForeignFile } from './open-file.ts';
import { type AgentName, agents, type Surroundings } from './records.ts';

export function toIndexPath(flag: string | undefined, at: Surroundings): string {
  if (flag?.trim() === '') throw usageError(hint`${parameter('db')} needs a file name, and it is empty`);
  const chosen = flag ?? nonEmpty(at.env.RECALL_DB);
  return chosen === undefined ? join(findDataDir(at), 'recall', 'recall.db') : resolve(at.cwd, chosen);
}

export function toArchivePath(flag: string | undefined, at: Surroundings, indexPath: string): string {
  if (flag?.trim() === '') throw usageError(hint`${parameter('archive')} needs a folder, and it is empty`);
  const chosen = flag ?? nonEmpty(at.env.RECALL_ARCHIVE);
  return chosen === undefined ? join(dirname(indexPath), 'archive') : resolve(at.cwd, chosen);
}

function findDataDir({ env, homeDir, platform }: Surroundings): string {
  const xdg = nonEmpty(env.XDG_DATA_HOME);
  // The XDG specification says that a relative path must be ignored.
  if (xdg !== undefined && isAbsolute(xdg)) return xdg;
  if (platform === 'darwin') return join(homeDir, 'Library', 'Application Support');
  if (platform === 'win32') return nonEmpty(env.LOCALAPPDATA) ?? join(homeDir, 'AppData', 'Local');
  return join(homeDir, '.local', 'share');
}

/** Whether an agent's sessions are indexed, or which folders are, beside those where it keeps them anyway. */
export type AgentSettings = { readonly [Agent in AgentName]?: boolean | readonly string[] };

export interface Config {
  readonly path: string;
  readonly redact: boolean;
  /** Index what was done: what tools were given and what they answered. */
  readonly done: boolean;
  readonly agents: AgentSettings;
  /** Keep a copy of every transcript; null until the person was asked. */
  readonly archive: boolean | null;
}

const defaults = { redact: false, done: true, agents: {}, archive: null };

function findConfigDir(at: Surroundings): string {
  const xdg = nonEmpty(at.env.XDG_CONFIG_HOME);
  if (xdg !== undefined && isAbsolute(xdg)) return xdg;
  return ['darwin', 'win32'].includes(at.platform) ? findDataDir(at) : join(at.homeDir, '.config');
}

/** Without a file, the defaults apply. An invalid one is an error, because it may have asked for privacy. */
export function readConfig(at: Surroundings): Config {
  const path = join(findConfigDir(at), 'recall', 'config.json');
  let value: unknown;
  try {
    value = JSON.parse(readForeignFile(path).toString());
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { path, ...defaults };
    throw badConfig(path, toReason(error), error);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badConfig(path, 'not an object');
  for (const [key, setting] of Object.entries(value)) {
    if (!Object.hasOwn(defaults, key)) throw badConfig(path, `${JSON.stringify(key)} is not a setting`);
    const fault =
      key === 'agents' ? findAgentsFault(setting) : typeof setting === 'boolean' ? null : mustBeSwitch(key);
    if (fault !== null) throw badConfig(path, fault);
  }
  return { path, ...defaults, ...value };
}

function findAgentsFault(setting: unknown): string | null {
  if (typeof setting !== 'object' || setting === null || Array.isArray(setting))
    return '"agents" must be an object';
  for (const [agent, value] of Object.entries(setting)) {
    if (!agents.some((name) => name === agent))
      return `${JSON.stringify(agent)} is not one of ${agents.join(', ')}`;
    const isFolders = Array.isArray(value) && value.every((each) => typeof each === 'string' && each !== '');
    if (typeof value !== 'boolean' && !isFolders) return `${mustBeSwitch(agent)}, or a list of folders`;
  }
  return null;
}

function mustBeSwitch(key: string): string {
  return `"${key}" must be true or false`;
}

export function saveSetting(at: Surroundings, name: keyof typeof defaults, value: boolean): void {
  const { path } = readConfig(at);
  const target = existsSync(path) ? realpathSync(path) : path;
  const before = existsSync(path) ? (JSON.parse(readForeignFile(path).toString()) as object) : {};
  const temporary = `${target}.new`;
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, `${JSON.stringify({ ...before, [name]: value }, null, 2)}\n`, { mode: 0o600 });
    renameSync(temporary, target);
  } catch (error) {
    throw new UserError(`${path} cannot be written: ${toReason(error)}`, {
      code: 'cannot-write',
      cause: error,
    });
  }
}

function badConfig(path: string, reason: string, cause?: unknown): UserError {
  return new UserError(`${path} cannot be used: ${reason}`, {
    code: 'bad-config',
    hint: 'write {"redact": true}, {"done": false}, {"archive": true} or {"agents": {"codex": false}} into it, or delete it',
    cause,
  });
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}
