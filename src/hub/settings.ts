// Which hub this machine has joined, as what, and what it shares: hub.json beside recall's own settings; and the key, in a file
// of its own. Both are readable by their owner only.

import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readConfig } from '../config.ts';
import { toReason, UserError } from '../errors.ts';
import { readForeignFile } from '../open-file.ts';
import type { AgentName, Surroundings } from '../records.ts';

export interface HubSettings {
  /** A folder, or the address of a database without its password; null after leaving. */
  readonly where: string | null;
  readonly hubId: string;
  readonly machine: string;
  readonly name: string;
  readonly owner: string | null;
  /** Only where it was part of the address when this machine joined. */
  readonly password: string | null;
  readonly sharedSessions: readonly { readonly agent: AgentName; readonly session: string }[];
  /** Directories; all sessions in them or below them. */
  readonly sharedProjects: readonly string[];
  /** The address of the database in which this person has set up a hub; for adding others. */
  readonly admin: string | null;
  /** Of which the hub has still to be told. */
  readonly unshared: HubSettings['sharedSessions'];
}

const toPath = (at: Surroundings, name: string) => join(dirname(readConfig(at).path), name);

/** Null where no hub was ever joined. */
export function readHubSettings(at: Surroundings): HubSettings | null {
  const path = toPath(at, 'hub.json');
  const text = readText(path);
  if (text === null) return null;
  try {
    const found = JSON.parse(text) as Partial<HubSettings>;
    if (typeof found.machine !== 'string' || typeof found.hubId !== 'string')
      throw new Error('not of its form');
    const { where = null, hubId, machine, name = '', owner = null, password = null } = found;
    const { admin = null, sharedSessions = [], sharedProjects = [], unshared = [] } = found;
    return { where, hubId, machine, name, owner, password, sharedSessions, sharedProjects, unshared, admin };
  } catch (error) {
    throw new UserError(`${path} cannot be used: ${toReason(error)}`, {
      code: 'bad-hub-settings',
      hint: 'delete it and join again: recall hub join',
      cause: error,
    });
  }
}

/** Whether there may be something to carry, at the price of one look at a file. */
export function hasJoined(at: Surroundings): boolean {
  return readHubSettings(at)?.where != null;
}

export function saveHubSettings(at: Surroundings, settings: HubSettings): void {
  writePrivately(toPath(at, 'hub.json'), `${JSON.stringify(settings, null, 2)}\n`);
}

export function readIdentity(at: Surroundings): string | null {
  return readText(toPath(at, 'hub.key'))?.trim() ?? null;
}

/** The key of a hub that was joined before is kept beside it: without it nothing there could be read. */
export function saveIdentity(at: Surroundings, identity: string): void {
  const before = readIdentity(at);
  if (before !== null && before !== identity) writePrivately(toPath(at, 'hub.key.before'), `${before}\n`);
  writePrivately(toPath(at, 'hub.key'), `${identity}\n`);
}

function readText(path: string): string | null {
  try {
    return readForeignFile(path).toString();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new UserError(`${path} cannot be read: ${toReason(error)}`, {
      code: 'bad-hub-settings',
      cause: error,
    });
  }
}

function writePrivately(path: string, text: string): void {
  const temporary = `${path}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    rmSync(temporary, { force: true });
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
    chmodSync(temporary, 0o600);
    renameSync(temporary, path);
  } catch (error) {
    throw new UserError(`${path} cannot be written: ${toReason(error)}`, {
      code: 'cannot-write',
      cause: error,
    });
  }
}
