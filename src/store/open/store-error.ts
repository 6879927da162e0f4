// What SQLite says, as something a person can act on. Apart from opening, so that reporting an error loads nothing.

import { toReason, UserError } from '../../errors.ts';
import { hint, recall } from '../../hints.ts';

/** Turns what SQLite says into something a person can act on; other errors pass through. */
export function toStoreError(error: unknown, path: string): unknown {
  const code = (error as { code?: unknown }).code;
  if (typeof code !== 'string') return error;
  if (!code.startsWith('SQLITE_')) return toNativeError(error, process.versions.node) ?? error;
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB' || isOfSchema(error)) {
    return new UserError(`the index ${path} is damaged (${toReason(error)})`, {
      code: 'index-damaged',
      hint: hint`${recall('doctor', '--repair')}`,
      cause: error,
    });
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new UserError(`the index ${path} is being written by another process`, {
      code: 'index-busy',
      hint: 'try again when the other recall has finished',
      cause: error,
    });
  }
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
    hint: 'free the space or fix the permissions, or use another index with --db <file>; nothing in ~/.claude was touched',
    cause: error,
  });
}

/** What recall asks for is there in every index that it has made: if not, the definitions of the tables are damaged. */
function isOfSchema(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return (
    code === 'SQLITE_ERROR' &&
    /^no such (table|column|module)|has no column named|already exists|unsupported file format|vtable constructor failed|invalid fts5 file format|no such index|syntax error|tokenizer|^unrecognized (?:parameter|option|column)|^malformed |^parse error in|contentless/.test(
      String(message),
    )
  );
}

/**
 * The native half of better-sqlite3 cannot be loaded: it was never built, was built for another Node, or is broken. Says
 * which command builds it where recall is installed; null for any other error.
 */
export function toNativeError(error: unknown, nodeVersion: string): UserError | null {
  const { code, message, requireStack } = error as NodeJS.ErrnoException & { requireStack?: unknown };
  const isMissing = code === 'MODULE_NOT_FOUND' && /'better-sqlite3\b/.test(message);
  if (!isMissing && code !== 'ERR_DLOPEN_FAILED') return null;
  const place = isMissing ? toFirst(requireStack) : /^(?:The module ')?(.+?\.node)\b/s.exec(message)?.[1];
  return new UserError(`better-sqlite3 is not built for this Node (${nodeVersion})`, {
    code: 'no-sqlite',
    hint: toRebuilding(place ?? ''),
    cause: error,
  });
}

function toFirst(requireStack: unknown): string | undefined {
  return Array.isArray(requireStack) ? String(requireStack[0]) : undefined;
}

/** `place` is a file of recall, or of a package in its node_modules. */
function toRebuilding(place: string): string {
  const path = place.replaceAll('\\', '/');
  if (/\/\.(pnpm|bun|yarn)\//.test(path))
    return 'install recall again and let better-sqlite3 run its install script';
  const [folder = '', inside] = path.split('/node_modules/');
  const isGlobal = inside !== undefined && /\/(lib|npm|nodejs)$/.test(folder);
  if (path === '' || isGlobal) return 'npm rebuild -g better-sqlite3';
  const own = inside === undefined ? path.replace(/\/dist\/[^/]*$/, '') : folder;
  return `npm rebuild --prefix '${own.replaceAll("'", "'\\''")}' better-sqlite3`;
}
