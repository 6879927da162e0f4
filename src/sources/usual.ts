// What most agents have in common: they keep each session in a file, call it by a uuid, delete nothing, and find it again by
// its id. A source takes over what fits and says what is different.

import { realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parameter } from '../hints.ts';
import { isFile } from '../open-file.ts';
import type { AgentName, Surroundings } from '../records.ts';
import { control } from '../text/printable.ts';
import { type DatabaseLayout, discoverRows } from './files/database.ts';
import { discoverFiles } from './files/discover.ts';
import { type FileLayout, type FilePlace, findMeaningOf } from './files/layout.ts';
import type { RunningSession, SessionFiles, Source } from './source.ts';

const usual = {
  marks: [],
  readCleanupDays: () => null,
  cleanupAdvice: '',
  excludesOthers: () => false,
  movesTranscripts: false,
  files: null,
  isWarmup: () => false,
  isSessionId: isUuid,
  findDirectory: ({ firstCwd, project }) =>
    [firstCwd, project].find((path) => path !== null && isAbsolute(path)) ?? null,
  parserVersion: 1,
  toFirstArgv: () => null,
  findRunningSession: () => null,
  canRebuild: () => false,
  hasSession: ({ root, path }) => path !== null && isFile(join(root, path)),
} as const satisfies Partial<Source>;

/** What a source starts from: its own answers come after these and replace them. */
export function usualSource<Agent extends AgentName>(agent: Agent, name: string) {
  return { ...usual, agent, name, rootParameter: parameter('agentDirs', `--agent-dir ${agent}=<dir>`) };
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** An id with other characters is none that a program could have given: it would be taken for a flag, or harm a terminal. */
export function isPlainId(nativeId: string): boolean {
  return !nativeId.startsWith('-') && !control.test(nativeId);
}

/** On Windows or elsewhere: the session may have been written on another system. */
export function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) || path.startsWith('\\\\');
}

interface KeptFolder {
  /** The files in it, by their names, that hold what a person has set up. */
  readonly own?: readonly string[];
  /** What the variable has to be for a root; null for none. */
  readonly toValue?: (root: string) => string | null;
}

/** For a folder that no variable names. */
export function keepsHomeFolder(
  folder: string,
  own: readonly string[],
): Pick<Source, 'rootVariable' | 'toDefaultRoots' | 'findOwnFiles' | 'findResumeEnv'> {
  return {
    rootVariable: null,
    toDefaultRoots: ({ homeDir }) => [join(homeDir, folder)],
    findOwnFiles: (root) => own.map((name) => join(root, name)),
    findResumeEnv: () => ({}),
  };
}

/** `folder` finds it where neither the home nor `variable` does. */
export function keepsFolder(
  variable: string,
  folder: string | ((at: Surroundings) => string),
  { own = [], toValue = (root) => root }: KeptFolder = {},
): Pick<Source, 'rootVariable' | 'toDefaultRoots' | 'findOwnFiles' | 'findResumeEnv'> {
  const findRoot =
    typeof folder === 'string'
      ? ({ env, homeDir, cwd }: Surroundings) => resolve(cwd, env[variable] || join(homeDir, folder))
      : folder;
  return {
    rootVariable: variable,
    toDefaultRoots: (at) => [findRoot(at)],
    findOwnFiles: (root) => own.map((name) => join(root, name)),
    findResumeEnv: (root, at) => {
      if (findRealPath(findRoot(at)) === root) return {};
      // Named by the variable, even the default folder is another one to some agents: they keep a part of it beside it.
      const isDefault = findRealPath(findRoot({ ...at, env: { ...at.env, [variable]: undefined } })) === root;
      const value = isDefault ? null : toValue(root);
      return isDefault || value !== null ? { [variable]: value } : {};
    },
  };
}

export function keepsFiles<P extends FilePlace>(
  layout: FileLayout<P>,
  own: Partial<SessionFiles> = {},
): Pick<Source, 'discover' | 'files' | 'isWatched'> {
  return { ...readsFiles(layout), files: { ...usualFiles(layout), ...own } };
}

/** For files that are not copied to the archive. */
export function readsFiles<P extends FilePlace>(
  layout: FileLayout<P>,
): Pick<Source, 'discover' | 'isWatched'> {
  return {
    discover: (root, options) => discoverFiles(root, layout, options),
    isWatched: (name) => findMeaningOf(layout, name.replaceAll('\\', '/')) !== null,
  };
}

/** For sessions that are rows of databases, which are not copied to the archive. */
export function keepsRows(layout: DatabaseLayout): Pick<Source, 'discover' | 'isWatched' | 'hasSession'> {
  const written = [layout.fileName, `${layout.fileName}-wal`];
  return {
    discover: (root, options) => discoverRows(root, layout, options),
    isWatched: (name) =>
      written.includes(name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)),
    hasSession: ({ isGone }) => !isGone,
  };
}

/** For a program that is given the id of a session after these words. */
export function resumesById(
  resumesIn: Source['resumesIn'],
  ...words: readonly string[]
): Pick<Source, 'resumesIn' | 'toResumeArgv'> {
  return { resumesIn, toResumeArgv: ({ nativeId }) => (isPlainId(nativeId) ? [...words, nativeId] : null) };
}

export function findRealPath(path: string): string | undefined {
  try {
    // Most agents are not there, and an error takes ten times as long as the look.
    return statSync(path, { throwIfNoEntry: false }) === undefined ? undefined : realpathSync(path);
  } catch {
    return undefined;
  }
}

/** For a program that says that it is running, but not always which session. */
export function findRunning(
  env: Surroundings['env'],
  idVariable: string | null,
  markVariable: string,
): RunningSession | null {
  const nativeId = idVariable === null ? '' : (env[idVariable] ?? '');
  if (nativeId !== '') return { nativeId };
  return env[markVariable] ? { nativeId: null } : null;
}

/** A transcript has the id of its session in its name, and a subagent's that of the session it works for. */
export function usualFiles<P extends FilePlace>(layout: FileLayout<P>): SessionFiles {
  const meaningOf = (path: string) => findMeaningOf(layout, path);
  return {
    findOwner: (path) => {
      const { transcript = null, sidecar = null } = meaningOf(path) ?? {};
      const found = transcript ?? sidecar;
      return found?.parentNativeId ?? found?.nativeId ?? null;
    },
    toOwner: (nativeId) => nativeId,
    toFolder: () => null,
    findMeaning: meaningOf,
    findForm: (path) => ((meaningOf(path)?.transcript ?? null) === null ? 'text' : 'lines'),
    toFormerPaths: (path) => [path],
    findOnDisk: (root, nativeId) =>
      discoverFiles(root, layout).files.find((file) => file.nativeId === nativeId)?.path ?? null,
    toMovedPath: () => null,
  };
}
