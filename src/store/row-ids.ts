// Row ids that say where a row belongs: the session in the upper bits, the line below. So the rows of a session lie
// side by side in reading order, a session's rows are a range of ids without any further index, and a full-text hit
// names its session without a look at the table. Computed in SQL, because better-sqlite3 binds large numbers as
// floating point.

import { maxCallsPerLine, maxSeq } from '../records.ts';
import type { TextPlace } from '../text/tool-text.ts';

export const messageId = (session: string, seq: string) => `(${session} << 20 | ${seq})`;
export const toolCallId = (session: string, seq: string, nth: string) =>
  `((${session} << 20 | ${seq}) << 6 | ${nth})`;

export const isMessageOf = (session: string, id = 'id') =>
  `${id} between ${session} << 20 and (${session} << 20) + ${maxSeq}`;
export const isToolCallOf = (session: string, id = 'id') =>
  `${id} between ${session} << 26 and (${session} << 26) + ${2 ** 26 - 1}`;

/** Two for each call: what it was given, and what it answered. The line is that of the call, or that of the answer. */
export const toolTextId = (session: string, seq: string, nth: string, isOutput: string) =>
  `(${toolCallId(session, seq, nth)} << 1 | ${isOutput})`;
export const isToolTextOf = (session: string, id = 'id') =>
  `${id} between ${session} << 27 and (${session} << 27) + ${2 ** 27 - 1}`;

export const sessionOfMessage = (id: string) => `(${id} >> 20)`;
export const sessionOfToolCall = (id: string) => `(${id} >> 26)`;
export const sessionOfToolText = (id: string) => `(${id} >> 27)`;

/** The lowest id that a message of the same session can have. */
export const firstMessageIdOf = (id: string) => `(${id} >> 20 << 20)`;

/** The same outside SQL; ids of messages are safe integers up to eight thousand million sessions. */
const sessionFactor = maxSeq + 1;

export function toSessionId(messageId: number): number {
  return Math.floor(messageId / sessionFactor);
}

export function toSessionOfToolText(toolTextId: number): number {
  return Math.floor(toolTextId / 2 ** 27);
}

export function toToolTextId(sessionId: number, { seq, nth, isOutput }: TextPlace): number {
  return ((sessionId * sessionFactor + seq) * maxCallsPerLine + nth) * 2 + Number(isOutput);
}

export function toTextPlace(toolTextId: number): TextPlace {
  const nth = Math.floor(toolTextId / 2) % maxCallsPerLine;
  return { seq: toSeq(toMessageIdOfToolText(toolTextId)), nth, isOutput: toolTextId % 2 === 1 };
}

/** The id that a message on the same line would have. */
export function toMessageIdOfToolText(toolTextId: number): number {
  return Math.floor(toolTextId / 2 ** 7);
}

export function toSeq(messageId: number): number {
  return messageId % sessionFactor;
}
