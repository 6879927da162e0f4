// The interface of an output format. Each method returns a piece of the page without its last newline, or an empty
// string; pieces are written as they come, so a page of any length is never held in memory.

import type { Conversation, Head, Piece } from '../../api/conversation/open-conversation.ts';
import type { Part } from '../../api/conversation/parts.ts';
import type { ListedSession } from '../../api/sessions.ts';

export interface Printer {
  /** Subagents are written after the session rather than where they were started. */
  readonly putsSubagentsLast: boolean;
  begin(head: Head): string;
  part(part: Part): string;
  openSubagent(subagent: ListedSession): string;
  closeSubagent(): string;
  end(): string;
}

export function* printConversation(printer: Printer, { head, pieces }: Conversation): Generator<string> {
  yield printer.begin(head);
  for (const piece of pieces({ putsSubagentsLast: printer.putsSubagentsLast })) yield print(printer, piece);
  yield printer.end();
}

function print(printer: Printer, piece: Piece): string {
  if (piece.type === 'part') return printer.part(piece.part);
  return piece.type === 'subagent-start' ? printer.openSubagent(piece.listed) : printer.closeSubagent();
}
