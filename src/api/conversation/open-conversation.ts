// What is shown of a session: its head, its subagents, and the messages that were asked for.

import type { ShowRequest } from '../../command-line/show-flags.ts';
import type { Conversation } from '../../render/conversation/print-conversation.ts';
import type { Head } from '../../render/conversation/printer.ts';
import type { Store } from '../../store/open/open-store.ts';
import type { FoundSession } from '../../store/read/find-session.ts';
import { wholeTranscript } from '../../store/read/read-conversation.ts';
import {
  readCopies,
  readDetails,
  readSavedHistories,
  readSubagents,
} from '../../store/read/read-relatives.ts';
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
  const subagents = readSubagents(store.db, session);
  const ids = [id, ...subagents.map(({ subagent }) => subagent.id)];
  const matches = request.query === null ? noMatches : findMatches(store, ids, request.query, request.role);
  const matchedSubagents = subagents.filter(({ subagent }) => matches.lines.has(subagent.id));
  // Where only a subagent holds what is looked for, there is nothing else to show.
  const opensSubagents =
    request.showsSubagents ||
    request.format === 'html' ||
    (matchedSubagents.length > 0 && !matches.lines.has(id));
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
        matchedSubagents: [],
      });
    }
    return selectMessages(store, shown, {
      around,
      range,
      last,
      role,
      context,
      matched,
      matchedSubagents: opensSubagents ? matchedSubagents : [],
    });
  };
  const conversation: Conversation = {
    head: readHead(store, session, subagents.length),
    subagents,
    selection: select(session, true),
    role,
    opens: (subagent) => opensSubagents && (request.query === null || matches.lines.has(subagent.id)),
    // A script gets every message.
    opensInlined: opensSubagents || request.format === 'json',
    selectOf: (subagent) => select(subagent, request.query !== null),
  };
  return { conversation, matches };
}

function readHead({ db }: Store, session: SessionInfo, subagentCount: number): Head {
  return {
    session,
    details: readDetails(db, session.id),
    copyCount: countCopies(db, session),
    copies: readCopies(db, session, maxCopiesNamed),
    subagentCount,
    histories: readSavedHistories(db, session),
    owner:
      session.ownerId === session.id
        ? null
        : (readSessions(db, [session.ownerId]).get(session.ownerId) ?? null),
  };
}
