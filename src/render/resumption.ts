// Why a session cannot be resumed, in words, and what to do instead.

import type { Resumption } from '../api/resume.ts';
import type { ListedSession } from '../api/sessions.ts';
import { type Hint, hint, recall } from '../hints.ts';
import { sessionKinds } from '../records.ts';
import { toPrintableLine } from '../text/printable.ts';

/** The directory that a session would be resumed in, if that is the only thing missing. */
export function findGoneDirectory({
  session,
  resumption,
}: Pick<ListedSession, 'session' | 'resumption'>): string | null {
  return session.kind === 'main' && session.isGone === 0 ? resumption.goneDirectory : null;
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
