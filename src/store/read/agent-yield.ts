// How many messages the transcripts of each agent give. Formats change every few months; a reader that no longer understands
// one finds nothing and fails at nothing, so this is what shows it.

import type { AgentName } from '../../records.ts';
import type { Database } from '../open/database.ts';

/** Of the transcripts on disk of an agent: the newest few, and those before. */
interface Yield {
  readonly agent: AgentName;
  /** Of the program that wrote the newest. */
  readonly version: string | null;
  readonly newFiles: number;
  readonly newBytes: number;
  readonly newMessages: number;
  readonly oldBytes: number;
  readonly oldMessages: number;
}

/** none: no transcript of the agent gave a message · fewer: the newest give far fewer than those before. */
export interface PoorYield {
  readonly agent: AgentName;
  readonly version: string | null;
  readonly files: number;
  readonly what: 'none' | 'fewer';
}

const newest = 5;

/** A session that was opened and left again has a few hundred bytes and no message. */
const minBytes = 2000;
const minFiles = 2;

/** The newest must be as large as transcripts that gave so many messages before, and give less than this part of them. */
const minExpected = 20;
const minPart = 0.1;

export function readPoorYields(db: Database): PoorYield[] {
  return (db.prepare(yields).all({ newest }) as Yield[]).flatMap((found) => {
    const { agent, version, newFiles: files } = found;
    const what = toVerdict(found);
    return what === null ? [] : [{ agent, version, files, what }];
  });
}

function toVerdict({
  newFiles,
  newBytes,
  newMessages,
  oldBytes,
  oldMessages,
}: Yield): PoorYield['what'] | null {
  if (newMessages + oldMessages === 0)
    return newBytes + oldBytes >= minBytes || newFiles >= minFiles ? 'none' : null;
  const expected = oldBytes === 0 ? 0 : (oldMessages / oldBytes) * newBytes;
  return expected >= minExpected && newMessages < expected * minPart ? 'fewer' : null;
}

const yields = `
  with file as (
    select session.agent, transcript.last_version as version, message_count as messages, size_bytes as bytes,
      row_number() over (partition by session.agent order by transcript.mtime_ms desc) <= @newest as isNew,
      row_number() over (partition by session.agent order by transcript.mtime_ms desc) = 1 as isNewest
    from session join transcript on transcript.id = session.transcript_id
    where session.kind = 'main' and transcript.state = 'current' and size_bytes > 0 and session.is_machinery = 0)
  select agent, max(iif(isNewest, version, null)) as version, sum(isNew) as newFiles,
    sum(iif(isNew, bytes, 0)) as newBytes, sum(iif(isNew, messages, 0)) as newMessages,
    sum(iif(isNew, 0, bytes)) as oldBytes, sum(iif(isNew, 0, messages)) as oldMessages
  from file group by agent order by agent`;
