// What was brought back of a session, in words and as JSON.

import type { Restoration } from '../api/archive/restore.ts';
import { toPrintableLine } from '../text/printable.ts';
import { formatNumbered } from './quantities.ts';
import { restoredFrom, toObstacleText, toRestoredVerb } from './resumption.ts';

export function toLossText({ damages, files }: Pick<Restoration, 'damages' | 'files'>): string {
  const lost = `${formatNumbered(damages.length, 'part')} of the copy could not be read`;
  const left = files.filter(({ state }) => state === 'damaged').length;
  if (left === 0) return `${lost}; the rest is restored`;
  return `${lost}; ${formatNumbered(left, 'transcript')} beside it ${left === 1 ? 'is' : 'are'} not restored, so that the indexed text stays`;
}

export function toRestorationNotes({
  nativeId,
  from,
  files,
  olderVersions,
}: Pick<Restoration, 'nativeId' | 'from' | 'files' | 'olderVersions'>): string[] {
  const id = toPrintableLine(nativeId);
  const transcript = toPrintableLine(files[0]?.path ?? '');
  if (from === 'present')
    return files.length === 0 ? [] : [`recall: the transcript of ${id} is there: ${transcript}`];
  const written = files.filter(({ state }) => state === 'written').length;
  const count = files.length === 0 ? '' : ` (${formatNumbered(written, 'file')})`;
  const notes = [`recall: ${toRestoredVerb(from)} ${id} ${restoredFrom[from]}${count}`];
  if (olderVersions > 0)
    notes.push(
      `recall: it was rewritten at some time; ${formatNumbered(olderVersions, 'older version')} with other lines ${olderVersions === 1 ? 'is' : 'are'} kept, too: --older`,
    );
  return notes;
}

const notPlanned = {
  exists: 'is there already',
  written: 'is written',
  damaged: 'would not be written, since its copy is damaged',
} as const;

/** What a run would write, one file a line. */
export function toPlannedLines({ from, files }: Restoration): string[] {
  return files.map(({ path, state }) => {
    return `${toPrintableLine(path)}: ${state === 'planned' ? `would be written ${restoredFrom[from]}` : notPlanned[state]}`;
  });
}

export function toRestorationJson(restoration: Restoration): object {
  const { nativeId: id, from, files, damages, olderVersions, resume, obstacle, env } = restoration;
  const resumable = obstacle === null && resume !== null;
  const reason = resumable ? null : toRestoredObstacle(restoration).reason;
  return {
    ...{ schemaVersion: 1, id, from, files, damages, olderVersions, resumable, reason },
    ...resume,
    ...(env === null ? {} : { env }),
  };
}

/** It is back, and something else is missing before it can be resumed. */
export function toRestoredObstacle(restoration: Restoration): ReturnType<typeof toObstacleText> {
  const transcriptPath = restoration.files[0]?.path ?? null;
  return toObstacleText({ ...restoration, transcriptPath, restorable: null });
}
