// Puts a conversation together for any format: the head, the parts of the session, and its agents where they were sent
// out or after it. Gives piece after piece, so that a page can be written while the rest is still in the index.

import { type Part, toParts } from '../../api/conversation/parts.ts';
import type { Selection } from '../../api/conversation/selection.ts';
import type { Role } from '../../records.ts';
import type { Store } from '../../store/open/open-store.ts';
import { type PlacedAgent, readAgents } from '../../store/read/read-relatives.ts';
import type { SessionInfo } from '../../store/read/read-sessions.ts';
import type { Head, Printer } from './printer.ts';

export interface Conversation {
  readonly head: Head;
  readonly agents: readonly PlacedAgent[];
  readonly selection: Selection;
  readonly role: Role | null;
  /** Whether an agent is shown with all it said, or named in a line. */
  readonly opens: (agent: SessionInfo) => boolean;
  readonly opensInlined: boolean;
  /** What is shown of an agent that is opened. */
  readonly selectOf: (agent: SessionInfo) => Selection;
}

export function* printConversation(
  store: Store,
  printer: Printer,
  conversation: Conversation,
): Generator<string> {
  const { head, selection, role, opens, opensInlined } = conversation;
  // Among what a person typed, nothing sends agents out.
  const agents = conversation.agents.filter(({ agent }) => role !== 'user' || opens(agent));
  yield printer.begin(head);
  const last: SessionInfo[] = [];
  for (const part of toParts(store, head.session, { selection, role, agents, opensInlined })) {
    if (part.type !== 'agent' || !opens(part.agent)) yield printer.part(part);
    else if (printer.putsAgentsLast) last.push(part.agent);
    else yield* printAgent(store, printer, conversation, part);
  }
  for (const agent of last) yield* printAgent(store, printer, conversation, { type: 'agent', agent });
  yield printer.end();
}

function* printAgent(
  store: Store,
  printer: Printer,
  { role, selectOf }: Conversation,
  { agent }: Extract<Part, { type: 'agent' }>,
): Generator<string> {
  yield printer.openAgent(agent);
  const options = {
    selection: selectOf(agent),
    role,
    agents: readAgents(store.db, agent),
    opensInlined: true,
  };
  for (const part of toParts(store, agent, options)) yield printer.part(part);
  yield printer.closeAgent();
}
