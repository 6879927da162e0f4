// What SQLite says, as something a person can act on. Apart from opening, so that reporting an error loads nothing.

import { closeSync, openSync, readSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { toReason, UserError } from '../../errors.ts';
import { hint, indexParameter, recall } from '../../hints.ts';

export function toStoreError(error: unknown, path: string): unknown {
  const code = (error as { code?: unknown }).code;
  if (typeof code !== 'string' || !code.startsWith('SQLITE_')) return error;
  if (code === 'SQLITE_NOTADB' && isForeign(path)) return notAnIndex(`${path} is not an index of recall`);
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB' || isOfSchema(error))
    return new UserError(`the index ${path} is damaged (${toReason(error)})`, {
      code: 'index-damaged',
      hint: hint`${recall('doctor', '--repair')}`,
      cause: error,
    });
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'))
    return new UserError(`the index ${path} is being written by another process`, {
      code: 'index-busy',
      hint: 'try again when the other recall has finished',
      cause: error,
    });
  const reasons: Record<string, string> = {
    SQLITE_FULL: 'the disk is full',
    SQLITE_READONLY: 'it is read-only',
    SQLITE_CANTOPEN: 'it cannot be opened',
    SQLITE_PERM: 'permission denied',
  };
  const reason = Object.entries(reasons).find(([prefix]) => code.startsWith(prefix))?.[1];
  if (reason === undefined && !code.startsWith('SQLITE_IOERR')) return error;
  return new UserError(`the index ${path} cannot be used: ${reason ?? toReason(error)}`, {
    code: 'index-unusable',
    hint: hint`free the space or fix the permissions, or use another index with ${indexParameter}; no transcript was touched`,
    cause: error,
  });
}

/** Every index has what recall asks for: if not, the definitions of the tables are damaged. */
function isOfSchema(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return (
    code === 'SQLITE_ERROR' &&
    /^no such (table|column|module)|has no column named|already exists|unsupported file format|vtable constructor failed|invalid fts5 file format|no such index|syntax error|tokenizer|^unrecognized (?:parameter|option|column)|^malformed |^parse error in|contentless/.test(
      String(message),
    )
  );
}

export function notAnIndex(message: string): UserError {
  return new UserError(message, {
    code: 'not-an-index',
    hint: hint`name another file with ${indexParameter} or RECALL_DB`,
  });
}

/** A repair would move it away. At the usual place, or with pages of a database further on, it is a damaged index. */
function isForeign(path: string): boolean {
  if (basename(path) === 'recall.db' && basename(dirname(path)) === 'recall') return false;
  try {
    const [start] = readAt(path, [0], 16);
    return start?.toString('latin1') !== 'SQLite format 3\0' && countTreePages(path) < fewestTreePages;
  } catch {
    return false;
  }
}

/** An index has a page for each of its tables and indices, empty or not. */
const fewestTreePages = 8;
const pageBytes = 8192;

/** Of the first pages, those that start as a page with rows does: its kind, how many rows, and where they begin. */
function countTreePages(path: string): number {
  const starts = Array.from({ length: 64 }, (_, i) => (i + 1) * pageBytes);
  return readAt(path, starts, 8).filter((bytes) => {
    if (bytes.length < 8 || ![2, 5, 10, 13].includes(bytes.readUInt8(0))) return false;
    const rowsAt = bytes.readUInt16BE(5);
    return 8 + 2 * bytes.readUInt16BE(3) <= rowsAt && rowsAt <= pageBytes;
  }).length;
}

function readAt(path: string, positions: readonly number[], length: number): Buffer[] {
  const file = openSync(path, 'r');
  try {
    return positions.map((position) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, position));
    });
  } finally {
    closeSync(file);
  }
}

/** The first Node.js whose own SQLite has all that recall needs. */
const firstNodeWithSqlite = '22.16';

interface Installation {
  readonly nodeVersion: string;
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
  const [requirer] = Array.isArray(requireStack) ? requireStack.map(String) : [];
  const place = isMissing ? requirer : /^(?:The module ')?(.+?\.node)\b/s.exec(message)?.[1];
  const isInstalled = place === undefined || !isMissing || isInstalledFor(dirname(place), isThere);
  const node = `this Node (${nodeVersion})`;
  const fault = isInstalled ? `built for ${node}` : `installed, and ${node} has no SQLite of its own`;
  return new UserError(`better-sqlite3 is not ${fault}`, {
    code: 'no-sqlite',
    hint: `use Node ${firstNodeWithSqlite} or newer, or ${adviseInstalling(place ?? '', isInstalled)}`,
  });
}

/** npm leaves an optional dependency out altogether when its install script fails. */
function isInstalledFor(folder: string, isThere: Installation['isThere']): boolean {
  if (isThere(`${folder}/node_modules/better-sqlite3`)) return true;
  return dirname(folder) !== folder && isInstalledFor(dirname(folder), isThere);
}

/** npm prints why an install script failed only when it runs in the foreground. */
const seeWhy = 'see why npm left it out:';

/** `place` is a file of recall, or of a package in its node_modules. */
function adviseInstalling(place: string, isInstalled: boolean): string {
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
