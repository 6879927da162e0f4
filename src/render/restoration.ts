// What was brought back of a session, in words and as JSON.

import type { Restoration } from '../api/archive/restore.ts';
import { toPrintableLine } from '../text/printable.ts';
import { formatNumbered } from './quantities.ts';

const sources: Readonly<Record<Restoration['from'], string>> = {
  archive: 'from the archive',
  text: 'from the indexed text; what tools did is missing',
  prompts: 'from the prompt history; the answers are missing',
  present: '',
};

function toVerb(from: Restoration['from']): string {
  return from === 'archive' ? 'restored' : 'rebuilt';
}

/** What bringing a session back comes to: `rebuilt from …; … is missing`. */
export function toRestoredText(from: Restoration['from']): string {
  return `${toVerb(from)} ${sources[from]}`;
}

export function toLossText({ damages }: Pick<Restoration, 'damages'>): string {
  return `${formatNumbered(damages.length, 'part')} of the copy could not be read; the rest is restored`;
}

export function toRestorationNotes({ nativeId, from, files, olderVersions }: Restoration): string[] {
  const id = toPrintableLine(nativeId);
  const transcript = toPrintableLine(files[0]?.path ?? '');
  if (from === 'present') return [`recall: the transcript of ${id} is there: ${transcript}`];
  const written = files.filter(({ state }) => state === 'written').length;
  const notes = [`recall: ${toVerb(from)} ${id} ${sources[from]} (${formatNumbered(written, 'file')})`];
  if (olderVersions > 0)
    notes.push(
      `recall: it was rewritten at some time; ${formatNumbered(olderVersions, 'older version')} with other lines ${olderVersions === 1 ? 'is' : 'are'} kept, too: --older`,
    );
  return notes;
}

/** What a run would write, one file a line. */
export function toPlannedLines({ from, files }: Restoration): string[] {
  return files.map(({ path, state }) => {
    const what = state === 'exists' ? 'is there already' : `would be written ${sources[from]}`;
    return `${toPrintableLine(path)}: ${what}`;
  });
}

export function toRestorationJson({ nativeId, askedId: _asked, resume, env, ...rest }: Restoration): object {
  const { goneDirectory: _gone, live: _live, ...facts } = rest;
  return { schemaVersion: 1, id: nativeId, ...facts, ...resume, ...(env === null ? {} : { env }) };
}
