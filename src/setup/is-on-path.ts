// Whether a program can be started by its bare name, which is how Claude Code will start it.

import { accessSync, constants } from 'node:fs';
import { posix, win32 } from 'node:path';

export function isOnPath(name: string, path: string | undefined, platform: string): boolean {
  const { delimiter, join } = platform === 'win32' ? win32 : posix;
  const names = platform === 'win32' ? [`${name}.cmd`, `${name}.exe`] : [name];
  return (path ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .some((folder) => names.some((each) => isExecutable(join(folder, each))));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
