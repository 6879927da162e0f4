// Where a page must never be written: the folders that were or would be indexed, the agents' own files, and the archive.

import { existsSync, realpathSync } from 'node:fs';
import type { Store } from '../store/open/open-store.ts';
import { readRoots } from '../store/read/index-facts.ts';
import type { Host } from './host.ts';
import { findOwnFiles, tryRoots } from './roots.ts';

export interface ReadOnlyPaths {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly archivePath: string;
}

export function listReadOnlyPaths({ roots, at, archivePath }: Host, { db }: Store): ReadOnlyPaths {
  const current = tryRoots(roots).roots.map(({ path }) => path);
  // The index lists it among the folders that it has read.
  const folders = [...readRoots(db), ...current].filter((path) => path !== archivePath);
  return {
    folders,
    files: findOwnFiles(at),
    archivePath: existsSync(archivePath) ? realpathSync(archivePath) : archivePath,
  };
}
