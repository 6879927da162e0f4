// What most agents have in common: they keep each session in a file, call it by a uuid, delete nothing, and find it again by
// its id. A source takes over what fits and says what is different.

import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Surroundings } from '../config.ts';
import { control } from '../text/printable.ts';
import { isFile } from './files/is-file.ts';
import type { ResumeTarget, Source } from './source.ts';
import { resolveTitle } from './transcript/resolve-title.ts';

export const usual = {
  findOwnFiles: () => [],
  readCleanupDays: () => null,
  cleanupAdvice: '',
  excludesOthers: () => false,
  movesTranscripts: false,
  files: null,
  resolveTitle,
  isWarmup: () => false,
  isSessionId: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
  findDirectory: findFirstDirectory,
  toFirstArgv: () => null,
  canRebuild: () => false,
  hasSession: ({ root, path }) => path !== null && isFile(join(root, path)),
} as const satisfies Partial<Source>;

/** An id with other characters is none that a program could have given: it would be taken for a flag, or harm a terminal. */
export function isPlainId(nativeId: string): boolean {
  return !nativeId.startsWith('-') && !control.test(nativeId);
}

/** On any system: the session may have been written on another one. */
export function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) || path.startsWith('\\\\');
}

/** The directory where the session started. */
function findFirstDirectory({ firstCwd, project }: ResumeTarget): string | null {
  return [firstCwd, project].find((path) => path !== null && isAbsolute(path)) ?? null;
}

/** What names a root that is not one of those where the program looks by itself. */
export function findRootEnv(
  root: string,
  usualRoots: readonly string[],
  variable: string,
  value = root,
): Readonly<Record<string, string>> {
  return usualRoots.some((path) => findRealPath(path) === root) ? {} : { [variable]: value };
}

export function findRealPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** For a program that says that it is running, but not always which session. */
export function findRunning(
  env: Surroundings['env'],
  idVariable: string | null,
  markVariable: string,
): { readonly nativeId: string | null } | null {
  const nativeId = idVariable === null ? '' : (env[idVariable] ?? '');
  if (nativeId !== '') return { nativeId };
  return env[markVariable] ? { nativeId: null } : null;
}
