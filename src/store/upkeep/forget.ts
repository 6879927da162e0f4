// Removes the rows of a session and what was known of its files, and keeps them from coming back.

import { sql } from 'kysely';
import type { Database } from '../open/database.ts';
import type { Store } from '../open/open-store.ts';
import { all, anyOf, condition, first, query, run } from '../open/typed-query.ts';
import { isOfKind } from '../read/scope.ts';
import { toProjectHash } from '../write/recovery-writer.ts';
import { saveTotals } from '../write/settlement.ts';
import { TranscriptWriter } from '../write/transcript-writer.ts';

/** What a session is known by. */
export interface SessionKey {
  readonly agent: string;
  readonly nativeId: string;
}

export interface Forgotten {
  readonly nativeIds: readonly string[];
  /** What the names of their transcripts call them, where that is something else. */
  readonly namedIds: readonly string[];
  readonly sessions: number;
  readonly messages: number;
}

export type FindNamedId = (path: string) => string | null;

/** The session, its subagents, subagents of those, and histories saved before its compactions. */
export function findFamily({ db }: Store, { agent, nativeId }: SessionKey): string[] {
  const family = query
    .withRecursive('family(native_id)', (q) =>
      q.selectNoFrom(sql<string>`${nativeId}`.as('native_id')).union(
        q
          .selectFrom('family')
          .innerJoin('session', 'session.parent_native_id', 'family.native_id')
          .select('session.native_id')
          .where('session.agent', '=', agent)
          .where(condition(isOfKind('isChild', 'session.kind'))),
      ),
    )
    .selectFrom('family')
    .select('native_id');
  return all(db, family).map((row) => row.native_id);
}

/** Other sessions that hold entries of this one: forgetting it leaves their text. */
export function findCopies({ db }: Store, { agent, nativeId }: SessionKey): string[] {
  const copies = query
    .selectFrom('session as mine')
    .innerJoin('session as other', 'other.conversation_id', 'mine.conversation_id')
    .select('other.native_id')
    .distinct()
    .where('mine.agent', '=', agent)
    .where('mine.native_id', '=', nativeId)
    .whereRef('other.native_id', '<>', 'mine.native_id');
  return all(db, copies).map((row) => row.native_id);
}

/**
 * 1. With secure_delete on, SQLite overwrites what it deletes.
 * 2. The rows go, and tombstones keep the ids from coming back, in one transaction. Sessions that took something from them, a
 *    summary say, are left unsettled.
 *
 * `findNamedId` says which session a transcript holds by its path: whoever looks at paths only must not take it back either.
 */
export function forgetSession(
  store: Store,
  key: SessionKey,
  forgottenAt: string,
  findNamedId: FindNamedId = () => null,
): Forgotten {
  const { db } = store;
  const { agent } = key;
  const nativeIds = findFamily(store, key);
  const namedIds = readPaths(db, agent, nativeIds)
    .map(findNamedId)
    .filter((id) => id !== null && !nativeIds.includes(id)) as string[];
  db.pragma('secure_delete = on');
  const forget = db.transaction(() => {
    const sessions = all(
      db,
      query
        .selectFrom('session')
        .select(['id', 'message_count'])
        .where('agent', '=', agent)
        .where('native_id', 'in', anyOf(nativeIds)),
    );
    for (const nativeId of [...nativeIds, ...namedIds]) bury(db, { agent, nativeId }, forgottenAt);
    dropSummaries(
      db,
      sessions.map((session) => session.id),
    );
    const writer = new TranscriptWriter(db);
    for (const session of sessions) writer.deleteSession(session.id);
    dropFiles(db, agent, nativeIds);
    const used = query.selectFrom('session').select('project_id').where('project_id', 'is not', null);
    run(db, query.deleteFrom('project').where('id', 'not in', used));
    saveTotals(db);
    return sessions;
  });
  const sessions = forget.immediate();
  const messages = sessions.reduce((sum, session) => sum + session.message_count, 0);
  return { nativeIds, namedIds, sessions: sessions.length, messages };
}

function readPaths(db: Database, agent: string, nativeIds: readonly string[]): string[] {
  const paths = query
    .selectFrom('session')
    .innerJoin('transcript', 'transcript.id', 'session.transcript_id')
    .select('transcript.path')
    .where('session.agent', '=', agent)
    .where('session.native_id', 'in', anyOf(nativeIds));
  return all(db, paths).map((row) => row.path);
}

/** With where and when it ran: older lines of history.jsonl name no session, only that. */
function bury(db: Database, { agent, nativeId }: SessionKey, forgottenAt: string): void {
  const row = first(
    db,
    query
      .selectFrom('session')
      .select(['first_cwd', 'first_timestamp', 'last_timestamp'])
      .where('agent', '=', agent)
      .where('native_id', '=', nativeId)
      .where('kind', '<>', 'history')
      .orderBy('last_timestamp', 'desc')
      .limit(1),
  );
  const grave = {
    agent,
    native_id: nativeId,
    forgotten_at: forgottenAt,
    project_hash: row?.first_cwd == null ? null : toProjectHash(row.first_cwd),
    first_timestamp: row?.first_timestamp ?? null,
    last_timestamp: row?.last_timestamp ?? null,
  };
  run(
    db,
    query
      .insertInto('tombstone')
      .values(grave)
      .onConflict((on) => on.doNothing()),
  );
}

/** What other sessions say of these, now and when it is read again. */
function dropSummaries(db: Database, sessionIds: readonly number[]): void {
  const leaves = query.selectFrom('leaf').select('leaf_hash').where('session_id', 'in', anyOf(sessionIds));
  const summarised = query
    .selectFrom('summary')
    .select('leaf_hash')
    .distinct()
    .where('leaf_hash', 'in', leaves);
  run(
    db,
    query
      .insertInto('forgotten_leaf')
      .columns(['leaf_hash'])
      .expression(summarised)
      .onConflict((on) => on.doNothing()),
  );
  run(db, query.deleteFrom('summary').where('leaf_hash', 'in', leaves));
}

/** What is known of the files of these sessions, which are an agent's by their root. */
function dropFiles(db: Database, agent: string, nativeIds: readonly string[]): void {
  const roots = query.selectFrom('root').select('id').where('agent', '=', agent);
  const transcripts = query
    .selectFrom('transcript')
    .select('id')
    .where('root_id', 'in', roots)
    .where('native_id', 'in', anyOf(nativeIds));
  for (const table of ['skipped_line', 'unknown_type'] as const)
    run(db, query.deleteFrom(table).where('transcript_id', 'in', transcripts));
  for (const table of ['transcript', 'sidecar', 'hint'] as const)
    run(db, query.deleteFrom(table).where('root_id', 'in', roots).where('native_id', 'in', anyOf(nativeIds)));
}
