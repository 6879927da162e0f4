// Why a session cannot be resumed and what to do instead, what restoring would give, and what was restored: in words, and
// as JSON.

import type { Restoration, Resumption } from '../api/answers.ts';
import { type Hint, hint, recall } from '../hints.ts';
import { importedMachine, sessionKinds } from '../records.ts';
import { quoteForShell, toPrintableLine } from '../text/printable.ts';
import { formatNumbered } from './quantities.ts';
import { shortenId } from './sessions.ts';

interface ObstacleText {
  readonly reason: string;
  readonly hint: Hint;
}

type Unused = 'resume' | 'isResumable' | 'env' | 'live';

export function explainObstacle(resumption: Omit<Resumption, Unused>): ObstacleText {
  const { nativeId, kind, obstacle, program, goneDirectory, lacking, restorable } = resumption;
  const id = toPrintableLine(nativeId);
  const transcript = toPrintableLine(resumption.transcriptPath ?? '');
  // The reason names the session; what is to be typed is as short as in a list.
  const ref = shortenId(nativeId);
  const read = hint`read it with: ${recall('show', ref)}`;
  const show = restorable === null ? read : hint`${formatRestoreHint(resumption, ref)}; or ${read}`;
  switch (obstacle) {
    case 'kind':
      return { reason: `${id} is ${sessionKinds[kind].description} and cannot be resumed`, hint: show };
    case 'no-transcript':
      return { reason: `${id} has no transcript`, hint: show };
    case 'transcript-deleted':
      return { reason: `the transcript of ${id} was deleted`, hint: show };
    case 'elsewhere': {
      const reason = `${id} ${formatOrigin(resumption)}${goneDirectory === null ? '' : `, in ${toPrintableLine(goneDirectory)}`}`;
      const bring = hint`to continue it here: ${recall('open', ref, '--restore')}`;
      return { reason, hint: restorable === null ? read : hint`${bring}; or ${read}` };
    }
    case 'same-id':
      return {
        reason: `${id} has two transcripts, and this one can be resumed only in its own directory`,
        hint: `go to that directory or recreate it, or move this transcript elsewhere: ${transcript}`,
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
      return { reason: `${id} is archived`, hint: toPrintableLine(resumption.first ?? '') };
    case 'base-missing':
      return {
        reason: `${id} continues ${lacking.map(toPrintableLine).join(' and ')}, which cannot be restored, and ${program} does not resume it without that`,
        hint: show,
      };
    default:
      return {
        reason: `${id} is not an id that can be passed to ${program}`,
        hint: `its transcript is ${transcript}`,
      };
  }
}

/** What speaks against starting its program now; null for a session that is not open, or that the program joins where it runs. */
export function explainRunning(live: Resumption['live']): string | null {
  if (live === null || live.isJoined) return null;
  const where = live.cwd === null ? '' : ` in ${toPrintableLine(live.cwd)}`;
  return `this session is running now${where} (process ${live.pid}), and two programs would write to one transcript`;
}

function formatRestoreHint({ restorable, kind }: Pick<Resumption, 'restorable' | 'kind'>, ref: string): Hint {
  const command = recall('open', ref, '--restore');
  if (restorable === 'archive') return hint`a copy of it is kept; to bring it back: ${command}`;
  return kind === 'history'
    ? hint`to rebuild it from your prompts, without the answers: ${command}`
    : hint`to rebuild it from the indexed text, without what tools did: ${command}`;
}

const restoredFrom: Readonly<Record<Restoration['from'], string>> = {
  archive: 'from the archive',
  text: 'from the indexed text; what tools did is missing',
  prompts: 'from the prompt history; the answers are missing',
  present: '',
};

function chooseVerb(from: Restoration['from']): string {
  return from === 'archive' ? 'restored' : 'rebuilt';
}

export function findRestorableText({ restorable, kind }: Resumption): string | null {
  if (restorable === null) return null;
  const from = restorable === 'archive' ? 'archive' : kind === 'history' ? 'prompts' : 'text';
  return `${chooseVerb(from)} ${restoredFrom[from]}`;
}

export function formatRestorationNotes(
  restoration: Pick<Restoration, 'nativeId' | 'from' | 'files' | 'olderVersions'>,
): string[] {
  const { nativeId, from, files, olderVersions } = restoration;
  const id = toPrintableLine(nativeId);
  const transcript = toPrintableLine(files[0]?.path ?? '');
  if (from === 'present')
    return files.length === 0 ? [] : [`recall: the transcript of ${id} is there: ${transcript}`];
  const written = files.filter(({ state }) => state === 'written').length;
  const count = files.length === 0 ? '' : ` (${formatNumbered(written, 'file')})`;
  const notes = [`recall: ${chooseVerb(from)} ${id} ${restoredFrom[from]}${count}`];
  if (olderVersions > 0)
    notes.push(
      `recall: it was rewritten at some time; ${formatNumbered(olderVersions, 'older version')} with other lines ${olderVersions === 1 ? 'is' : 'are'} kept, too: --older`,
    );
  return notes;
}

function formatOrigin({ machine, owner }: Pick<Resumption, 'machine' | 'owner'>): string {
  if (machine === importedMachine) return `was handed on by ${toPrintableLine(owner ?? 'you')}`;
  const whose = owner === null ? '' : ` of ${toPrintableLine(owner)}`;
  return `was on the machine ${toPrintableLine(machine ?? '')}${whose}`;
}

/** Where it comes from, where it goes on, and what does not come with it. */
export function formatElsewhereNotes({
  elsewhere,
  branchOf,
  nativeId,
}: Pick<Restoration, 'elsewhere' | 'branchOf' | 'nativeId'>): string[] {
  if (elsewhere === null) return [];
  const { machine, owner, cwd, branch, commit, directory } = elsewhere;
  const where = cwd === null ? '' : ` in ${toPrintableLine(cwd)}`;
  const here = directory === null ? '' : `; it goes on in ${toPrintableLine(directory)}`;
  const at =
    branch === null
      ? ''
      : ` It was on the branch ${toPrintableLine(branch)}${commit === null ? '' : `, whose last commit was ${commit.slice(0, 10)} when it was sent`}.`;
  const notes = [
    `recall: it ${formatOrigin({ machine, owner })}${where}${here}`,
    `recall: the files of the project and uncommitted changes do not come with it.${at}`,
  ];
  if (branchOf !== null)
    notes.push(
      `recall: ${toPrintableLine(branchOf)} is here as well, with other lines, and stays as it is; this one is a branch of it, ${toPrintableLine(nativeId)}`,
    );
  return notes;
}

export function formatLoss({ damages, files }: Pick<Restoration, 'damages' | 'files'>): string {
  const lost = `${formatNumbered(damages.length, 'part')} of the copy could not be read`;
  const left = files.filter(({ state }) => state === 'damaged').length;
  if (left === 0) return `${lost}; the rest is restored`;
  return `${lost}; ${formatNumbered(left, 'transcript')} beside it ${left === 1 ? 'is' : 'are'} not restored, so that the indexed text stays`;
}

export function formatPlannedFiles({ from, files }: Restoration): string[] {
  const outcomes = {
    planned: `would be written ${restoredFrom[from]}`,
    exists: 'is there already',
    written: 'is written',
    damaged: 'would not be written, since its copy is damaged',
  } as const;
  return files.map(({ path, state }) => `${toPrintableLine(path)}: ${outcomes[state]}`);
}

export function toRestorationJson(restoration: Restoration): object {
  const { nativeId: id, from, files, damages, olderVersions, resume, obstacle, env } = restoration;
  const resumable = obstacle === null && resume !== null;
  const reason = resumable ? null : explainRestoredObstacle(restoration).reason;
  const facts = { schemaVersion: 1, id, from, files, damages, olderVersions, resumable, reason };
  return { ...facts, ...resume, ...(env === null ? {} : { env }) };
}

/** For a session that is restored, and cannot be resumed for another reason. */
export function explainRestoredObstacle(restoration: Restoration): ObstacleText {
  const transcriptPath = restoration.files[0]?.path ?? null;
  const { machine = null, owner = null } = restoration.elsewhere ?? {};
  return explainObstacle({ ...restoration, transcriptPath, restorable: null, machine, owner });
}

/** What is left when a session is forgotten, which also deletes its copy in the archive. */
export function formatForgetWarning({ kind, restorable, obstacle }: Resumption): string {
  if (kind === 'history') return 'No transcript of it is known; the prompt history stays as it is.';
  if (restorable === 'archive')
    return 'The transcript was deleted, and the copy in the archive will be, too.';
  if (obstacle === 'no-transcript') return 'No transcript of it is known; nothing will be left of it.';
  return restorable !== null || obstacle === 'transcript-deleted'
    ? 'The transcript was deleted; nothing will be left of it.'
    : 'The transcript stays; if the archive has a copy of it, that is deleted.';
}
