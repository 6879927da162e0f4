// recall show: finds the session, chooses what to show of it, and writes it in the format that was asked for.

import { openConversation } from '../api/conversation/open-conversation.ts';
import { findFresh } from '../api/find-fresh.ts';
import { upgradeOptions } from '../api/upgrade-options.ts';
import type { Context } from '../command-line/context.ts';
import { type ShowFlags, toRequest } from '../command-line/show-flags.ts';
import { writePieces } from '../command-line/write-pieces.ts';
import { EXIT_NOTHING_FOUND, EXIT_OK } from '../errors.ts';
import { printConversation } from '../render/conversation/print-conversation.ts';
import { toPrintableLine } from '../render/printable.ts';
import { parseReference } from '../render/sessions/reference.ts';
import { openStore } from '../store/open/open-store.ts';
import { makePrinter } from './make-printer.ts';

export async function runShow(context: Context, ref: string, flags: ShowFlags): Promise<number> {
  const { session, position } = parseReference(ref);
  const request = toRequest(context, flags, position);
  const store = await openStore(context.indexPath, upgradeOptions(context));
  try {
    const { conversation, matches } = openConversation(
      store,
      await findFresh(context, store, session),
      request,
    );
    for (const [typed, meant] of matches.corrections)
      context.note(`recall: did you mean “${toPrintableLine(meant)}” for “${toPrintableLine(typed)}”?`);
    if (matches.isPartial && matches.lines.size > 0)
      context.note('recall: no message holds all of the words; these hold some');
    if (request.query !== null && matches.lines.size === 0) {
      context.note(
        `recall: nothing in ${toPrintableLine(conversation.head.session.nativeId)} matches “${toPrintableLine(request.query.text)}”\n  try: fewer or other words, or the whole of it without --match`,
      );
      if (request.format !== 'json') return EXIT_NOTHING_FOUND;
    }
    const pieces = async () => {
      const printer = await makePrinter(context, store, request, matches.terms);
      return printConversation(store, printer, conversation);
    };
    await writePieces(context, pieces, request, store);
    return request.query !== null && matches.lines.size === 0 ? EXIT_NOTHING_FOUND : EXIT_OK;
  } finally {
    store.close();
  }
}
