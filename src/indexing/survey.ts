// Looks at the files of a root without reading them: what differs from the index, and what could not be looked at.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseCleanupDays, parseJsonObject } from '../sources/claude/sidecars.ts';
import { discover } from '../sources/files/discover.ts';
import type { Store } from '../store/open/open-store.ts';
import { KnownFiles, readTombstones } from '../store/read/read-known.ts';
import { findRootId } from '../store/write/saved-snapshot.ts';
import { isForgotten, parserVersion } from './look.ts';
import { planReads } from './plan.ts';

export interface Survey {
  readonly pendingFiles: number;
  readonly obstacles: readonly { readonly path: string; readonly reason: string }[];
  /** After how many days Claude Code deletes this root's transcripts. */
  readonly cleanupDays: number;
  /** Nothing of a conversation was found in it, though it could be looked into. */
  readonly isEmpty: boolean;
}

export function surveyRoot(store: Store, root: string): Survey {
  const found = discover(root);
  const tombstones = readTombstones(store.db, 'claude');
  const known = new KnownFiles(store.db, findRootId(store.db, 'claude', root) ?? 0);
  const files = found.files.filter((file) => !isForgotten(file, tombstones));
  const paths = new Set(files.map((file) => file.path));
  const plan = planReads(
    files,
    (path) => known.findTranscript(path),
    known.readPresent().filter(({ path }) => !paths.has(path)),
    {
      parserVersion,
      rebuild: false,
      newestFirst: false,
      unreadable: found.obstacles.map((obstacle) => obstacle.path),
    },
  );
  return {
    pendingFiles: plan.reads.length + plan.gone.length,
    obstacles: found.obstacles.map(({ path, reason }) => ({ path: join(root, path), reason })),
    cleanupDays: parseCleanupDays(readSettings(root)),
    isEmpty: found.files.length === 0 && found.obstacles.length === 0,
  };
}

function readSettings(root: string) {
  try {
    const path = join(root, 'settings.json');
    return statSync(path).isFile() ? parseJsonObject(readFileSync(path, 'utf8')) : null;
  } catch {
    return null;
  }
}
