// Finds the session a person means by an id or the start of one.

import type { AgentName, SessionKind } from '../../records.ts';
import type { Database } from '../open/database.ts';
import type { Store } from '../open/open-store.ts';
import { isOfKind } from './kind-conditions.ts';

/** One candidate; several rows may have one id when the same file is in two folders. */
export interface FoundSession {
  readonly id: number;
  readonly agent: AgentName;
  readonly nativeId: string;
  readonly kind: SessionKind;
  readonly title: string | null;
  readonly modifiedAt: string | null;
}

export const minPrefixChars = 4;

/**
 * All sessions with this id; failing that, those whose id starts with it. One entry per id, the newest first. Most ids are
 * lower-case and may be typed in capitals; some have capitals of their own, so that they are first looked for as typed.
 */
export function findSessions(store: Store, ref: string): FoundSession[] {
  const found = findAsTyped(store, ref);
  const lower = ref.toLowerCase();
  return found.length > 0 || lower === ref ? found : findAsTyped(store, lower);
}

function findAsTyped({ db }: Store, ref: string): FoundSession[] {
  const exact = db.prepare(`${selection} where native_id = ? ${order}`).all(ref) as FoundSession[];
  if (exact.length > 0) return distinct(exact);
  if (ref.length < minPrefixChars) return [];
  const end = `${ref.slice(0, -1)}${String.fromCodePoint((ref.codePointAt(ref.length - 1) ?? 0) + 1)}`;
  const found = db
    .prepare(`${selection} where native_id >= ? and native_id < ? ${order}`)
    .all(ref, end) as FoundSession[];
  return distinct(found.filter((session) => session.nativeId.startsWith(ref)));
}

const selection =
  'select id, agent, native_id as nativeId, kind, title, modified_at as modifiedAt from session';
/** A file without a word of a session that another file holds comes last. */
const order = 'order by is_hidden, is_gone, modified_at desc';

function distinct(sessions: readonly FoundSession[]): FoundSession[] {
  const byId = new Map<string, FoundSession>();
  for (const session of sessions) {
    const key = `${session.agent} ${session.nativeId}`;
    if (!byId.has(key)) byId.set(key, session);
  }
  return [...byId.values()];
}

/** The session that was last active in exactly this directory. */
export function findNewestIn(db: Database, agent: AgentName, directory: string): string | undefined {
  return db
    .prepare(
      `select native_id from session join project on project.id = session.project_id
      where project.path = ? and agent = ? and ${isOfKind('isResumable')} and is_gone = 0 order by modified_at desc limit 1`,
    )
    .pluck()
    .get(directory, agent) as string | undefined;
}
