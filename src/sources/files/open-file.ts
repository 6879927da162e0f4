// Opens a file that is to be read, and nothing else: what was a file when it was found may since have become a pipe, which
// would be waited for without end, or a link. And whether a file is there at all.

import { closeSync, constants, fstatSync, openSync, statSync } from 'node:fs';

/** Windows knows neither; 0 changes nothing. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

export function openFile(path: string): number {
  const fd = openSync(path, flags);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  // With a code as the system's own refusals have, so that it costs this file and not the run.
  throw Object.assign(new Error('not a regular file'), { code: 'ENOTREG' });
}

/** Also through a link, as the program itself would read it; a directory or a link that leads nowhere has its name, but is not it. */
export function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    // A path that no file can have, or one inside a directory without read permission.
    return false;
  }
}
