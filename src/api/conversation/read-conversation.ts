// A conversation to read, in pages of plain data. `openConversation` finds the session's facts and what is shown of it, as a list
// of steps; `readPage` reads some of them and says where the next page starts. Nothing is kept open in between, so a page may
// be asked for from another thread, or much later.

import { UserError, usageError } from '../../errors.ts';
import { hint, parameter } from '../../hints.ts';
import { messageKinds, type Role } from '../../records.ts';
import { parseQuery, type Query } from '../../search/query/parse-query.ts';
import type { Store } from '../../store/open/open-store.ts';
import { inOneState, keepsToolTexts } from '../../store/read/index-facts.ts';
import {
  readConversation,
  readLines,
  readPrompts,
  type StoredCall,
  type StoredMessage,
  wholeTranscript,
} from '../../store/read/read-conversation.ts';
import {
  type PlacedSubagent,
  readChildren,
  readCopies,
  readDetails,
  readSubagents,
} from '../../store/read/relatives.ts';
import { readSessions } from '../../store/read/sessions.ts';
import { type CallText, listCallTexts, readToolTexts } from '../../store/read/tool-texts.ts';
import type { SessionInfo } from '../../store/word-index.ts';
import { toPrintableLine } from '../../text/printable.ts';
import { toShownText } from '../../text/tool-text.ts';
import type {
  Conversation,
  ConversationPage,
  Head,
  ListedSession,
  Matches,
  MessagesStep,
  Outline,
  OutlinedMatches,
  PageStart,
  Part,
  Piece,
  ShownCall,
  Speaker,
  Step,
  Turn,
  Unread,
} from '../answers.ts';
import type { Host } from '../host.ts';
import { readListed } from '../list.ts';
import type { ConversationRequest } from '../requests.ts';
import { findMatches, noMatches, toMatchingLines } from './find-matches.ts';
import { findAtOrBefore, type Selection, selectMessages } from './select-messages.ts';

/** With the message that the reference names, unless there are words to match in the whole session. */
export function placeRequest(request: ConversationRequest, position: number | null): ConversationRequest {
  const { around, range, last, match } = request;
  const parts = Object.entries({ around, range, last }).filter(([, value]) => value !== undefined);
  const [first, second] = [
    ...(position === null ? [] : [`message #${position}`]),
    ...parts.map(([name]) => parameter(name)),
  ];
  if (first !== undefined && second !== undefined)
    throw usageError(hint`${first} and ${second} choose different parts of a session`, 'choose one');
  return position === null || match !== undefined ? request : { ...request, around: `#${position}` };
}

export async function openConversation(
  host: Host,
  store: Store,
  id: number,
  request: ConversationRequest,
): Promise<Conversation> {
  const session = readSessions(store.db, [id]).get(id);
  if (session === undefined) throw noSuchSession();
  const { context, callTexts = false } = request;
  const subagents = readSubagents(store.db, session);
  const query = parseMatch(request.match, request.isTyping);
  const role = request.role ?? findRole(request.match);
  const ids = [id, ...subagents.map(({ subagent }) => subagent.id)];
  const matches = query === null ? noMatches : await findMatches(store, ids, query, role);
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
    ...request,
    role,
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
      const first = from === stretch.from ? firstPosition : null;
      if (from <= to)
        steps.push({ type: 'messages', sessionId, stretch: { from, to }, firstPosition: first, matches });
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
  const { session } = start;
  // Another index may have taken the place of the one in which the conversation was opened.
  if (readSessions(store.db, [session.id]).get(session.id)?.nativeId !== session.nativeId)
    throw noSuchSession();
  return inOneState(store.db, () => new PageReader(host, store, start).read(limit));
}

/** How many calls are in one part, so that a run of any length does not fill the memory. */
const maxCalls = 500;
const maxCallsWithText = 20;

class PageReader {
  private readonly host: Host;
  private readonly store: Store;
  private readonly start: PageStart;
  private readonly callTexts: CallTexts | null;
  private readonly pieces: Piece[] = [];
  private speaker: Speaker | null;
  private position: number;
  private outer: Turn | null;
  private calls: StoredCall[] = [];
  private inlined = 0;
  private messages = 0;
  private chars = 0;

  constructor(host: Host, store: Store, start: PageStart) {
    this.host = host;
    this.store = store;
    this.start = start;
    const { callTexts } = start;
    this.callTexts = callTexts ? new CallTexts(store, callTexts === true ? null : callTexts) : null;
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
    const unread = { ...stretch, from: from ?? stretch.from };
    for (const row of readConversation(this.store.db, sessionId, unread)) {
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
    const isInlined = message.isSidechain && !isSubagent;
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

type FirstMessage = Pick<Extract<Part, { readonly type: 'turn' }>, 'timestamp' | 'position'>;
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

const maxCopiesNamed = 5;

function readHead(host: Host, store: Store, session: SessionInfo, subagentCount: number): Head {
  const { db } = store;
  const { id, ownerId } = session;
  return {
    ...(readListed(host, store, [id])[0] as ListedSession),
    details: readDetails(db, id),
    copyNames: readCopies(db, session, maxCopiesNamed),
    subagentCount,
    histories: readChildren(db, session, 'precompact'),
    owner: ownerId === id ? null : (readSessions(db, [ownerId]).get(ownerId) ?? null),
  };
}

/** Null if there is nothing to match: `role:user` alone only chooses whose messages to show. */
function parseMatch(match: string | undefined, isTyping = false): Query | null {
  if (match === undefined) return null;
  const query = parseQuery(match, isTyping);
  const { terms, excluded, filters } = query;
  if (terms.length > 0) return query;
  if (excluded.length === 0 && Object.keys(filters).join() === 'role') return null;
  throw usageError(
    hint`${parameter('match')} “${toPrintableLine(match)}” has no words to search for`,
    hint`use words from the message; choose who said it with ${parameter('role')}`,
  );
}

/** `role:user` in the words means the same as `role` in the request. */
function findRole(match: string | undefined): Role | null {
  const role = match === undefined ? undefined : parseQuery(match).filters.role?.toLowerCase();
  return role === 'user' || role === 'assistant' ? role : null;
}

const maxPromptChars = 200;

/** What a conversation consists of: a reader that shows one part at a time asks for this once, then for stretches of messages by number. */
export async function readOutline(store: Store, id: number, match: string): Promise<Outline> {
  const lines = readLines(store.db, id);
  const positionOf = new Map(lines.map((seq, i) => [seq, i + 1]));
  const prompts = readPrompts(store.db, id, maxPromptChars).map(({ seq, timestamp, text }) => ({
    position: positionOf.get(seq) ?? 0,
    timestamp,
    text,
  }));
  return {
    messageCount: lines.length,
    prompts,
    matches: await findOutlined(store, id, match, lines),
  };
}

async function findOutlined(
  store: Store,
  id: number,
  match: string,
  lines: readonly number[],
): Promise<OutlinedMatches | null> {
  const query = parseQuery(match);
  if (query.terms.length === 0) return null;
  const found = await findMatches(store, [id], query, null);
  const places = [...(found.lines.get(id) ?? [])].map((seq) => findAtOrBefore(lines, seq) + 1);
  const texts = found.toolTexts.size === 0 ? [] : listCallTexts(store.db, id, wholeTranscript);
  const callLines = texts.filter((text) => found.toolTexts.has(text.id)).map(({ callSeq }) => callSeq);
  return {
    terms: found.terms,
    isPartial: found.isPartial,
    corrections: found.corrections,
    positions: [...new Set(places)].filter((position) => position > 0).sort((a, b) => a - b),
    callLines: [...new Set(callLines)].sort((a, b) => a - b),
  };
}

class CallTexts {
  private readonly store: Store;
  /** Only calls that match, and of these only the lines that do; null for all texts as they are. */
  private readonly matches: Matches | null;
  private shown = 0;
  private unread = 0;

  constructor(store: Store, matches: Matches | null = null) {
    this.store = store;
    this.matches = matches;
  }

  read(sessionId: number, calls: readonly StoredCall[]): ShownCall[] {
    const { matches } = this;
    const stretch = { from: calls[0]?.seq ?? 0, to: calls.at(-1)?.seq ?? 0 };
    const listed = listCallTexts(this.store.db, sessionId, stretch).filter(
      ({ id }) => matches === null || matches.toolTexts.has(id),
    );
    const view = (stored: string) => {
      if (matches === null) return toShownText(stored);
      return toMatchingLines(toShownText(stored, true), matches.terms) ?? '';
    };
    const ids = listed.map(({ id }) => id);
    const texts = readToolTexts(this.store.db, ids, view);
    return calls.map((call) => {
      const own = listed.filter(({ callSeq, callNth }) => callSeq === call.seq && callNth === call.nth);
      return matches !== null && own.length === 0 ? call : this.toShown(call, own, texts);
    });
  }

  findUnread(): Unread | null {
    if (this.matches !== null) return null;
    if (!keepsToolTexts(this.store.db)) return { reason: 'off', calls: this.shown };
    return this.unread === 0 ? null : { reason: 'deleted', calls: this.unread };
  }

  private toShown(call: StoredCall, own: readonly CallText[], texts: ReadonlyMap<number, string>): ShownCall {
    this.shown++;
    // The first answer counts, as it does for errors.
    const [given, answered] = [false, true].map((which) => own.find(({ isOutput }) => isOutput === which));
    const input = given === undefined ? null : (texts.get(given.id) ?? null);
    const output = answered === undefined ? null : (texts.get(answered.id) ?? null);
    if ((given && input === null) || (answered && output === null)) this.unread++;
    return { ...call, input, output };
  }
}
