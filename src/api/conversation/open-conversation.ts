// What is shown of a session: its head, its agents, and the messages that were asked for.

import type { ShowRequest } from '../../command-line/show-flags.ts';
import type { Conversation } from '../../render/conversation/print-conversation.ts';
import type { Head } from '../../render/conversation/printer.ts';
import type { Store } from '../../store/open/open-store.ts';
import type { FoundSession } from '../../store/read/find-session.ts';
import { wholeTranscript } from '../../store/read/read-conversation.ts';
import { readAgents, readCopies, readDetails, readSavedHistories } from '../../store/read/read-relatives.ts';
import { countCopies, readSessions, type SessionInfo } from '../../store/read/read-sessions.ts';
import { findMatches, type Matches, noMatches } from './find-matches.ts';
import { selectMessages } from './select-messages.ts';
import { toWholeSelection } from './selection.ts';

/** Copies that are named; of some sessions there are dozens. */
const maxCopiesNamed = 5;

export function openConversation(
  store: Store,
  { id }: FoundSession,
  request: ShowRequest,
): { readonly conversation: Conversation; readonly matches: Matches } {
  const session = readSessions(store.db, [id]).get(id) as SessionInfo;
  const agents = readAgents(store.db, session);
  const ids = [id, ...agents.map(({ agent }) => agent.id)];
  const matches = request.query === null ? noMatches : findMatches(store, ids, request.query, request.role);
  const matchedAgents = agents.filter(({ agent }) => matches.lines.has(agent.id));
  // Where only an agent holds what is looked for, there is nothing else to show.
  const opensAgents =
    request.showsAgents || request.format === 'html' || (matchedAgents.length > 0 && !matches.lines.has(id));
  const { around, range, last, role, context } = request;
  const select = (shown: SessionInfo, onlyMatches: boolean) => {
    const matched = request.query === null ? null : (matches.lines.get(shown.id) ?? new Set<number>());
    if (shown !== session) {
      if (!onlyMatches) return toWholeSelection(wholeTranscript);
      return selectMessages(store, shown, {
        around: null,
        range: null,
        last: null,
        role,
        context,
        matched,
        matchedAgents: [],
      });
    }
    return selectMessages(store, shown, {
      around,
      range,
      last,
      role,
      context,
      matched,
      matchedAgents: opensAgents ? matchedAgents : [],
    });
  };
  const conversation: Conversation = {
    head: readHead(store, session, agents.length),
    agents,
    selection: select(session, true),
    role,
    opens: (agent) => opensAgents && (request.query === null || matches.lines.has(agent.id)),
    // A script gets every message.
    opensInlined: opensAgents || request.format === 'json',
    selectOf: (agent) => select(agent, request.query !== null),
  };
  return { conversation, matches };
}

function readHead({ db }: Store, session: SessionInfo, agentCount: number): Head {
  return {
    session,
    details: readDetails(db, session.id),
    copyCount: countCopies(db, session),
    copies: readCopies(db, session, maxCopiesNamed),
    agentCount,
    histories: readSavedHistories(db, session),
    owner:
      session.ownerId === session.id
        ? null
        : (readSessions(db, [session.ownerId]).get(session.ownerId) ?? null),
  };
}
