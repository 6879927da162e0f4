// Puts a conversation together for any format: the head, the parts of the session, and its subagents where they were sent
// out or after it. Gives piece after piece, so that a page can be written while the rest is still in the index.

import { type Part, toParts } from '../../api/conversation/parts.ts';
import type { Selection } from '../../api/conversation/selection.ts';
import type { Role } from '../../records.ts';
import type { Store } from '../../store/open/open-store.ts';
import { type PlacedSubagent, readSubagents } from '../../store/read/read-relatives.ts';
import type { SessionInfo } from '../../store/read/read-sessions.ts';
import type { Head, Printer } from './printer.ts';

export interface Conversation {
  readonly head: Head;
  readonly subagents: readonly PlacedSubagent[];
  readonly selection: Selection;
  readonly role: Role | null;
  /** Whether a subagent is shown with all it said, or named in a line. */
  readonly opens: (subagent: SessionInfo) => boolean;
  readonly opensInlined: boolean;
  /** What is shown of a subagent that is opened. */
  readonly selectOf: (subagent: SessionInfo) => Selection;
}

export function* printConversation(
  store: Store,
  printer: Printer,
  conversation: Conversation,
): Generator<string> {
  const { head, selection, role, opens, opensInlined } = conversation;
  // Among what a person typed, nothing sends subagents out.
  const subagents = conversation.subagents.filter(({ subagent }) => role !== 'user' || opens(subagent));
  yield printer.begin(head);
  const last: SessionInfo[] = [];
  for (const part of toParts(store, head.session, { selection, role, subagents, opensInlined })) {
    if (part.type !== 'subagent' || !opens(part.subagent)) yield printer.part(part);
    else if (printer.putsSubagentsLast) last.push(part.subagent);
    else yield* printSubagent(store, printer, conversation, part);
  }
  for (const subagent of last)
    yield* printSubagent(store, printer, conversation, { type: 'subagent', subagent });
  yield printer.end();
}

function* printSubagent(
  store: Store,
  printer: Printer,
  { role, selectOf }: Conversation,
  { subagent }: Extract<Part, { type: 'subagent' }>,
): Generator<string> {
  yield printer.openSubagent(subagent);
  const options = {
    selection: selectOf(subagent),
    role,
    subagents: readSubagents(store.db, subagent),
    opensInlined: true,
  };
  for (const part of toParts(store, subagent, options)) yield printer.part(part);
  yield printer.closeSubagent();
}
