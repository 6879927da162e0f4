// The one way to read a file that somebody else writes: a transcript, settings, a repository. In its place there may be a pipe,
// which would be waited for without end, or a device, which has no end. And whether a file is there at all.

import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';

/** Windows knows neither; 0 changes nothing. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const noLinks = constants.O_NOFOLLOW ?? 0;

/** Not through a link: what was a file when it was found may have become one. */
export function openFile(path: string): number {
  return openRegular(path, flags | noLinks);
}

/** All of a file, not through a link. */
export function readFoundFile(path: string): Buffer {
  const fd = openFile(path);
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** No settings are longer. */
const maxReadBytes = 64 * 1024 * 1024;

/** All of a small file, also through a link. */
export function readForeignFile(path: string): Buffer {
  const fd = openRegular(path, flags);
  try {
    const { size } = fstatSync(fd);
    if (size > maxReadBytes) throw Object.assign(new Error(`${size} bytes long`), { code: 'EFBIG' });
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

function openRegular(path: string, openFlags: number): number {
  const fd = openSync(path, openFlags);
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
