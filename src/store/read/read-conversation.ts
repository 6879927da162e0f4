// A session's messages and tool calls in the order of its transcript, a page at a time: a session of a million
// messages is never held in memory, and no statement stays open while a reader pauses at a screen.

import { type MessageKind, maxCallsPerLine, maxSeq, type Role } from '../../records.ts';
import type { Database } from '../open/database.ts';
import { firstMessageIdOf, isMessageOf, messageId, toolCallId } from '../row-ids.ts';
import { isSaidBy } from './scope.ts';

export interface StoredMessage {
  readonly id: number;
  readonly seq: number;
  readonly uuid: string | null;
  readonly role: Role;
  readonly kind: MessageKind;
  readonly timestamp: string | null;
  readonly text: string;
  readonly isSidechain: number;
}

export interface StoredCall {
  readonly seq: number;
  readonly nth: number;
  readonly name: string;
  readonly target: string | null;
  readonly isError: number;
}

/** Lines of a transcript, both ends among them. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

export const wholeTranscript: Stretch = { from: 0, to: maxSeq };

export type ConversationRow =
  | { readonly type: 'message'; readonly message: StoredMessage }
  | { readonly type: 'call'; readonly call: StoredCall };

const messagesPerPage = 40;
const callsPerPage = 400;

/** What was said comes before the tools that were called in the same line. */
export function* readConversation(
  db: Database,
  sessionId: number,
  stretch: Stretch,
): Generator<ConversationRow> {
  const messages = eachMessage(db, sessionId, stretch);
  const calls = eachCall(db, sessionId, stretch);
  let message = messages.next();
  let call = calls.next();
  while (!message.done || !call.done) {
    const isMessageNext = !message.done && (call.done || message.value.seq <= call.value.seq);
    if (isMessageNext && !message.done) {
      yield { type: 'message', message: message.value };
      message = messages.next();
    } else if (!call.done) {
      yield { type: 'call', call: call.value };
      call = calls.next();
    }
  }
}

function* eachMessage(db: Database, sessionId: number, { from, to }: Stretch): Generator<StoredMessage> {
  const read = db.prepare(
    `select id, seq, uuid, role, kind, timestamp, text, is_sidechain as isSidechain from message
    where id between ${messageId('@sessionId', '@from')} and ${messageId('@sessionId', '@to')} order by id limit @limit`,
  );
  for (let next = from; next <= to; ) {
    const page = read.all({ sessionId, from: next, to, limit: messagesPerPage }) as StoredMessage[];
    yield* page;
    if (page.length < messagesPerPage) return;
    next = (page.at(-1)?.seq ?? to) + 1;
  }
}

function* eachCall(db: Database, sessionId: number, { from, to }: Stretch): Generator<StoredCall> {
  const read = db.prepare(
    `select seq, id & ${maxCallsPerLine - 1} as nth, name, target, is_error as isError from tool_call
    where id >= ${toolCallId('@sessionId', '@seq', '@nth')}
      and id <= ${toolCallId('@sessionId', '@to', String(maxCallsPerLine - 1))} order by id limit @limit`,
  );
  for (let [seq, nth] = [from, 0]; ; ) {
    const page = read.all({ sessionId, seq, nth, to, limit: callsPerPage }) as StoredCall[];
    yield* page;
    const last = page.at(-1);
    if (page.length < callsPerPage || last === undefined) return;
    [seq, nth] = last.nth + 1 < maxCallsPerLine ? [last.seq, last.nth + 1] : [last.seq + 1, 0];
    if (seq > to) return;
  }
}

/** The lines of a session's messages in order. */
export function readLines(db: Database, sessionId: number): number[] {
  return db
    .prepare(`select seq from message where ${isMessageOf('@sessionId')} order by id`)
    .pluck()
    .all({ sessionId }) as number[];
}

/** Lines on which the person, or the assistant, speaks: not what a machine wrote in their name. */
export function readLinesOf(db: Database, sessionId: number, role: Role): number[] {
  return db
    .prepare(`select seq from message where ${isMessageOf('@sessionId')} and ${isSaidBy(role)} order by id`)
    .pluck()
    .all({ sessionId }) as number[];
}

/** The lines of the messages whose uuid starts with this; two are enough to know that it is ambiguous. */
export function findLines(db: Database, sessionId: number, uuidStart: string): number[] {
  return db
    .prepare(
      `select seq from message where ${isMessageOf('@sessionId')} and substr(uuid, 1, length(@uuidStart)) = @uuidStart
      order by id limit 2`,
    )
    .pluck()
    .all({ sessionId, uuidStart }) as number[];
}

/** The places of messages in their sessions, counted from 1, by message id. */
export function readPositions(db: Database, ids: Iterable<number>): Map<number, number> {
  const count = db
    .prepare(
      `select count(*) from message where id between ${firstMessageIdOf('cast(@id as integer)')} and @id`,
    )
    .pluck();
  return new Map([...ids].map((id) => [id, Number(count.get({ id }))]));
}
