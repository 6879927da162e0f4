// Where Claude Code keeps its files, from the environment and the home directory, and how long it keeps them.

import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Surroundings } from '../../config.ts';
import { type JsonObject, numberField, parseJsonObject } from '../json/json-value.ts';
import { findRealPath } from '../usual.ts';

export function toDefaultRoots({ env, homeDir, cwd }: Surroundings): readonly string[] {
  return [resolve(cwd, env.CLAUDE_CONFIG_DIR || join(homeDir, '.claude'))];
}

/** Whether Claude Code keeps its sessions in this folder, named by its real path, when it is simply started. */
export function isDefaultRoot(root: string, at: Surroundings): boolean {
  return toDefaultRoots(at).some((path) => findRealPath(path) === root);
}

/** The two files in which Claude Code looks for what a person has set up for all projects. */
export interface ClaudeFiles {
  /** Hooks, permissions and the like. */
  readonly settingsPath: string;
  /** MCP servers, beside much that Claude Code writes down for itself. */
  readonly userConfigPath: string;
}

/** For a root by its real path. `.claude.json` is beside ~/.claude, but within a folder that CLAUDE_CONFIG_DIR names. */
export function findClaudeFiles(root: string, { env, homeDir, cwd }: Surroundings): ClaudeFiles {
  const named = env.CLAUDE_CONFIG_DIR;
  const isNamed = named !== undefined && named !== '' && findRealPath(resolve(cwd, named)) === root;
  const isUsual = !isNamed && findRealPath(join(homeDir, '.claude')) === root;
  return {
    settingsPath: join(root, 'settings.json'),
    userConfigPath: join(isUsual ? homeDir : root, '.claude.json'),
  };
}

const defaultCleanupDays = 30;

/** By settings.json; one that cannot be read, or makes no sense, leaves Claude Code with its own number. */
export function readCleanupDays(root: string): number {
  try {
    const path = join(root, 'settings.json');
    return statSync(path).isFile()
      ? parseCleanupDays(parseJsonObject(readFileSync(path, 'utf8')))
      : defaultCleanupDays;
  } catch {
    return defaultCleanupDays;
  }
}

export function parseCleanupDays(settings: JsonObject | null): number {
  const days = settings === null ? null : numberField(settings, 'cleanupPeriodDays');
  return days === null || days < 0 ? defaultCleanupDays : days;
}
