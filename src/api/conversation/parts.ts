// A conversation as a reader sees it: turns, what was said in them, tool calls, subagents started, and places
// where it was compacted or where something is left out. One stream of parts, which every format is made
// from.

import { messageKinds, type Role } from '../../records.ts';
import type { Store } from '../../store/open/open-store.ts';
import { readConversation, type StoredCall, type StoredMessage } from '../../store/read/read-conversation.ts';
import type { PlacedSubagent } from '../../store/read/sessions.ts';
import type { SessionInfo } from '../../store/word-index.ts';
import type { CallTexts, ShownCall } from './call-texts.ts';
import type { Selection } from './selection.ts';

/** task: the instructions for a subagent · subagent: its answer, inside another session. */
export type Speaker = 'person' | 'assistant' | 'task' | 'subagent';

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

export interface ReadingOptions {
  readonly selection: Selection;
  readonly role: Role | null;
  readonly subagents: readonly PlacedSubagent[];
  /** Show subagent messages that are in the session itself. */
  readonly opensInlined: boolean;
  /** What the calls say; null if only their names are shown. */
  readonly callTexts: CallTexts | null;
}

/** How many calls are in one part, so that a run of any length does not fill the memory. */
const maxCalls = 500;
const maxCallsWithText = 20;

export function* readParts(store: Store, session: SessionInfo, options: ReadingOptions): Generator<Part> {
  const { selection, role } = options;
  const turns = new Turns(session, options);
  for (const { stretch, firstPosition, gapBefore } of selection.chosen) {
    if (gapBefore > 0) yield* turns.gap(gapBefore);
    const subagents = options.subagents.filter(({ seq }) => isWithin(seq, stretch));
    let position = firstPosition - 1;
    for (const row of readConversation(store.db, session.id, stretch)) {
      const seq = row.type === 'message' ? row.message.seq : row.call.seq;
      while ((subagents[0]?.seq ?? seq) < seq) yield* turns.subagent(subagents.shift()?.subagent);
      if (row.type === 'call') {
        if (role !== 'user') yield* turns.call(row.call);
        continue;
      }
      position++;
      if (role === null || isSaidBy(row.message, role)) yield* turns.message(row.message, position);
    }
    for (const { subagent } of subagents) yield* turns.subagent(subagent);
    yield* turns.flush();
  }
  if (selection.gapAfter > 0) yield* turns.gap(selection.gapAfter);
}

function isWithin(seq: number, { from, to }: { readonly from: number; readonly to: number }): boolean {
  return seq >= from && seq <= to;
}

/** As in a search, machine messages do not count as said by anyone. */
function isSaidBy({ role, kind }: StoredMessage, wanted: Role): boolean {
  return role === wanted && !messageKinds[kind].isMachine;
}

interface Words {
  readonly timestamp: string | null;
  readonly position: number | null;
}

const noWords: Words = { timestamp: null, position: null };

/** Tracks whose turn it is, and collects runs of calls and of inlined messages. */
class Turns {
  private readonly session: SessionInfo;
  private readonly options: ReadingOptions;
  private speaker: Speaker | null = null;
  private calls: StoredCall[] = [];
  private inlined = 0;

  constructor(session: SessionInfo, options: ReadingOptions) {
    this.session = session;
    this.options = options;
  }

  *message(message: StoredMessage, position: number): Generator<Part> {
    const isInlined = message.isSidechain === 1 && this.session.kind !== 'subagent';
    const isMatch = this.options.selection.matches.has(message.seq);
    if (isInlined && !this.options.opensInlined && !isMatch) {
      yield* this.flushCalls();
      this.inlined++;
      return;
    }
    // A turn that starts with tool calls gets the time and number of its first message.
    yield* this.flush(message.role === 'assistant' ? { timestamp: message.timestamp, position } : undefined);
    if (message.kind === 'recap') {
      this.speaker = null;
      yield { type: 'recap', message, position };
      return;
    }
    const speaker = isInlined || message.kind === 'task' ? toHelper(message) : toSpeaker(message);
    // Every prompt is a separate turn; an answer in several pieces is one turn.
    if (speaker !== this.speaker || message.role === 'user') {
      this.speaker = speaker;
      yield { type: 'turn', speaker, timestamp: message.timestamp, position };
    }
    yield { type: 'message', message, position, isMatch };
  }

  *call(call: StoredCall): Generator<Part> {
    // Tool calls between folded messages belong to them.
    if (this.inlined > 0) return;
    const most = this.options.callTexts?.isOfAll ? maxCallsWithText : maxCalls;
    if (this.calls.length === most) yield* this.flushCalls();
    this.calls.push(call);
  }

  *subagent(subagent: SessionInfo | undefined): Generator<Part> {
    yield* this.flush();
    if (subagent !== undefined) yield { type: 'subagent', subagent };
  }

  *gap(messageCount: number): Generator<Part> {
    yield* this.flush();
    this.speaker = null;
    yield { type: 'gap', messageCount };
  }

  *flush(words = noWords): Generator<Part> {
    yield* this.flushCalls(words);
    if (this.inlined === 0) return;
    yield { type: 'inlined', messageCount: this.inlined };
    this.inlined = 0;
  }

  private *flushCalls(words = noWords): Generator<Part> {
    if (this.calls.length === 0) return;
    if (this.speaker !== 'assistant' && this.speaker !== 'subagent') {
      this.speaker = 'assistant';
      yield { type: 'turn', speaker: 'assistant', ...words };
    }
    const { callTexts } = this.options;
    yield { type: 'calls', calls: callTexts?.read(this.session.id, this.calls) ?? this.calls };
    this.calls = [];
  }
}

function toSpeaker({ role }: StoredMessage): Speaker {
  return role === 'user' ? 'person' : 'assistant';
}

function toHelper({ role }: StoredMessage): Speaker {
  return role === 'user' ? 'task' : 'subagent';
}
