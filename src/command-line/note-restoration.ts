// What was brought back, from where, and what is missing of it: notes on stderr beside the command that resumes it.

import type { Restoration } from '../api/archive/restore.ts';
import { toLossText, toRestorationNotes } from '../render/resumption.ts';
import { toPrintableLine } from '../text/printable.ts';
import type { Context } from './context.ts';

type Restored = Pick<Restoration, 'askedId' | 'nativeId' | 'from' | 'files' | 'damages' | 'olderVersions'>;

export function noteRestoration(context: Context, restoration: Restored): void {
  const { askedId, nativeId, damages, files } = restoration;
  if (nativeId !== askedId) {
    const [asked, restored] = [askedId, nativeId].map(toPrintableLine);
    context.note(`recall: ${asked} belongs to ${restored}; restoring that one`);
  }
  noteDamages(context, restoration);
  for (const { path } of files.filter(({ state }) => state === 'damaged'))
    context.warn(`recall: not restored, since its copy is damaged: ${toPrintableLine(path)}`);
  if (damages.length > 0) context.warn(`recall: ${toLossText(restoration)}`);
  for (const note of toRestorationNotes(restoration)) context.note(note);
}

export function noteDamages(context: Context, { damages }: Pick<Restoration, 'damages'>): void {
  for (const { path, reason } of damages) context.warn(`recall: ${toPrintableLine(path)}: ${reason}`);
}
