// Removes the rows of a session and what was known of its files, and keeps them from coming back.

import type Database from 'better-sqlite3';
import type { Store } from '../open/open-store.ts';
import { saveTotals } from '../read/totals.ts';
import { toProjectHash } from '../write/project-hash.ts';
import { TranscriptWriter } from '../write/transcript-writer.ts';

export interface Forgotten {
  readonly claudeIds: readonly string[];
  readonly sessions: number;
  readonly messages: number;
}

/** The session, its agents, agents of those, and histories saved before its compactions. */
export function findFamily(store: Store, claudeId: string): string[] {
  const rows = store.db
    .prepare(
      `with recursive family (claude_id) as (
        values (?)
        union
        select session.claude_id from family join session on session.parent_claude_id = family.claude_id
        where session.kind in ('agent', 'precompact'))
      select claude_id from family`,
    )
    .all(claudeId) as { claude_id: string }[];
  return rows.map((row) => row.claude_id);
}

/** Other sessions that hold entries of this one: forgetting it leaves their text. */
export function findCopies(store: Store, claudeId: string): string[] {
  const rows = store.db
    .prepare(
      `select distinct other.claude_id from session mine
      join session other on other.conversation_id = mine.conversation_id and other.claude_id <> mine.claude_id
      where mine.claude_id = ? and mine.conversation_id is not null`,
    )
    .all(claudeId) as { claude_id: string }[];
  return rows.map((row) => row.claude_id);
}

/**
 * 1. With secure_delete on, SQLite overwrites what it deletes.
 * 2. The rows go, and tombstones keep the ids from coming back, in one transaction. Sessions that took something from them, a
 *    summary say, are left unsettled.
 */
export function forgetSession(store: Store, claudeId: string, forgottenAt: string): Forgotten {
  const { db } = store;
  const claudeIds = findFamily(store, claudeId);
  const ids = JSON.stringify(claudeIds);
  db.pragma('secure_delete = on');
  const forget = db.transaction(() => {
    const sessions = db
      .prepare('select id, message_count from session where claude_id in (select value from json_each(?))')
      .all(ids) as { id: number; message_count: number }[];
    const writer = new TranscriptWriter(db);
    const bury = db.prepare(
      `insert into tombstone (claude_id, forgotten_at, project_hash, first_timestamp, last_timestamp)
      values (@claudeId, @forgottenAt, @projectHash, @first, @last) on conflict do nothing`,
    );
    for (const claudeId of claudeIds) bury.run({ forgottenAt, ...toGrave(db, claudeId) });
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
          select id from transcript where claude_id in (select value from json_each(?)))`,
      ).run(ids);
    }
    for (const table of ['transcript', 'sidecar', 'hint']) {
      db.prepare(`delete from ${table} where claude_id in (select value from json_each(?))`).run(ids);
    }
    db.prepare(
      'delete from project where id not in (select project_id from session where project_id is not null)',
    ).run();
    saveTotals(db);
    return sessions;
  });
  const sessions = forget.immediate();
  const messages = sessions.reduce((sum, session) => sum + session.message_count, 0);
  return { claudeIds, sessions: sessions.length, messages };
}

/** With where and when it ran: older lines of history.jsonl name no session, only that. */
function toGrave(db: Database.Database, claudeId: string) {
  const row = db
    .prepare(
      `select first_cwd as cwd, first_timestamp as first, last_timestamp as last from session
      where claude_id = ? and kind <> 'history' order by last_timestamp desc limit 1`,
    )
    .get(claudeId) as { cwd: string | null; first: string | null; last: string | null } | undefined;
  const projectHash = row?.cwd == null ? null : toProjectHash(row.cwd);
  return { claudeId, projectHash, first: row?.first ?? null, last: row?.last ?? null };
}
