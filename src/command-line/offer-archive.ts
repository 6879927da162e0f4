// Asks once whether transcripts are to be kept, on a terminal; elsewhere nothing is decided.

import { hint, recall } from '../hints.ts';
import { toOfferQuestion } from '../render/archive-page.ts';
import type { Context } from './context.ts';

/** `fills`: what follows fills it. */
export async function offerArchive(context: Context, { fills = false } = {}): Promise<void> {
  const { json, quiet, at } = context;
  // In this order: node loads a good deal of code to say what stdin is.
  if (json || quiet || !context.stdout.isTerminal || !context.isInteractive) return;
  const { archive } = context.recall;
  const offer = await archive.offer();
  if (offer === null) return;
  const isWanted = await context.confirm(toOfferQuestion(offer, at.homeDir), true);
  await archive.turn(isWanted);
  if (!isWanted)
    context.note(hint`recall: nothing is kept; you can turn it on later: ${recall('archive', 'on')}`);
  else if (fills) context.note('recall: the archive is on');
  else context.note(hint`recall: the archive is on; to fill it now: ${recall('index')}`);
}
