// Which files belong to which session, as most agents name them: a transcript has the id of its session in its name, and a
// subagent's the id of the session that it works for. A source says what is different.

import type { SessionFiles } from '../kept-files.ts';
import { discoverFiles } from './discover.ts';
import { findMeaning, type Layout, type Place } from './layout.ts';

export function toUsualFiles<P extends Place>(layout: Layout<P>): SessionFiles {
  const meaningOf = (path: string) => findMeaning(layout, path);
  return {
    findOwner: (path) => {
      const { transcript = null, sidecar = null } = meaningOf(path) ?? {};
      const found = transcript ?? sidecar;
      return found?.parentNativeId ?? found?.nativeId ?? null;
    },
    toOwner: (nativeId) => nativeId,
    toFolder: () => null,
    findMeaning: meaningOf,
    findForm: (path) => ((meaningOf(path)?.transcript ?? null) === null ? 'text' : 'lines'),
    toFormerPaths: (path) => [path],
    findOnDisk: (root, nativeId) =>
      discoverFiles(root, layout).files.find((file) => file.nativeId === nativeId)?.path ?? null,
    toMovedPath: () => null,
  };
}
