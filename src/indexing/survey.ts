// Looks at the files of a root without reading them: what differs from the index, and what could not be looked at.

import { join } from 'node:path';
import type { Root } from '../records.ts';
import { getSource } from '../sources/index.ts';
import { openForeign } from '../store/open/open-foreign.ts';
import type { Store } from '../store/open/open-store.ts';
import { KnownFiles, readTombstones } from '../store/read/known-files.ts';
import { findRootId } from '../store/write/saved-snapshot.ts';
import { isForgotten } from './look.ts';
import { planReads } from './plan.ts';

export interface Survey {
  readonly pendingFiles: number;
  readonly obstacles: readonly { readonly path: string; readonly reason: string }[];
  /** After how many days the agent deletes this root's transcripts; null when it never does. */
  readonly cleanupDays: number | null;
  /** Nothing of a conversation was found in it, though it could be looked into. */
  readonly isEmpty: boolean;
}

export function surveyRoot(store: Store, { agent, path: folder }: Root): Survey {
  const source = getSource(agent);
  const found = source.discover(folder, { openDatabase: openForeign });
  const tombstones = readTombstones(store.db, agent);
  const known = new KnownFiles(store.db, findRootId(store.db, agent, folder) ?? 0);
  const files = found.files.filter((file) => !isForgotten(file, tombstones));
  const paths = new Set(files.map((file) => file.path));
  const plan = planReads(
    files,
    (path) => known.findTranscript(path),
    known.readPresent().filter(({ path }) => !paths.has(path)),
    {
      parserVersion: source.parserVersion,
      rebuild: false,
      newestFirst: false,
      freeIds: { above: 0, left: null },
      unreadable: found.obstacles.map((obstacle) => obstacle.path),
    },
  );
  return {
    pendingFiles: plan.reads.length + plan.gone.length,
    obstacles: found.obstacles.map(({ path, reason }) => ({ path: join(folder, path), reason })),
    cleanupDays: source.readCleanupDays(folder),
    isEmpty: found.files.length === 0 && found.obstacles.length === 0,
  };
}
