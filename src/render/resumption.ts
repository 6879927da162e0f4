// Why a session cannot be resumed, in words, and what to do instead.

import type { Resumption } from '../api/resume.ts';
import type { ListedSession } from '../api/sessions.ts';
import { type Hint, hint, recall } from '../hints.ts';
import { sessionKinds } from '../records.ts';
import { toPrintableLine } from '../text/printable.ts';

/** What of a session is no longer on disk, by the rule that says whether it can be resumed. */
export function findMissing({ session, resumption }: Pick<ListedSession, 'session' | 'resumption'>): {
  readonly transcript: boolean;
  /** The directory it ran in, where only that is missing. */
  readonly directory: string | null;
} {
  const isOwn = resumption.nativeId === session.nativeId;
  const transcript = isOwn ? resumption.obstacle === 'transcript-deleted' : session.isGone === 1;
  return { transcript, directory: isOwn && !transcript ? resumption.goneDirectory : null };
}

/** For a session that cannot be resumed. */
export function toObstacleText({ nativeId, kind, obstacle, transcriptPath }: Resumption): {
  readonly reason: string;
  readonly hint: Hint;
} {
  const id = toPrintableLine(nativeId);
  const show = hint`read it with: ${recall('show', id)}`;
  switch (obstacle) {
    case 'kind':
      return { reason: `${id} is ${sessionKinds[kind].description} and cannot be resumed`, hint: show };
    case 'no-transcript':
      return { reason: `${id} has no transcript`, hint: show };
    case 'transcript-deleted':
      return { reason: `the transcript of ${id} was deleted`, hint: show };
    case 'twins':
      return {
        reason: `${id} has two transcripts, and the directory of this one is gone`,
        hint: `recreate the directory, or move this transcript elsewhere: ${toPrintableLine(transcriptPath ?? '')}`,
      };
    default:
      return {
        reason: `${id} is not an id that can be passed to Claude Code`,
        hint: `its transcript is ${toPrintableLine(transcriptPath ?? '')}`,
      };
  }
}
