// A conversation to read: its head, and the requested messages piece by piece, so that a page of any length
// can be written while the rest is still in the index.

import { UserError } from '../../errors.ts';
import { hint, parameter } from '../../hints.ts';
import type { Role } from '../../records.ts';
import { parseQuery, type Query } from '../../search/query/parse-query.ts';
import type { Store } from '../../store/open/open-store.ts';
import {
  type PlacedSubagent,
  readCopies,
  readDetails,
  readSavedHistories,
  readSubagents,
  type SessionDetails,
} from '../../store/read/read-relatives.ts';
import { readSessions, type SessionInfo } from '../../store/read/read-sessions.ts';
import { toPrintableLine } from '../../text/printable.ts';
import type { Host } from '../host.ts';
import { type ListedSession, readListed } from '../sessions.ts';
import type { CallTexts, Unread } from './call-texts.ts';
import { findMatches, type Matches, noMatches } from './find-matches.ts';
import { type Part, readParts } from './parts.ts';
import { selectMessages } from './select-messages.ts';
import type { Selection } from './selection.ts';

export interface ConversationRequest {
  /** Only messages that match, as in a search, with some around them. */
  readonly match?: string | undefined;
  /** The last word to match may be unfinished. */
  readonly isTyping?: boolean | undefined;
  /** Only the messages around one: its number, its uuid or the start of it, or its id. */
  readonly around?: string | undefined;
  /** Message numbers from 1, inclusive. */
  readonly range?: { readonly from: number; readonly to: number } | undefined;
  /** Only this many of the last messages. */
  readonly last?: number | undefined;
  /** How many messages to show before and after the requested ones. */
  readonly context?: number | undefined;
  readonly role?: Role | undefined;
  /** Include what subagents said. */
  readonly subagents?: boolean | undefined;
  /** Include subagent messages that old versions wrote into the session itself. */
  readonly inlined?: boolean | undefined;
  /**
   * Include what each tool was given and what it answered; or only the lines that match, here or as it was found before.
   */
  readonly callTexts?: boolean | 'matching' | Matches | undefined;
}

export interface Head extends ListedSession {
  readonly details: SessionDetails;
  /** The newest copies. */
  readonly copyNames: readonly SessionInfo[];
  readonly subagentCount: number;
  /** Saved before a compaction. */
  readonly histories: readonly SessionInfo[];
  /** The session that a subagent or a saved history belongs to. */
  readonly owner: SessionInfo | null;
}

export type Piece =
  | { readonly type: 'part'; readonly part: Part }
  /** What follows, up to `subagent-end`, is what a subagent said. */
  | { readonly type: 'subagent-start'; readonly listed: ListedSession }
  | { readonly type: 'subagent-end' };

export interface Conversation {
  readonly head: Head;
  /** Null if there was nothing to match. */
  readonly matches: Matches | null;
  /** Starts over each time it is called. Subagents come where they were started, or after the session. */
  pieces(options?: PieceOptions): Generator<Piece>;
  /** The calls whose text was requested and could not be read, as far as pieces were read; null if there are none. */
  findUnread(): Unread | null;
}

export interface PieceOptions {
  readonly putsSubagentsLast?: boolean | undefined;
  /** For a look at the messages alone. */
  readonly leavesOutCallTexts?: boolean | undefined;
}

/**
 * With the message that the reference names, unless there are words to match in the whole session. Each of these chooses
 * a part of the session, and they cannot be combined.
 */
export function toPlaced(request: ConversationRequest, position: number | null): ConversationRequest {
  const { around, range, last, match } = request;
  const parts = Object.entries({ around, range, last }).filter(([, value]) => value !== undefined);
  const [first, second] = [
    ...(position === null ? [] : [`message #${position}`]),
    ...parts.map(([name]) => parameter(name)),
  ];
  if (first !== undefined && second !== undefined)
    throw new UserError(hint`${first} and ${second} choose different parts of a session`, {
      code: 'usage',
      hint: 'choose one',
    });
  return position === null || match !== undefined ? request : { ...request, around: `#${position}` };
}

export function openConversation(
  host: Host,
  store: Store,
  id: number,
  request: ConversationRequest,
  allCallTexts: CallTexts | null = null,
): Conversation {
  const session = readSessions(store.db, [id]).get(id);
  if (session === undefined)
    throw new UserError('the session has just been deleted from the index', {
      code: 'no-such-session',
      exitCode: 1,
    });
  const subagents = readSubagents(store.db, session);
  const query = toQuery(request.match, request.isTyping);
  const role = request.role ?? toRole(request.match);
  const ids = [id, ...subagents.map(({ subagent }) => subagent.id)];
  const matches = query === null ? noMatches : findMatches(store, ids, query, role);
  const shown = request.callTexts === 'matching' ? matches : request.callTexts;
  const callTexts = typeof shown === 'object' ? (allCallTexts?.matching(shown) ?? null) : allCallTexts;
  const matched = subagents.filter(({ subagent }) => matches.lines.has(subagent.id));
  // If only a subagent matches, there is nothing else to show.
  const opensSubagents = request.subagents === true || (matched.length > 0 && !matches.lines.has(id));
  const linesOf = (shown: SessionInfo) =>
    query === null ? null : (matches.lines.get(shown.id) ?? new Set<number>());
  const { context = null } = request;
  const reading = {
    host,
    store,
    session,
    subagents,
    role,
    opensInlined: opensSubagents || request.inlined === true,
    opens: (subagent: SessionInfo) => opensSubagents && (query === null || matches.lines.has(subagent.id)),
    selection: selectMessages(store, session, {
      around: request.around ?? null,
      range: request.range ?? null,
      last: request.last ?? null,
      role,
      context,
      matched: linesOf(session),
      matchedSubagents: opensSubagents ? matched : [],
    }),
    selectOf: (subagent: SessionInfo) =>
      selectMessages(store, subagent, {
        ...{ around: null, range: null, last: null, role, context },
        matched: linesOf(subagent),
        matchedSubagents: [],
      }),
  };
  return {
    head: readHead(host, store, session, subagents.length),
    matches: query === null ? null : matches,
    pieces: ({ putsSubagentsLast = false, leavesOutCallTexts = false } = {}) =>
      readPieces({ ...reading, callTexts: leavesOutCallTexts ? null : callTexts }, putsSubagentsLast),
    findUnread: () => callTexts?.findUnread() ?? null,
  };
}

interface Reading {
  readonly host: Host;
  readonly store: Store;
  readonly session: SessionInfo;
  readonly subagents: readonly PlacedSubagent[];
  readonly selection: Selection;
  readonly role: Role | null;
  /** Whether a subagent is shown in full, rather than as one line. */
  readonly opens: (subagent: SessionInfo) => boolean;
  readonly opensInlined: boolean;
  /** What is shown of a subagent that is shown in full. */
  readonly selectOf: (subagent: SessionInfo) => Selection;
  readonly callTexts: CallTexts | null;
}

function* readPieces(reading: Reading, putsSubagentsLast: boolean): Generator<Piece> {
  const { store, session, selection, role, opens, opensInlined, callTexts } = reading;
  callTexts?.startOver();
  // Nothing that a person typed starts a subagent.
  const subagents = reading.subagents.filter(({ subagent }) => role !== 'user' || opens(subagent));
  const last: SessionInfo[] = [];
  for (const part of readParts(store, session, { selection, role, subagents, opensInlined, callTexts })) {
    if (part.type !== 'subagent' || !opens(part.subagent)) yield { type: 'part', part };
    else if (putsSubagentsLast) last.push(part.subagent);
    else yield* readSubagent(reading, part.subagent);
  }
  for (const subagent of last) yield* readSubagent(reading, subagent);
}

function* readSubagent(reading: Reading, subagent: SessionInfo): Generator<Piece> {
  const { host, store, role, selectOf, callTexts } = reading;
  yield { type: 'subagent-start', listed: readListed(host, store, [subagent.id])[0] as ListedSession };
  const options = {
    selection: selectOf(subagent),
    role,
    subagents: readSubagents(store.db, subagent),
    opensInlined: true,
    callTexts,
  };
  for (const part of readParts(store, subagent, options)) yield { type: 'part', part };
  yield { type: 'subagent-end' };
}

/** How many copies are named; some sessions have dozens. */
const maxCopiesNamed = 5;

function readHead(host: Host, store: Store, session: SessionInfo, subagentCount: number): Head {
  const { db } = store;
  return {
    ...(readListed(host, store, [session.id])[0] as ListedSession),
    details: readDetails(db, session.id),
    copyNames: readCopies(db, session, maxCopiesNamed),
    subagentCount,
    histories: readSavedHistories(db, session),
    owner:
      session.ownerId === session.id
        ? null
        : (readSessions(db, [session.ownerId]).get(session.ownerId) ?? null),
  };
}

/** Null if there is nothing to match: `role:user` alone only chooses whose messages to show. */
function toQuery(match: string | undefined, isTyping = false): Query | null {
  if (match === undefined) return null;
  const query = parseQuery(match, isTyping);
  const { terms, excluded, filters } = query;
  if (terms.length > 0) return query;
  if (excluded.length === 0 && Object.keys(filters).join() === 'role') return null;
  throw new UserError(hint`${parameter('match')} “${toPrintableLine(match)}” has no words to search for`, {
    code: 'usage',
    hint: hint`use words from the message; choose who said it with ${parameter('role')}`,
  });
}

/** `role:user` in the words means the same as `role` in the request. */
function toRole(match: string | undefined): Role | null {
  const role = match === undefined ? undefined : parseQuery(match).filters.role?.toLowerCase();
  return role === 'user' || role === 'assistant' ? role : null;
}
