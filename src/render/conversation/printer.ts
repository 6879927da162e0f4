// The interface of an output format. Each method returns a piece of the page without its last newline, or an empty
// string; pieces are written as they come, so a page of any length is never held in memory.

import type { Conversation, Head, Piece } from '../../api/conversation/open-conversation.ts';
import type { MessagePart, Part } from '../../api/conversation/parts.ts';
import type { ListedSession } from '../../api/list.ts';

export interface Printer {
  /** Subagents are written after the session rather than where they were started. */
  readonly putsSubagentsLast: boolean;
  begin(head: Head): string;
  /** A list of the prompts that are shown, above the conversation. */
  listPrompts?(prompts: Iterable<MessagePart>): Iterable<string>;
  part(part: Part): string;
  openSubagent(subagent: ListedSession): string;
  closeSubagent(): string;
  end(): string;
}

export function* printConversation(printer: Printer, { head, pieces }: Conversation): Generator<string> {
  const { putsSubagentsLast } = printer;
  yield printer.begin(head);
  if (printer.listPrompts !== undefined) yield* printer.listPrompts(findPrompts(pieces));
  for (const piece of pieces({ putsSubagentsLast })) yield printPiece(printer, piece);
  yield printer.end();
}

/** The conversation is read twice rather than kept in memory. */
function* findPrompts(pieces: Conversation['pieces']): Generator<MessagePart> {
  let depth = 0;
  let isPerson = false;
  for (const piece of pieces({ leavesOutCallTexts: true })) {
    if (piece.type !== 'part') depth += piece.type === 'subagent-start' ? 1 : -1;
    else if (piece.part.type === 'turn') isPerson = piece.part.speaker === 'person';
    else if (piece.part.type === 'message' && isPerson && depth === 0) yield piece.part;
  }
}

export function printPiece(printer: Printer, piece: Piece): string {
  if (piece.type === 'part') return printer.part(piece.part);
  return piece.type === 'subagent-start' ? printer.openSubagent(piece.listed) : printer.closeSubagent();
}
