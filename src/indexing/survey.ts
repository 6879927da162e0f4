// Looks at the files of a root without reading them: what differs from the index, and what could not be looked at.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../store/open-store.ts';
import { readKnownTranscripts, readTombstones } from '../store/read-known.ts';
import { TranscriptWriter } from '../store/transcript-writer.ts';
import { discover } from '../transcripts/discover.ts';
import { parseCleanupDays, parseJsonObject } from '../transcripts/sidecars.ts';
import { planReads } from './plan.ts';
import { isForgotten, parserVersion } from './update-index.ts';

export interface Survey {
  readonly pendingFiles: number;
  readonly obstacles: readonly { readonly path: string; readonly reason: string }[];
  /** After how many days Claude Code deletes this root's transcripts. */
  readonly cleanupDays: number;
}

export async function surveyRoot(store: Store, root: string): Promise<Survey> {
  const found = discover(root);
  const tombstones = await readTombstones(store);
  const known = await readKnownTranscripts(store, new TranscriptWriter(store.db).getRootId(root));
  const files = found.files.filter((file) => !isForgotten(file, tombstones));
  const unreadable = found.obstacles.map((obstacle) => obstacle.path);
  const plan = planReads(files, known, { parserVersion, rebuild: false, unreadable });
  return {
    pendingFiles: plan.reads.length + plan.gone.length,
    obstacles: found.obstacles.map(({ path, reason }) => ({ path: join(root, path), reason })),
    cleanupDays: parseCleanupDays(readSettings(root)),
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
