// What SQLite says, as something a person can act on. Apart from opening, so that reporting an error loads nothing.

import { closeSync, openSync, readSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { toReason, UserError } from '../../errors.ts';
import { hint, indexParameter, recall } from '../../hints.ts';

/** Turns what SQLite says into something a person can act on; other errors pass through. */
export function toStoreError(error: unknown, path: string): unknown {
  const code = (error as { code?: unknown }).code;
  if (typeof code !== 'string' || !code.startsWith('SQLITE_')) return error;
  if (code === 'SQLITE_NOTADB' && isForeign(path)) return notAnIndex(`${path} is not an index of recall`);
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
    hint: hint`free the space or fix the permissions, or use another index with ${indexParameter}; no transcript was touched`,
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

export function notAnIndex(message: string): UserError {
  return new UserError(message, {
    code: 'not-an-index',
    hint: hint`name another file with ${indexParameter} or RECALL_DB`,
  });
}

/**
 * Whether a file that does not begin as a database does was named by mistake: a repair would move it away. At the usual
 * place of the index, or with pages of a database further on, it is an index whose beginning is damaged.
 */
function isForeign(path: string): boolean {
  if (basename(path) === 'recall.db' && basename(dirname(path)) === 'recall') return false;
  try {
    return !startsAsDatabase(path) && countTreePages(path) < fewestTreePages;
  } catch {
    return false;
  }
}

function startsAsDatabase(path: string): boolean {
  return readAt(path, [0], 16)[0]?.toString('latin1') === 'SQLite format 3\0';
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
