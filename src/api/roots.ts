// The folders to index, and where recall must never write: these folders, and the agents' own files.

import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AgentSettings } from '../config.ts';
import { toReason, UserError } from '../errors.ts';
import { hint, parameter } from '../hints.ts';
import { type AgentName, agents, type GivenRoots, type Root, type Surroundings } from '../records.ts';
import { getSource } from '../sources/index.ts';
import { findRealPath } from '../sources/usual.ts';
import type { Store } from '../store/open/open-store.ts';
import { readRoots } from '../store/read/index-facts.ts';
import type { Host } from './host.ts';

/** By real path, so that a folder is one root however it is named. Throws if a named one, or every default one, is missing. */
export function getRoots(given: GivenRoots, at: Surroundings, settings: AgentSettings = {}): Root[] {
  const named = agents.flatMap((agent) =>
    (given[agent] ?? []).map((dir) => ({ agent, path: getRealPath(resolve(at.cwd, dir), agent) })),
  );
  if (named.length > 0) return distinct(named);
  const usual = findUsed(at, settings).flatMap((agent) => {
    const dirs = [...getSource(agent).toDefaultRoots(at), ...toAddedRoots(settings[agent], at)];
    return dirs.map((dir) => ({ agent, dir }));
  });
  const found = usual.flatMap(({ agent, dir }) => {
    const path = findRealPath(dir);
    return path !== undefined && statSync(path).isDirectory() ? [{ agent, path }] : [];
  });
  if (found.length > 0) return distinct(found);
  const isOneOfMany = usual.some(({ agent }) => agent !== usual[0]?.agent);
  return usual.slice(0, 1).map(({ agent, dir }) => ({ agent, path: getRealPath(dir, agent, isOneOfMany) }));
}

export function getFoldersOf(agent: AgentName, roots: readonly Root[], at: Surroundings): string[] {
  const known = roots.filter((root) => root.agent === agent).map(({ path }) => path);
  if (known.length > 0) return known;
  const usual = getSource(agent).toDefaultRoots(at);
  return usual.map((dir) => getRealPath(dir, agent));
}

/** Where the environment names one agent's folder for this call, the others are left out, except those that the settings name. */
function findUsed(at: Surroundings, settings: AgentSettings): AgentName[] {
  const isAlone = agents.some((agent) => getSource(agent).excludesOthers(at));
  return agents.filter((agent) => {
    const isNamed = settings[agent] !== undefined || getSource(agent).excludesOthers(at);
    return settings[agent] !== false && (!isAlone || isNamed);
  });
}

function toAddedRoots(setting: AgentSettings[AgentName], { homeDir }: Surroundings): string[] {
  if (typeof setting !== 'object') return [];
  return setting.map((dir) => resolve(homeDir, dir.replace(/^~(?=$|[\\/])/, homeDir)));
}

function distinct(roots: readonly Root[]): Root[] {
  return [...new Map(roots.map((root) => [`${root.agent} ${root.path}`, root])).values()];
}

const anyParameter = parameter('agentDirs', '--agent-dir <agent=dir>');

/** `isOneOfMany`: other agents' folders were looked for too, and not found. */
function getRealPath(dir: string, agent: AgentName, isOneOfMany = false): string {
  const { name, rootParameter, rootVariable } = getSource(agent);
  try {
    const real = realpathSync(dir);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    const others = isOneOfMany ? '; no folder of another agent was found either' : '';
    throw new UserError(`no ${name} folder at ${dir}: ${toReason(error)}${others}`, {
      code: 'no-agent-dir',
      hint: isOneOfMany
        ? hint`set it with ${rootParameter}, or another agent’s with ${anyParameter}`
        : rootVariable === null
          ? hint`set it with ${rootParameter}`
          : hint`set it with ${rootParameter} or ${rootVariable}`,
      cause: error,
    });
  }
  throw new UserError(`${dir} is not a folder`, {
    code: 'no-agent-dir',
    hint: hint`choose one with ${rootParameter}`,
  });
}

/** No error where no folder exists: `missing` says why. */
export function tryRoots(roots: Host['roots']): { roots: readonly Root[]; missing: UserError | null } {
  try {
    return { roots: roots(), missing: null };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { roots: [], missing: error };
  }
}

export interface ReadOnlyPaths {
  readonly indexPath: string;
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly archivePath: string;
}

export function listReadOnlyPaths({ roots, at, archivePath }: Host, { db, path }: Store): ReadOnlyPaths {
  const current = tryRoots(roots).roots.map(({ path }) => path);
  // The index lists it among the folders that it has read.
  const folders = [...readRoots(db), ...current].filter((path) => path !== archivePath);
  return {
    indexPath: path,
    folders: [...folders, ...folders.flatMap(findLinkedStores)],
    files: findOwnFiles(at),
    archivePath: existsSync(archivePath) ? realpathSync(archivePath) : archivePath,
  };
}

/** Some people keep ~/.claude/projects elsewhere, behind a link. */
function findLinkedStores(root: string): string[] {
  try {
    const links = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink());
    return links.flatMap(({ name }) => findRealPath(join(root, name)) ?? []);
  } catch {
    return [];
  }
}

/** Of the default folders: ~/.claude.json is in use even while CLAUDE_CONFIG_DIR names another folder. */
function findOwnFiles(at: Surroundings): string[] {
  const usual = { ...at, env: {} };
  return agents.flatMap((agent) => {
    const source = getSource(agent);
    return source
      .toDefaultRoots(usual)
      .flatMap((root) => source.findOwnFiles(findRealPath(root) ?? root, usual));
  });
}
