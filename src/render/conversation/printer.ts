// The interface of an output format. Each method returns a piece of the page without its last newline, or an empty
// string; pages of a conversation are written as they come, so one of any length is never held in memory.

import type {
  Conversation,
  ConversationPage,
  Head,
  MessagePart,
  PageStart,
  Part,
  Piece,
} from '../../api/conversation/read-conversation.ts';
import type { ListedSession } from '../../api/sessions.ts';

export interface Printer {
  begin(head: Head): string;
  /** A list of the prompts that are shown, above the conversation. */
  listPrompts?(prompts: AsyncIterable<MessagePart>): AsyncIterable<string>;
  part(part: Part): string;
  openSubagent(subagent: ListedSession): string;
  closeSubagent(): string;
  end(): string;
}

/** All pages from there on. */
export type ReadPages = (start: PageStart) => AsyncIterable<ConversationPage>;

export async function* printConversation(
  printer: Printer,
  { head, start }: Pick<Conversation, 'head' | 'start'>,
  readPages: ReadPages,
): AsyncGenerator<string> {
  yield printer.begin(head);
  if (printer.listPrompts !== undefined)
    yield* printer.listPrompts(findPrompts(readPages({ ...start, callTexts: false })));
  for await (const { pieces } of readPages(start)) {
    // Page by page: waiting for each piece would take as long as printing it.
    const printed = pieces.map((piece) => printPiece(printer, piece)).filter((text) => text !== '');
    if (printed.length > 0) yield printed.join('\n');
  }
  yield printer.end();
}

/** The conversation is read twice rather than kept in memory. */
async function* findPrompts(pages: AsyncIterable<ConversationPage>): AsyncGenerator<MessagePart> {
  let depth = 0;
  let isPerson = false;
  for await (const { pieces } of pages)
    for (const piece of pieces) {
      if (piece.type !== 'part') depth += piece.type === 'subagent-start' ? 1 : -1;
      else if (piece.part.type === 'turn') isPerson = piece.part.speaker === 'person';
      else if (piece.part.type === 'message' && isPerson && depth === 0) yield piece.part;
    }
}

export function printPiece(printer: Printer, piece: Piece): string {
  if (piece.type === 'part') return printer.part(piece.part);
  return piece.type === 'subagent-start' ? printer.openSubagent(piece.listed) : printer.closeSubagent();
}
