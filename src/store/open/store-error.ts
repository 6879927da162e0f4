// What SQLite says, as something a person can act on. Apart from opening, so that reporting an error loads nothing.

import { toReason, UserError } from '../../errors.ts';
import { hint, indexParameter, recall } from '../../hints.ts';

/** Turns what SQLite says into something a person can act on; other errors pass through. */
export function toStoreError(error: unknown, path: string): unknown {
  const code = (error as { code?: unknown }).code;
  if (typeof code !== 'string' || !code.startsWith('SQLITE_')) return error;
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
