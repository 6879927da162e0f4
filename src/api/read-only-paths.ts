// Where a page must never be written: the folders that were or would be indexed, and the agents' own files.

import type { Store } from '../store/open/open-store.ts';
import { readRoots } from '../store/read/index-facts.ts';
import type { Host } from './host.ts';
import { findOwnFiles, tryRoots } from './roots.ts';

export interface ReadOnlyPaths {
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

export function listReadOnlyPaths({ roots, at }: Host, { db }: Store): ReadOnlyPaths {
  const current = tryRoots(roots).roots.map(({ path }) => path);
  return { folders: [...readRoots(db), ...current], files: findOwnFiles(at) };
}
