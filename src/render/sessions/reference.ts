// References that stay valid after a search: a session by the start of its id, a message by its number in the session.
// Transcripts only ever grow, so a message keeps its number.

import type { SessionInfo } from '../../api/list.ts';
import { toPrintableLine } from '../../text/printable.ts';

/** The version of a UUID is the first digit of its third group. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-(.)/i;

/**
 * Only the start of a UUID identifies a session; other ids are kept whole. One of version 7 starts with the time, and only
 * with its second group does it say which millisecond.
 */
export function toShortId(nativeId: string): string {
  const version = uuid.exec(nativeId)?.[1];
  if (version === undefined) return toPrintableLine(nativeId);
  return toPrintableLine(nativeId.slice(0, version === '7' ? 13 : 8));
}

/** `66c737db:12`, the twelfth message of that session. */
export function toReference(session: Pick<SessionInfo, 'nativeId'>, position: number): string {
  return `${toShortId(session.nativeId)}:${position}`;
}
