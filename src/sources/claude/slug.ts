// The name of the folder under projects/ in which Claude Code keeps the sessions of a directory, and the way back.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Every character but ASCII letters and digits becomes a dash, so a name alone cannot be turned back into its path. */
export function toSlug(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, '-');
}

/** The one directory on disk that has this name; null if there is none, or several could be meant. */
export function findDirectoryOf(slug: string): string | null {
  const drive = /^([A-Za-z])--/.exec(slug)?.[1];
  const root = drive === undefined ? '/' : `${drive}:\\`;
  if (drive === undefined && !slug.startsWith('-')) return null;
  const [only, ...others] = findBelow(root, slug.slice(toSlug(root).length));
  return only === undefined || others.length > 0 ? null : only;
}

/** Reads only folders whose names fit. */
function findBelow(folder: string, rest: string): string[] {
  return listNames(folder).flatMap((name) => {
    const part = toSlug(name);
    const path = join(folder, name);
    if (part === rest) return isDirectory(path) ? [path] : [];
    return rest.startsWith(`${part}-`) ? findBelow(path, rest.slice(part.length + 1)) : [];
  });
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A file, or a folder without read permission.
    return [];
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}
