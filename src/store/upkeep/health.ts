// What doctor looks at: whether the file is sound, and what the index knows about the files it was made from.

import { statSync } from 'node:fs';
import { type Database, openDatabase } from '../open/database.ts';
import { migrate } from '../open/migrate.ts';
import type { Store } from '../open/open-store.ts';
import { checkWords } from './words-index.ts';

export interface Health {
  readonly sizeBytes: number;
  readonly problems: readonly string[];
  readonly wordProblems: readonly string[];
  readonly files: { readonly known: number; readonly gone: number; readonly failed: number };
  readonly failures: readonly { readonly path: string; readonly reason: string }[];
  readonly sessions: Readonly<Record<string, number>>;
  readonly messages: number;
  readonly skippedLines: number;
  readonly skipped: readonly { readonly path: string; readonly line: number; readonly reason: string }[];
  readonly unknownTypes: readonly {
    readonly type: string;
    readonly version: string;
    readonly count: number;
  }[];
  readonly forgotten: number;
  readonly unsettled: number;
}

const maxExamples = 5;

export async function readHealth(store: Store): Promise<Health> {
  const { db } = store;
  const count = (sql: string) => Number(db.prepare(`select ${sql}`).pluck().get());
  const all = <Row>(sql: string) => db.prepare(sql).all() as Row[];
  const located = "select root.path || '/' || transcript.path as path";
  const ofRoot = 'transcript join root on root.id = transcript.root_id';
  return {
    sizeBytes: statSync(store.path).size,
    problems: [...checkIntegrity(store), ...(await checkSchema(db))],
    wordProblems: checkWords(db),
    files: {
      known: count('count(*) from transcript'),
      gone: count("count(*) from transcript where state = 'gone'"),
      failed: count("count(*) from transcript where state = 'failed'"),
    },
    failures: all(
      `${located}, coalesce(error, '') as reason from ${ofRoot} where state = 'failed' limit ${maxExamples}`,
    ),
    sessions: Object.fromEntries(
      db.prepare('select kind, count(*) from session group by kind').raw().all() as [string, number][],
    ),
    messages: count('count(*) from message'),
    skippedLines: count('coalesce(sum(skipped_lines), 0) from transcript'),
    skipped: all(
      `${located}, line, reason from ${ofRoot} join skipped_line on skipped_line.transcript_id = transcript.id
      order by mtime_ms desc, line limit ${maxExamples}`,
    ),
    unknownTypes: all(
      `select type, version, sum(count) as count from unknown_type group by type, version
      order by count desc, type, version`,
    ),
    forgotten: count('count(*) from tombstone'),
    unsettled: count('count(*) from session where is_unsettled = 1'),
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
