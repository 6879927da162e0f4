// Whether a transcript is still where it was: a directory or a link that leads nowhere has its name, but is not it.

import { statSync } from 'node:fs';

/** Also through a link, as the program itself would read it. */
export function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    // A path that no file can have, or one inside a directory without read permission.
    return false;
  }
}
