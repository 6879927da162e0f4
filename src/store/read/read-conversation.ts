// A session's messages and tool calls in the order of its transcript, a page at a time: a session of a million
// messages is never held in memory, and no statement stays open while a reader pauses at a screen.

import { type MessageKind, maxCallsPerLine, maxSeq, type Role } from '../../records.ts';
import { type Database, withBooleans } from '../open/database.ts';
import { firstMessageIdOf, isMessageOf, messageId, toolCallId } from '../row-ids.ts';
import type { MessageText } from '../word-index.ts';
import { isSaidBy } from './scope.ts';

export interface StoredMessage extends Omit<MessageText, 'sessionId' | 'kind'> {
  readonly seq: number;
  readonly kind: MessageKind;
}

export interface StoredCall {
  readonly seq: number;
  readonly nth: number;
  readonly name: string;
  readonly target: string | null;
  readonly isError: boolean;
}

/** Lines of a transcript, both ends among them. */
export type Stretch = Readonly<Record<'from' | 'to', number>>;

export const wholeTranscript: Stretch = { from: 0, to: maxSeq };

type ConversationRow =
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
  const calls = eachCall(db, sessionId, stretch);
  let next = calls.next();
  for (const message of eachMessage(db, sessionId, stretch)) {
    for (; !next.done && next.value.seq < message.seq; next = calls.next())
      yield { type: 'call', call: next.value };
    yield { type: 'message', message };
  }
  for (; !next.done; next = calls.next()) yield { type: 'call', call: next.value };
}

function* eachMessage(db: Database, sessionId: number, { from, to }: Stretch): Generator<StoredMessage> {
  const read = db.prepare(
    `select id, seq, uuid, role, kind, timestamp, text, is_sidechain as isSidechain from message
    where id between ${messageId('@sessionId', '@from')} and ${messageId('@sessionId', '@to')} order by id limit @limit`,
  );
  for (let next = from; next <= to; ) {
    const rows = read.all({ sessionId, from: next, to, limit: messagesPerPage });
    const page = withBooleans<StoredMessage>(rows, 'isSidechain');
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
    const rows = read.all({ sessionId, seq, nth, to, limit: callsPerPage });
    const page = withBooleans<StoredCall>(rows, 'isError');
    yield* page;
    const last = page.at(-1);
    if (page.length < callsPerPage || last === undefined) return;
    [seq, nth] = last.nth + 1 < maxCallsPerLine ? [last.seq, last.nth + 1] : [last.seq + 1, 0];
    if (seq > to) return;
  }
}

/** The lines of a session's messages in order; of one role without what a machine wrote in its name. */
export function readLines(db: Database, sessionId: number, role: Role | null = null): number[] {
  const isWanted = role === null ? 'true' : isSaidBy(role);
  const sql = `select seq from message where ${isMessageOf('@sessionId')} and ${isWanted} order by id`;
  return db.prepare(sql).pluck().all({ sessionId }) as number[];
}

/** What a person typed, each with its start. */
export function readPrompts(db: Database, sessionId: number, maxChars: number) {
  const sql = `select seq, timestamp, substr(text, 1, @maxChars) as text from message
  where ${isMessageOf('@sessionId')} and ${isSaidBy('user')} and is_sidechain = 0 order by id`;
  return db.prepare(sql).all({ sessionId, maxChars }) as Pick<StoredMessage, 'seq' | 'timestamp' | 'text'>[];
}

/** The lines of the messages whose uuid starts with this; two are enough to know that it is ambiguous. */
export function findLines(db: Database, sessionId: number, uuidStart: string): number[] {
  const sql = `select seq from message where ${isMessageOf('@sessionId')} and substr(uuid, 1, length(@uuidStart)) = @uuidStart
  order by id limit 2`;
  return db.prepare(sql).pluck().all({ sessionId, uuidStart }) as number[];
}

/** The places of messages in their sessions, counted from 1, by message id. */
export function readPositions(db: Database, ids: Iterable<number>): Map<number, number> {
  const sql = `select count(*) from message where id between ${firstMessageIdOf('cast(@id as integer)')} and @id`;
  const count = db.prepare(sql).pluck();
  return new Map([...ids].map((id) => [id, Number(count.get({ id }))]));
}
