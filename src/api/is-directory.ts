// Whether a directory that a session ran in is still there.

import { statSync } from 'node:fs';

/** Most sessions of a list share theirs with others. */
const known = new Map<string, boolean>();

export function isDirectory(path: string): boolean {
  let isThere = known.get(path);
  if (isThere === undefined) {
    isThere = look(path);
    known.set(path, isThere);
  }
  return isThere;
}

function look(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    // A path that no file can have, or one behind a directory that may not be read.
    return false;
  }
}
