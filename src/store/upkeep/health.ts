// What doctor looks at: whether the file is sound, and what the index knows about the files it was made from.

import { statSync } from 'node:fs';
import { type SessionKind, sessionKinds } from '../../records.ts';
import { type Database, openDatabase } from '../open/database.ts';
import { migrate } from '../open/migrate.ts';
import type { Store } from '../open/open-store.ts';
import { readProjectSummaries } from '../read/activity.ts';
import { readScope } from '../read/scope.ts';
import { countSessions, type SessionTotals } from '../read/sessions.ts';
import { noFilters } from '../word-index.ts';
import { checkWords } from './words-index.ts';

export interface Health {
  readonly sizeBytes: number;
  readonly problems: readonly string[];
  readonly wordProblems: readonly string[];
  readonly files: { readonly known: number; readonly gone: number; readonly failed: number };
  readonly failures: readonly { readonly path: string; readonly reason: string }[];
  readonly counted: SessionTotals & { readonly projects: number };
  readonly held: Held;
  readonly skippedLines: number;
  readonly skipped: readonly { readonly path: string; readonly line: number; readonly reason: string }[];
  readonly unknownTypes: readonly {
    readonly type: string;
    readonly version: string;
    readonly count: number;
  }[];
  /** Transcripts that gave neither a message nor a tool call, while most of their lines were not understood. */
  readonly obscure: { readonly count: number; readonly paths: readonly string[] };
  readonly forgotten: number;
  readonly unsettled: number;
}

/** All that the index holds, of which `counted` is what a list has. */
export interface Held {
  readonly sessions: number;
  readonly messages: number;
  readonly kinds: Readonly<Record<string, number>>;
  /** What a list leaves out: further copies of a conversation, what belongs to another session, and what --all shows. */
  readonly copies: number;
  readonly subagents: number;
  readonly savedHistories: number;
  readonly hidden: number;
}

const maxExamples = 5;

const isObscure = `state = 'current' and is_machinery = 0 and kind <> 'history' and lines_read < 2 * (skipped_lines
    + (select coalesce(sum(count), 0) from unknown_type where transcript_id = transcript.id))
  and exists (select 1 from session
    where session.transcript_id = transcript.id and message_count = 0 and tool_call_count = 0)`;

export async function readHealth(store: Store): Promise<Health> {
  const { db } = store;
  const count = (sql: string) => Number(db.prepare(`select ${sql}`).pluck().get());
  const all = <Row>(sql: string) => db.prepare(sql).all() as Row[];
  const { sessions, messages } = countSessions(db);
  const located = "select root.path || '/' || transcript.path as path";
  const ofRoot = 'transcript join root on root.id = transcript.root_id';
  return {
    sizeBytes: statSync(store.path).size,
    problems: [...checkIntegrity(store), ...(await checkSchema(db))],
    wordProblems: checkWords(db),
    files: {
      known: count(`count(*) from ${ofRoot} where machine_id = 0`),
      gone: count(`count(*) from ${ofRoot} where state = 'gone' and machine_id = 0`),
      failed: count("count(*) from transcript where state = 'failed'"),
    },
    failures: all(
      `${located}, coalesce(error, '') as reason from ${ofRoot} where state = 'failed' limit ${maxExamples}`,
    ),
    counted: { sessions, messages, projects: readProjectSummaries(db, readScope(db, noFilters)).length },
    held: readHeld(db, sessions),
    skippedLines: count('coalesce(sum(skipped_lines), 0) from transcript'),
    skipped: all(
      `${located}, line, reason from ${ofRoot} join skipped_line on skipped_line.transcript_id = transcript.id
      order by mtime_ms desc, line limit ${maxExamples}`,
    ),
    unknownTypes: all(
      `select type, version, sum(count) as count from unknown_type group by type, version
      order by count desc, type, version`,
    ),
    obscure: {
      count: count(`count(*) from transcript where ${isObscure}`),
      paths: all<{ path: string }>(
        `${located} from ${ofRoot} where ${isObscure} order by mtime_ms desc limit ${maxExamples}`,
      ).map(({ path }) => path),
    },
    forgotten: count('count(*) from tombstone'),
    unsettled: count('count(*) from session where is_unsettled = 1'),
  };
}

function readHeld(db: Database, counted: number): Held {
  const rows = db
    .prepare('select kind, is_hidden as isHidden, count(*) as count from session group by 1, 2')
    .all();
  const held = rows as { readonly kind: SessionKind; readonly isHidden: number; readonly count: number }[];
  const sum = (of: typeof held) => of.reduce((total, { count }) => total + count, 0);
  const shown = held.filter(({ isHidden }) => isHidden === 0);
  const kinds = [...new Set(held.map(({ kind }) => kind))];
  return {
    sessions: sum(held),
    messages: Number(db.prepare('select count(*) from message').pluck().get()),
    kinds: Object.fromEntries(kinds.map((kind) => [kind, sum(held.filter((row) => row.kind === kind))])),
    copies: sum(shown.filter(({ kind }) => sessionKinds[kind].isListed)) - counted,
    subagents: sum(shown.filter(({ kind }) => kind === 'subagent')),
    savedHistories: sum(shown.filter(({ kind }) => kind === 'precompact')),
    hidden: sum(held) - sum(shown),
  };
}

function checkIntegrity(store: Store): string[] {
  try {
    const rows = store.db.pragma('integrity_check(10)') as { integrity_check: string }[];
    return rows.map((row) => row.integrity_check).filter((line) => line !== 'ok' && !/fts5/i.test(line));
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

export interface ExpiringSession {
  readonly id: string;
  readonly title: string | null;
  readonly deletedAt: string;
}

interface ExpiryRequest {
  readonly root: string;
  /** After how many days its agent deletes a transcript. */
  readonly cleanupDays: number;
  readonly nowMs: number;
  readonly withinDays: number;
}

/** Main sessions of one root whose file its agent will delete within so many days, the soonest first. */
export function readExpiring(
  store: Store,
  { root, cleanupDays, nowMs, withinDays }: ExpiryRequest,
): ExpiringSession[] {
  const dayMs = 86_400_000;
  const old = store.db
    .prepare(
      `select session.native_id, session.title, transcript.mtime_ms
      from transcript join root on root.id = transcript.root_id
      join session on session.transcript_id = transcript.id
      where root.path = @root and transcript.state = 'current' and session.kind = 'main' and session.is_empty = 0
        and transcript.mtime_ms between 0 and @before
      order by transcript.mtime_ms`,
    )
    .raw()
    .all({ root, before: nowMs + (withinDays - cleanupDays) * dayMs });
  return (old as [string, string | null, number][]).map(([id, title, mtimeMs]) => {
    return { id, title, deletedAt: new Date(mtimeMs + cleanupDays * dayMs).toISOString() };
  });
}

/** What differs from a new index, since SQLite's own check does not look at names and columns; empty when nothing does. */
async function checkSchema(db: Database): Promise<string[]> {
  const fresh = openDatabase(':memory:');
  try {
    await migrate(fresh);
    const here = readSchema(db);
    return [...readSchema(fresh)]
      .filter(([name, sql]) => here.get(name) !== sql)
      .map(([name]) => `the definition of ${name} is not as it was made`);
  } finally {
    fresh.close();
  }
}

function readSchema(db: Database): Map<string, string | null> {
  const rows = db.prepare("select name, sql from sqlite_schema where name not like 'sqlite_%'").raw().all();
  return new Map(rows as [string, string | null][]);
}
