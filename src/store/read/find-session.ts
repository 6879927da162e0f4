// Finds the session a person means by an id or the beginning of one.

import type { SessionKind } from '../../records.ts';
import type { Store } from '../open/open-store.ts';

/** One candidate; several rows may carry one id when the same file stands under two folders. */
export interface FoundSession {
  readonly id: number;
  readonly claudeId: string;
  readonly kind: SessionKind;
  readonly title: string | null;
  readonly modifiedAt: string | null;
}

export const minPrefixChars = 4;

/** All sessions with this id; failing that, those whose id begins so. One entry per id, the newest first. */
export function findSessions({ db }: Store, ref: string): FoundSession[] {
  const exact = db.prepare(`${selection} where claude_id = ? ${order}`).all(ref) as FoundSession[];
  if (exact.length > 0) return distinct(exact);
  if (ref.length < minPrefixChars) return [];
  const end = `${ref.slice(0, -1)}${String.fromCodePoint((ref.codePointAt(ref.length - 1) ?? 0) + 1)}`;
  const found = db
    .prepare(`${selection} where claude_id >= ? and claude_id < ? ${order} limit 50`)
    .all(ref, end) as FoundSession[];
  return distinct(found.filter((session) => session.claudeId.startsWith(ref)));
}

const selection = 'select id, claude_id as claudeId, kind, title, modified_at as modifiedAt from session';
const order = 'order by is_gone, modified_at desc';

function distinct(sessions: readonly FoundSession[]): FoundSession[] {
  const byId = new Map<string, FoundSession>();
  for (const session of sessions) if (!byId.has(session.claudeId)) byId.set(session.claudeId, session);
  return [...byId.values()];
}
