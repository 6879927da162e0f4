// References that stay valid after a search: a session by the start of its id, a message by its number in the session.
// Transcripts only ever grow, so a message keeps its number.

import type { SessionInfo } from '../../api/sessions.ts';
import { toPrintableLine } from '../../text/printable.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-/i;

/** Only the start of a UUID identifies a session; other ids are kept whole. */
export function toShortId(nativeId: string): string {
  return toPrintableLine(uuid.test(nativeId) ? nativeId.slice(0, 8) : nativeId);
}

/** `66c737db:12`, the twelfth message of that session. */
export function toReference(session: Pick<SessionInfo, 'nativeId'>, position: number): string {
  return `${toShortId(session.nativeId)}:${position}`;
}
