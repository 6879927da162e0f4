// Writes a conversation in any format, piece after piece, so that a page can be written while the rest is still being read.

import type { Conversation, Piece } from '../../api/conversation/open-conversation.ts';
import type { Printer } from './printer.ts';

export function* printConversation(printer: Printer, { head, pieces }: Conversation): Generator<string> {
  yield printer.begin(head);
  for (const piece of pieces({ putsSubagentsLast: printer.putsSubagentsLast })) yield print(printer, piece);
  yield printer.end();
}

function print(printer: Printer, piece: Piece): string {
  if (piece.type === 'part') return printer.part(piece.part);
  return piece.type === 'subagent-start' ? printer.openSubagent(piece.listed) : printer.closeSubagent();
}
