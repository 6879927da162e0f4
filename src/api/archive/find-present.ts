// The transcript of a session that was asked for as a deleted one, where it is there after all.

import { join } from 'node:path';
import type { Root } from '../../records.ts';
import { isFile } from '../../sources/files/open-file.ts';
import { getSource } from '../../sources/index.ts';
import type { ResumeTarget } from '../../store/read/sessions.ts';
import type { Host } from '../host.ts';
import { tryRoots } from '../roots.ts';

/** A second transcript with the same id would confuse the program, so one anywhere will do. */
export function findPresent(host: Host, target: ResumeTarget): { root: Root; path: string } | null {
  const { agent, root, path, nativeId } = target;
  if (path !== null && isThere(target, path)) return { root: { agent, path: root }, path };
  for (const each of tryRoots(host.roots).roots.filter((one) => one.agent === agent)) {
    const found = getSource(agent).files?.findOnDisk(each.path, nativeId) ?? null;
    if (found !== null) return { root: each, path: found };
  }
  return null;
}

/** By the path that the index knows: the program may have moved it since. */
function isThere(target: ResumeTarget, path: string): boolean {
  const { files, hasSession } = getSource(target.agent);
  return files === null ? hasSession(target) : isFile(join(target.root, path));
}
