// Which files below a root belong to which session.

import { toUsualFiles } from '../files/usual-files.ts';
import type { SessionFiles } from '../kept-files.ts';
import { layout, store } from './places.ts';

/**
 * What is in the folder of a session belongs to it, but for locks and databases, which are of a running program, and for the files
 * of the project as they were before each turn, which it does not need to be resumed.
 */
function findOwner(path: string): string | null {
  const [folder, nativeId, ...rest] = path.split('/');
  const name = rest.at(-1) ?? '';
  const isLock = name.startsWith('.') || /\.(lock|db|db-wal|db-shm)$/.test(name);
  const isOfProgram = isLock || rest[0] === 'rewind-file-snapshots';
  return folder === store && nativeId !== undefined && name !== '' && !isOfProgram ? nativeId : null;
}

export const sessionFiles: SessionFiles = {
  ...toUsualFiles(layout),
  findOwner,
  toFolder: (_path, nativeId) => `${store}/${nativeId}`,
};
