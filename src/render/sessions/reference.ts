// Names that outlast a search: a session by the beginning of its id, a message by its number in the session. Transcripts
// only ever grow, so a number stays that of its message.

import type { SessionInfo } from '../../store/read/read-sessions.ts';
import { toPrintableLine } from '../../text/printable.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-/i;

/** Other ids than these have no telling beginning. */
export function toShortId(nativeId: string): string {
  return toPrintableLine(uuid.test(nativeId) ? nativeId.slice(0, 8) : nativeId);
}

/** `66c737db:12`, the twelfth message of that session. */
export function toReference(session: Pick<SessionInfo, 'nativeId'>, position: number): string {
  return `${toShortId(session.nativeId)}:${position}`;
}

export interface Reference {
  readonly session: string;
  readonly position: number | null;
}

export function parseReference(text: string): Reference {
  const [, session, position] = /^(.+):(\d{1,7})$/.exec(text.trim()) ?? [];
  if (session === undefined) return { session: text.trim(), position: null };
  return { session, position: Number(position) };
}
