// Where the text of tool calls and of their answers can be read: which lines of which transcript.

import { type AgentName, maxCallsPerLine, maxSeq, type SessionKind } from '../../records.ts';
import type { Database } from '../open/database.ts';
import { toolCallId, workId } from '../row-ids.ts';
import type { Stretch } from './read-conversation.ts';

/** One text of a call, in the order of the transcript. */
export interface CallWork {
  readonly id: number;
  readonly callSeq: number;
  readonly callNth: number;
  readonly isOutput: number;
  readonly nth: number;
  readonly lineFrom: number;
  readonly lineBytes: number;
}

/**
 * How many lines after its call an answer is looked for. No index leads from a call to its answer, and most calls without
 * output have none: without a bound, each of them would go through the rest of the session.
 */
const maxLinesToAnswer = 4000;

/** Of the calls on these lines. */
export function readCallWork(db: Database, sessionId: number, { from, to }: Stretch): CallWork[] {
  const last = String(maxCallsPerLine - 1);
  return db
    .prepare(
      `select id, call_id >> 6 & ${maxSeq} as callSeq, call_id & ${maxCallsPerLine - 1} as callNth, id & 1 as isOutput,
        id >> 1 & ${maxCallsPerLine - 1} as nth, line_from as lineFrom, line_bytes as lineBytes
      from work
      where id between ${workId('@sessionId', '@from', '0', '0')} and ${workId('@sessionId', '@end', last, '1')}
        and call_id between ${toolCallId('@sessionId', '@from', '0')} and ${toolCallId('@sessionId', '@to', last)}
      order by id`,
    )
    .all({ sessionId, from, to, end: Math.min(maxSeq, to + maxLinesToAnswer) }) as CallWork[];
}

export interface TranscriptOfSession {
  readonly sessionId: number;
  readonly agent: AgentName;
  readonly kind: SessionKind;
  readonly root: string;
  /** Relative to the root, whether or not it is still there; null if there never was one. */
  readonly path: string | null;
}

export function readTranscriptsOf(db: Database, sessionIds: readonly number[]): TranscriptOfSession[] {
  return db
    .prepare(
      `select session.id as sessionId, session.agent, session.kind, root.path as root, transcript.path as path
      from session join root on root.id = session.root_id
      left join transcript on transcript.id = session.transcript_id
      where session.id in (select value from json_each(?))`,
    )
    .all(JSON.stringify(sessionIds)) as TranscriptOfSession[];
}
