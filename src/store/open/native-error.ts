// Recognises that the native half of better-sqlite3 cannot be loaded, and says what to do about it where recall is installed.

import { dirname } from 'node:path';
import { UserError } from '../../errors.ts';

/** The first Node.js whose own SQLite has all that recall needs. */
const firstNodeWithSqlite = '22.16';

export interface Installation {
  readonly nodeVersion: string;
  /** Whether there is such a folder. */
  readonly isThere: (path: string) => boolean;
}

/** It was never installed, never built, built for another Node, or is broken. Null for any other error. */
export function toNativeError(error: unknown, { nodeVersion, isThere }: Installation): UserError | null {
  const { code, message, requireStack } = error as NodeJS.ErrnoException & { requireStack?: unknown };
  const isMissing =
    (code === 'MODULE_NOT_FOUND' && /'better-sqlite3\b/.test(message)) ||
    // In the words of the package `bindings`, which looks for it when recall is not bundled.
    /^Could not locate the bindings file/.test(message);
  if (!isMissing && code !== 'ERR_DLOPEN_FAILED') return null;
  const place = isMissing ? toFirst(requireStack) : /^(?:The module ')?(.+?\.node)\b/s.exec(message)?.[1];
  const isInstalled = place === undefined || !isMissing || isInstalledFor(dirname(place), isThere);
  const node = `this Node (${nodeVersion})`;
  const fault = isInstalled ? `built for ${node}` : `installed, and ${node} has no SQLite of its own`;
  return new UserError(`better-sqlite3 is not ${fault}`, {
    code: 'no-sqlite',
    hint: `use Node ${firstNodeWithSqlite} or newer, or ${toInstalling(place ?? '', isInstalled)}`,
    cause: error,
  });
}

function toFirst(requireStack: unknown): string | undefined {
  return Array.isArray(requireStack) ? String(requireStack[0]) : undefined;
}

/** npm leaves an optional dependency out altogether when its install script fails. */
function isInstalledFor(folder: string, isThere: Installation['isThere']): boolean {
  if (isThere(`${folder}/node_modules/better-sqlite3`)) return true;
  return dirname(folder) !== folder && isInstalledFor(dirname(folder), isThere);
}

/** npm prints why an install script failed only when it runs in the foreground. */
const seeWhy = 'see why npm left it out:';

/** `place` is a file of recall, or of a package in its node_modules. */
function toInstalling(place: string, isInstalled: boolean): string {
  const path = place.replaceAll('\\', '/');
  if (/\/\.(pnpm|bun|yarn)\//.test(path))
    return 'install recall again and let better-sqlite3 run its install script';
  const [folder = '', inside] = path.split('/node_modules/');
  const isGlobal = inside !== undefined && /\/(lib|npm|nodejs)$/.test(folder);
  if (path === '' || isGlobal)
    return isInstalled
      ? 'npm rebuild -g better-sqlite3'
      : `${seeWhy} npm install -g recall-sessions --foreground-scripts`;
  const own = inside === undefined ? path.replace(/\/dist\/[^/]*$/, '') : folder;
  const command = isInstalled ? 'npm rebuild better-sqlite3' : `${seeWhy} npm install --foreground-scripts`;
  return `${command} --prefix '${own.replaceAll("'", "'\\''")}'`;
}
