// Removes the rows of a session and what was known of its files, and keeps them from coming back.

import type Database from 'better-sqlite3';
import type { Store } from '../open/open-store.ts';
import { isOfKind } from '../read/kind-conditions.ts';
import { saveTotals } from '../read/totals.ts';
import { toProjectHash } from '../write/project-hash.ts';
import { TranscriptWriter } from '../write/transcript-writer.ts';

/** What a session is known by. */
export interface SessionKey {
  readonly agent: string;
  readonly nativeId: string;
}

/** Files are those of an agent by their root. */
const ofAgent = 'root_id in (select id from root where agent = @agent)';

export interface Forgotten {
  readonly nativeIds: readonly string[];
  readonly sessions: number;
  readonly messages: number;
}

/** The session, its subagents, subagents of those, and histories saved before its compactions. */
export function findFamily(store: Store, { agent, nativeId }: SessionKey): string[] {
  const rows = store.db
    .prepare(
      `with recursive family (native_id) as (
        values (@nativeId)
        union
        select session.native_id from family join session on session.parent_native_id = family.native_id
        where session.agent = @agent and ${isOfKind('isChild', 'session.kind')})
      select native_id from family`,
    )
    .all({ agent, nativeId }) as { native_id: string }[];
  return rows.map((row) => row.native_id);
}

/** Other sessions that hold entries of this one: forgetting it leaves their text. */
export function findCopies(store: Store, { agent, nativeId }: SessionKey): string[] {
  const rows = store.db
    .prepare(
      `select distinct other.native_id from session mine
      join session other on other.conversation_id = mine.conversation_id and other.native_id <> mine.native_id
      where mine.agent = ? and mine.native_id = ? and mine.conversation_id is not null`,
    )
    .all(agent, nativeId) as { native_id: string }[];
  return rows.map((row) => row.native_id);
}

/**
 * 1. With secure_delete on, SQLite overwrites what it deletes.
 * 2. The rows go, and tombstones keep the ids from coming back, in one transaction. Sessions that took something from them, a
 *    summary say, are left unsettled.
 */
export function forgetSession(store: Store, key: SessionKey, forgottenAt: string): Forgotten {
  const { db } = store;
  const { agent } = key;
  const nativeIds = findFamily(store, key);
  const ids = JSON.stringify(nativeIds);
  db.pragma('secure_delete = on');
  const forget = db.transaction(() => {
    const sessions = db
      .prepare(
        'select id, message_count from session where agent = ? and native_id in (select value from json_each(?))',
      )
      .all(agent, ids) as { id: number; message_count: number }[];
    const writer = new TranscriptWriter(db);
    const bury = db.prepare(
      `insert into tombstone (agent, native_id, forgotten_at, project_hash, first_timestamp, last_timestamp)
      values (@agent, @nativeId, @forgottenAt, @projectHash, @first, @last) on conflict do nothing`,
    );
    for (const nativeId of nativeIds) bury.run({ forgottenAt, ...toGrave(db, { agent, nativeId }) });
    const ownLeaves = `leaf_hash in (
      select leaf_hash from leaf where session_id in (select value from json_each(?)))`;
    const sessionIds = JSON.stringify(sessions.map((session) => session.id));
    db.prepare(
      `insert into forgotten_leaf select distinct leaf_hash from summary where ${ownLeaves} on conflict do nothing`,
    ).run(sessionIds);
    db.prepare(`delete from summary where ${ownLeaves}`).run(sessionIds);
    for (const session of sessions) writer.deleteSession(session.id);
    for (const table of ['skipped_line', 'unknown_type']) {
      db.prepare(
        `delete from ${table} where transcript_id in (
          select id from transcript where ${ofAgent} and native_id in (select value from json_each(@ids)))`,
      ).run({ agent, ids });
    }
    for (const table of ['transcript', 'sidecar', 'hint']) {
      db.prepare(
        `delete from ${table} where ${ofAgent} and native_id in (select value from json_each(@ids))`,
      ).run({ agent, ids });
    }
    db.prepare(
      'delete from project where id not in (select project_id from session where project_id is not null)',
    ).run();
    saveTotals(db);
    return sessions;
  });
  const sessions = forget.immediate();
  const messages = sessions.reduce((sum, session) => sum + session.message_count, 0);
  return { nativeIds, sessions: sessions.length, messages };
}

/** With where and when it ran: older lines of history.jsonl name no session, only that. */
function toGrave(db: Database.Database, { agent, nativeId }: SessionKey) {
  const row = db
    .prepare(
      `select first_cwd as cwd, first_timestamp as first, last_timestamp as last from session
      where agent = ? and native_id = ? and kind <> 'history' order by last_timestamp desc limit 1`,
    )
    .get(agent, nativeId) as { cwd: string | null; first: string | null; last: string | null } | undefined;
  const projectHash = row?.cwd == null ? null : toProjectHash(row.cwd);
  return { agent, nativeId, projectHash, first: row?.first ?? null, last: row?.last ?? null };
}
