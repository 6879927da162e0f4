// Why a session cannot be resumed, in words, and what to do instead.

import type { Restoration } from '../api/archive/restore.ts';
import type { Restorable, Resumption } from '../api/resume.ts';
import type { ListedSession } from '../api/sessions.ts';
import { type Hint, hint, recall } from '../hints.ts';
import { sessionKinds } from '../records.ts';
import { quoteForShell, toPrintableLine } from '../text/printable.ts';
import { toShortId } from './sessions/reference.ts';

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

export const restoredFrom: Readonly<Record<Restoration['from'], string>> = {
  archive: 'from the archive',
  text: 'from the indexed text; what tools did is missing',
  prompts: 'from the prompt history; the answers are missing',
  present: '',
};

export function toRestoredVerb(from: Restoration['from']): string {
  return from === 'archive' ? 'restored' : 'rebuilt';
}

/** What restoring would give; null where there is nothing to restore, or nothing to restore it from. */
export function findRestorableText({ restorable, kind }: Resumption): string | null {
  if (restorable === null) return null;
  const from = restorable === 'archive' ? 'archive' : kind === 'history' ? 'prompts' : 'text';
  return `${toRestoredVerb(from)} ${restoredFrom[from]}`;
}

/** What is left when a session is forgotten, which also deletes its copy in the archive. */
export function toForgetWarning({ kind, restorable, obstacle }: Resumption): string {
  if (kind === 'history') return 'No transcript of it is known; the prompt history stays as it is.';
  if (restorable === 'archive')
    return 'The transcript was deleted, and the copy in the archive will be, too.';
  if (obstacle === 'no-transcript') return 'No transcript of it is known; nothing will be left of it.';
  return restorable !== null || obstacle === 'transcript-deleted'
    ? 'The transcript was deleted; nothing will be left of it.'
    : 'The transcript stays; if the archive has a copy of it, that is deleted.';
}

function toRestoreHint(restorable: Restorable, kind: Resumption['kind'], ref: string): Hint {
  const command = recall('open', ref, '--restore');
  if (restorable === 'archive') return hint`a copy of it is kept; to bring it back: ${command}`;
  return kind === 'history'
    ? hint`to rebuild it from your prompts, without the answers: ${command}`
    : hint`to rebuild it from the indexed text, without what tools did: ${command}`;
}

type Obstructed = Pick<
  Resumption,
  | 'nativeId'
  | 'kind'
  | 'obstacle'
  | 'transcriptPath'
  | 'program'
  | 'goneDirectory'
  | 'first'
  | 'lacking'
  | 'restorable'
>;

/** For a session that cannot be resumed. */
export function toObstacleText(resumption: Obstructed): {
  readonly reason: string;
  readonly hint: Hint;
} {
  const { nativeId, kind, obstacle, transcriptPath, program, goneDirectory, first, lacking, restorable } =
    resumption;
  const id = toPrintableLine(nativeId);
  // The reason names the session; what is to be typed is as short as in a list.
  const ref = toShortId(nativeId);
  const read = hint`read it with: ${recall('show', ref)}`;
  const show = restorable === null ? read : hint`${toRestoreHint(restorable, kind, ref)}; or ${read}`;
  switch (obstacle) {
    case 'kind':
      return { reason: `${id} is ${sessionKinds[kind].description} and cannot be resumed`, hint: show };
    case 'no-transcript':
      return { reason: `${id} has no transcript`, hint: show };
    case 'transcript-deleted':
      return { reason: `the transcript of ${id} was deleted`, hint: show };
    case 'twins':
      return {
        reason: `${id} has two transcripts, and this one can be resumed only in its own directory`,
        hint: `go to that directory or recreate it, or move this transcript elsewhere: ${toPrintableLine(transcriptPath ?? '')}`,
      };
    case 'no-fork':
      return {
        reason: `${id} cannot be resumed as a copy: its program has no way to do that`,
        hint: hint`without --fork: ${recall('open', ref)}`,
      };
    case 'directory-gone':
      return {
        reason: `${program} resumes ${id} only in its directory${goneDirectory === null ? ', which is not known' : `, and ${toPrintableLine(goneDirectory)} no longer exists`}`,
        hint: goneDirectory === null ? show : `mkdir -p ${quoteForShell(goneDirectory)}`,
      };
    case 'first':
      return { reason: `${id} is archived`, hint: toPrintableLine(first ?? '') };
    case 'base-missing':
      return {
        reason: `${id} continues ${lacking.map(toPrintableLine).join(' and ')}, which cannot be restored, and ${program} does not resume it without that`,
        hint: show,
      };
    default:
      return {
        reason: `${id} is not an id that can be passed to ${program}`,
        hint: `its transcript is ${toPrintableLine(transcriptPath ?? '')}`,
      };
  }
}
