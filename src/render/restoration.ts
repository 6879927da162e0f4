// What was brought back of a session, in words and as JSON.

import type { Restoration } from '../api/archive/restore.ts';
import { toPrintableLine } from '../text/printable.ts';
import { formatNumbered } from './quantities.ts';
import { restoredFrom, toObstacleText, toRestoredVerb } from './resumption.ts';

export function toLossText({ damages }: Pick<Restoration, 'damages'>): string {
  return `${formatNumbered(damages.length, 'part')} of the copy could not be read; the rest is restored`;
}

export function toRestorationNotes({
  nativeId,
  from,
  files,
  olderVersions,
}: Pick<Restoration, 'nativeId' | 'from' | 'files' | 'olderVersions'>): string[] {
  const id = toPrintableLine(nativeId);
  const transcript = toPrintableLine(files[0]?.path ?? '');
  if (from === 'present') return [`recall: the transcript of ${id} is there: ${transcript}`];
  const written = files.filter(({ state }) => state === 'written').length;
  const notes = [
    `recall: ${toRestoredVerb(from)} ${id} ${restoredFrom[from]} (${formatNumbered(written, 'file')})`,
  ];
  if (olderVersions > 0)
    notes.push(
      `recall: it was rewritten at some time; ${formatNumbered(olderVersions, 'older version')} with other lines ${olderVersions === 1 ? 'is' : 'are'} kept, too: --older`,
    );
  return notes;
}

/** What a run would write, one file a line. */
export function toPlannedLines({ from, files }: Restoration): string[] {
  return files.map(({ path, state }) => {
    const what = state === 'exists' ? 'is there already' : `would be written ${restoredFrom[from]}`;
    return `${toPrintableLine(path)}: ${what}`;
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
