// Row ids that say where a row belongs: the session in the upper bits, the line below. So the rows of a session lie
// side by side in reading order, a session's rows are a range of ids without any further index, and a full-text hit
// names its session without a look at the table. Computed in SQL, because better-sqlite3 binds large numbers as
// floating point.

/** Lines of one transcript that can be told apart. */
export const maxSeq = 2 ** 24 - 1;

/** Tool calls of one line that can be told apart. */
export const maxCallsPerLine = 64;

export const messageId = (session: string, seq: string) => `(${session} << 24 | ${seq})`;
export const toolCallId = (session: string, seq: string, nth: string) =>
  `((${session} << 24 | ${seq}) << 6 | ${nth})`;

/** The condition that a message (or full-text row of one) belongs to a session. */
export const isMessageOf = (session: string, id = 'id') =>
  `${id} between ${session} << 24 and (${session} << 24) + ${maxSeq}`;
export const isToolCallOf = (session: string, id = 'id') =>
  `${id} between ${session} << 30 and (${session} << 30) + ${2 ** 30 - 1}`;

/** The session that a message row or tool call row belongs to. */
export const sessionOfMessage = (id: string) => `(${id} >> 24)`;
export const sessionOfToolCall = (id: string) => `(${id} >> 30)`;
