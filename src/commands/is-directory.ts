// Whether a directory that a session ran in is still there.

import { statSync } from 'node:fs';

export function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    // A path that no file can have, or one behind a directory that may not be read.
    return false;
  }
}
