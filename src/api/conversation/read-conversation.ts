// A conversation to read, in pages of plain data. `openConversation` finds the session's facts and what is shown of it, as a list
// of steps; `readPage` reads some of them and says where the next page starts. Nothing is kept open in between, so a page may
// be asked for from another thread, or much later.

import { UserError } from '../../errors.ts';
import { hint, parameter } from '../../hints.ts';
import { messageKinds, type Role } from '../../records.ts';
import { parseQuery, type Query } from '../../search/query/parse-query.ts';
import type { Store } from '../../store/open/open-store.ts';
import { inOneState } from '../../store/read/one-state.ts';
import {
  readConversation,
  type StoredCall,
  type StoredMessage,
  type Stretch,
} from '../../store/read/read-conversation.ts';
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
import type { CallTexts, ShownCall, Unread } from './call-texts.ts';
import { findMatches, type Matches, noMatches } from './find-matches.ts';
import { type Selection, selectMessages } from './select-messages.ts';

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
  /** What subagents said comes after the session rather than where they were started. */
  readonly putsSubagentsLast?: boolean | undefined;
  /** Include subagent messages that old versions wrote into the session itself. */
  readonly inlined?: boolean | undefined;
  /**
   * Include what each tool was given and what it answered, while its transcript or a copy of it is there; or only the lines
   * that match, here or as it was found before.
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

export interface Conversation {
  readonly head: Head;
  /** Null if there was nothing to match. */
  readonly matches: Matches | null;
  /** The first page. */
  readonly start: PageStart;
}

/** Where a page starts, in what is shown of which session. Hand it back as it is. */
export interface PageStart {
  readonly session: Pick<SessionInfo, 'id' | 'nativeId' | 'kind'>;
  readonly steps: readonly Step[];
  readonly role: Role | null;
  readonly opensInlined: boolean;
  /** The texts of all calls, of those that match, or of none. */
  readonly callTexts: boolean | Matches;
  readonly at: Place;
}

/** What is shown, in order. */
type Step =
  | MessagesStep
  | { readonly type: 'gap'; readonly messageCount: number }
  | { readonly type: 'subagent'; readonly subagent: SessionInfo }
  | { readonly type: 'subagent-start'; readonly subagentId: number }
  | { readonly type: 'subagent-end' };

interface MessagesStep {
  readonly type: 'messages';
  readonly sessionId: number;
  readonly stretch: Stretch;
  /** Null if these follow the messages before them. */
  readonly firstPosition: number | null;
  /** The lines that match the request. */
  readonly matches: ReadonlySet<number>;
}

interface Place extends Turn {
  readonly step: number;
  /** The line to go on from; null for the start of the step. */
  readonly line: number | null;
  /** Where the session goes on after a subagent that is being read. */
  readonly outer: Turn | null;
}

/** Who spoke last, and the number of the last message. */
interface Turn {
  readonly speaker: Speaker | null;
  readonly position: number;
}

export interface ConversationPage {
  readonly pieces: readonly Piece[];
  /** Null after the last page. */
  readonly next: PageStart | null;
  /** The calls of this page whose text was requested and could not be read; null if there are none. */
  readonly unread: Unread | null;
}

export type Piece =
  | { readonly type: 'part'; readonly part: Part }
  /** What follows, up to `subagent-end`, is what a subagent said. */
  | { readonly type: 'subagent-start'; readonly listed: ListedSession }
  | { readonly type: 'subagent-end' };

/** task: the instructions for a subagent · subagent: its answer, inside another session. */
export type Speaker = 'person' | 'assistant' | 'task' | 'subagent';

/** What a reader sees: turns, what was said in them, and what happened in between. Every format is made from these. */
export type Part =
  | {
      readonly type: 'turn';
      readonly speaker: Speaker;
      readonly timestamp: string | null;
      readonly position: number | null;
    }
  | MessagePart
  /** A place where the conversation was compacted, with its recap. */
  | { readonly type: 'recap'; readonly message: StoredMessage; readonly position: number }
  | { readonly type: 'calls'; readonly calls: readonly ShownCall[] }
  | { readonly type: 'subagent'; readonly subagent: SessionInfo }
  /** Subagent messages that old versions wrote into the session itself, folded. */
  | { readonly type: 'inlined'; readonly messageCount: number }
  | { readonly type: 'gap'; readonly messageCount: number };

export interface MessagePart {
  readonly type: 'message';
  readonly message: StoredMessage;
  /** The number of the message in the session, from 1. */
  readonly position: number;
  readonly isMatch: boolean;
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

/** Finds what to show; no message is read yet. */
export function openConversation(
  host: Host,
  store: Store,
  id: number,
  request: ConversationRequest,
): Conversation {
  const session = readSessions(store.db, [id]).get(id);
  if (session === undefined) throw noSuchSession();
  const { around, range, last, context, callTexts = false } = request;
  const subagents = readSubagents(store.db, session);
  const query = parseMatch(request.match, request.isTyping);
  const role = request.role ?? findRole(request.match);
  const ids = [id, ...subagents.map(({ subagent }) => subagent.id)];
  const matches = query === null ? noMatches : findMatches(store, ids, query, role);
  const matchedIn = ({ id }: SessionInfo) =>
    query === null ? null : (matches.lines.get(id) ?? new Set<number>());
  const matched = subagents.filter(({ subagent }) => matches.lines.has(subagent.id));
  // If only a subagent matches, there is nothing else to show.
  const opensSubagents = request.subagents === true || (matched.length > 0 && !matches.lines.has(id));
  const opens = ({ id }: SessionInfo) => opensSubagents && (query === null || matches.lines.has(id));

  const planSubagent = (subagent: SessionInfo): Step[] => {
    const selection = selectMessages(store, subagent, { role, context, matched: matchedIn(subagent) });
    const started = readSubagents(store.db, subagent).map(toOneLine);
    const steps = planSteps(subagent.id, selection, started);
    return [{ type: 'subagent-start', subagentId: subagent.id }, ...steps, { type: 'subagent-end' }];
  };
  const placed = subagents
    // Nothing that a person typed starts a subagent.
    .filter(({ subagent }) => role !== 'user' || opens(subagent))
    .map((each): PlacedSteps => {
      if (!opens(each.subagent)) return toOneLine(each);
      return { seq: each.seq, steps: request.putsSubagentsLast ? [] : planSubagent(each.subagent) };
    });
  const selection = selectMessages(store, session, {
    around,
    range,
    last,
    role,
    context,
    matched: matchedIn(session),
    matchedSubagents: opensSubagents ? matched : [],
  });
  const atEnd = subagents.filter(
    ({ subagent, seq }) =>
      request.putsSubagentsLast &&
      opens(subagent) &&
      selection.chosen.some(({ stretch }) => seq >= stretch.from && seq <= stretch.to),
  );
  return {
    head: readHead(host, store, session, subagents.length),
    matches: query === null ? null : matches,
    start: {
      session: { id, nativeId: session.nativeId, kind: session.kind },
      steps: [
        ...planSteps(id, selection, placed),
        ...atEnd.flatMap(({ subagent }) => planSubagent(subagent)),
      ],
      role,
      opensInlined: opensSubagents || request.inlined === true,
      callTexts: callTexts === 'matching' ? matches : callTexts,
      at: { step: 0, line: null, speaker: null, position: 0, outer: null },
    },
  };
}

interface PlacedSteps {
  /** The line of the session after which they come. */
  readonly seq: number;
  readonly steps: readonly Step[];
}

function toOneLine({ seq, subagent }: PlacedSubagent): PlacedSteps {
  return { seq, steps: [{ type: 'subagent', subagent }] };
}

function planSteps(sessionId: number, selection: Selection, subagents: readonly PlacedSteps[]): Step[] {
  const { chosen, gapAfter, matches } = selection;
  const steps: Step[] = [];
  for (const { stretch, firstPosition, gapBefore } of chosen) {
    if (gapBefore > 0) steps.push({ type: 'gap', messageCount: gapBefore });
    let { from } = stretch;
    const readTo = (to: number) => {
      const isFirst = from === stretch.from;
      if (from <= to)
        steps.push({
          type: 'messages',
          sessionId,
          stretch: { from, to },
          firstPosition: isFirst ? firstPosition : null,
          matches,
        });
      from = Math.max(from, to + 1);
    };
    for (const { seq, steps: shown } of subagents) {
      if (seq < stretch.from || seq > stretch.to) continue;
      readTo(seq);
      steps.push(...shown);
    }
    readTo(stretch.to);
  }
  if (gapAfter > 0) steps.push({ type: 'gap', messageCount: gapAfter });
  return steps;
}

/** A page ends after this many messages, or with the message that makes it longer than this. */
const usualLimit = 500;
const maxPageChars = 200_000;

export async function readPage(
  host: Host,
  store: Store,
  start: PageStart,
  limit = usualLimit,
): Promise<ConversationPage> {
  const { session, callTexts } = start;
  // Another index may have taken the place of the one in which the conversation was opened.
  if (readSessions(store.db, [session.id]).get(session.id)?.nativeId !== session.nativeId)
    throw noSuchSession();
  const all = callTexts
    ? await (await import('./call-texts.ts')).openCallTexts(host, store, session.id)
    : null;
  const texts = typeof callTexts === 'object' ? (all?.matching(callTexts) ?? null) : all;
  return inOneState(store, () => new PageReader(host, store, start, texts).read(limit));
}

/** How many calls are in one part, so that a run of any length does not fill the memory. */
const maxCalls = 500;
const maxCallsWithText = 20;

/** Tracks whose turn it is, and collects runs of calls and of folded messages. */
class PageReader {
  private readonly host: Host;
  private readonly store: Store;
  private readonly start: PageStart;
  /** What the calls say; null if only their names are shown. */
  private readonly callTexts: CallTexts | null;
  private readonly pieces: Piece[] = [];
  private speaker: Speaker | null;
  private position: number;
  private outer: Turn | null;
  private calls: StoredCall[] = [];
  private inlined = 0;
  private messages = 0;
  private chars = 0;

  constructor(host: Host, store: Store, start: PageStart, callTexts: CallTexts | null) {
    this.host = host;
    this.store = store;
    this.start = start;
    this.callTexts = callTexts;
    this.speaker = start.at.speaker;
    this.position = start.at.position;
    this.outer = start.at.outer;
  }

  read(limit: number): ConversationPage {
    const { start, pieces } = this;
    let next: PageStart | null = null;
    for (let { step } = start.at; step < start.steps.length && next === null; step++) {
      const from = step === start.at.step ? start.at.line : null;
      const line = this.take(start.steps[step] as Step, from, limit);
      const { speaker, position, outer } = this;
      if (line !== null) next = { ...start, at: { step, line, speaker, position, outer } };
    }
    return { pieces, next, unread: this.callTexts?.findUnread() ?? null };
  }

  /** The line to go on from if the page is full before the end of the step. */
  private take(step: Step, from: number | null, limit: number): number | null {
    if (step.type === 'messages') return this.readMessages(step, from, limit);
    if (step.type === 'gap') {
      this.speaker = null;
      this.add(step);
    } else if (step.type === 'subagent') this.add(step);
    else if (step.type === 'subagent-start') {
      const [listed] = readListed(this.host, this.store, [step.subagentId]);
      if (listed === undefined) throw noSuchSession();
      this.pieces.push({ type: 'subagent-start', listed });
      this.outer = { speaker: this.speaker, position: this.position };
      this.speaker = null;
    } else {
      this.pieces.push(step);
      this.speaker = this.outer?.speaker ?? null;
      this.position = this.outer?.position ?? 0;
      this.outer = null;
    }
    return null;
  }

  private readMessages(step: MessagesStep, from: number | null, limit: number): number | null {
    const { role, callTexts } = this.start;
    const { sessionId, stretch, firstPosition } = step;
    if (from === null && firstPosition !== null) this.position = firstPosition - 1;
    const mostCalls = callTexts === true ? maxCallsWithText : maxCalls;
    let lineBefore = -1;
    for (const row of readConversation(this.store.db, sessionId, {
      ...stretch,
      from: from ?? stretch.from,
    })) {
      const { seq } = row.type === 'message' ? row.message : row.call;
      if (row.type === 'call' && this.calls.length === mostCalls) this.flushCalls(sessionId);
      const isBetween = this.calls.length === 0 && this.inlined === 0 && seq !== lineBefore;
      if (isBetween && (this.messages >= limit || this.chars >= maxPageChars)) return seq;
      lineBefore = seq;
      if (row.type === 'message') {
        this.position++;
        if (role === null || isSaidBy(row.message, role)) this.addMessage(row.message, step);
        // Tool calls between folded messages belong to them.
      } else if (role !== 'user' && this.inlined === 0) this.calls.push(row.call);
    }
    this.flush(sessionId);
    return null;
  }

  private addMessage(message: StoredMessage, { sessionId, matches }: MessagesStep): void {
    const { position } = this;
    const isSubagent = this.outer !== null || this.start.session.kind === 'subagent';
    const isInlined = message.isSidechain === 1 && !isSubagent;
    const isMatch = matches.has(message.seq);
    if (isInlined && !this.start.opensInlined && !isMatch) {
      this.flushCalls(sessionId);
      this.inlined++;
      return;
    }
    // A turn that starts with tool calls gets the time and number of its first message.
    const { role, kind, timestamp } = message;
    this.flush(sessionId, role === 'assistant' ? { timestamp, position } : undefined);
    this.messages++;
    this.chars += message.text.length;
    if (kind === 'recap') {
      this.speaker = null;
      this.add({ type: 'recap', message, position });
      return;
    }
    const isHelper = isInlined || kind === 'task';
    const speaker = role === 'user' ? (isHelper ? 'task' : 'person') : isHelper ? 'subagent' : 'assistant';
    // Every prompt is a separate turn; an answer in several pieces is one turn.
    if (speaker !== this.speaker || role === 'user') this.startTurn(speaker, { timestamp, position });
    this.add({ type: 'message', message, position, isMatch });
  }

  private flush(sessionId: number, first = noMessage): void {
    this.flushCalls(sessionId, first);
    if (this.inlined > 0) this.add({ type: 'inlined', messageCount: this.inlined });
    this.inlined = 0;
  }

  private flushCalls(sessionId: number, first = noMessage): void {
    if (this.calls.length === 0) return;
    if (this.speaker !== 'assistant' && this.speaker !== 'subagent') this.startTurn('assistant', first);
    const calls = this.callTexts?.read(sessionId, this.calls) ?? this.calls;
    for (const { target, input, output } of calls as readonly ShownCall[])
      this.chars += (target?.length ?? 0) + (input?.length ?? 0) + (output?.length ?? 0);
    this.add({ type: 'calls', calls });
    this.calls = [];
  }

  private startTurn(speaker: Speaker, first: FirstMessage): void {
    this.speaker = speaker;
    this.add({ type: 'turn', speaker, ...first });
  }

  private add(part: Part): void {
    this.pieces.push({ type: 'part', part });
  }
}

/** Of a turn. */
interface FirstMessage {
  readonly timestamp: string | null;
  readonly position: number | null;
}

const noMessage: FirstMessage = { timestamp: null, position: null };

/** As in a search, machine messages do not count as said by anyone. */
function isSaidBy({ role, kind }: StoredMessage, wanted: Role): boolean {
  return role === wanted && !messageKinds[kind].isMachine;
}

function noSuchSession(): UserError {
  return new UserError('the session has just been deleted from the index', {
    code: 'no-such-session',
    exitCode: 1,
  });
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
function parseMatch(match: string | undefined, isTyping = false): Query | null {
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
function findRole(match: string | undefined): Role | null {
  const role = match === undefined ? undefined : parseQuery(match).filters.role?.toLowerCase();
  return role === 'user' || role === 'assistant' ? role : null;
}
