// What doctor looks at: whether the file is sound, and what the index knows about the files it was made from.

import { statSync } from 'node:fs';
import type { Store } from './open-store.ts';
import { checkWords } from './words-index.ts';

export interface SkippedExample {
  readonly path: string;
  readonly line: number;
  readonly reason: string;
}

export interface UnknownTypeCount {
  readonly type: string;
  readonly version: string;
  readonly count: number;
}

export interface ExpiringSession {
  readonly id: string;
  readonly title: string | null;
  readonly deletedAt: string;
}

export interface Health {
  readonly sizeBytes: number;
  readonly problems: readonly string[];
  readonly wordProblems: readonly string[];
  readonly files: { readonly known: number; readonly gone: number; readonly failed: number };
  readonly failures: readonly { readonly path: string; readonly reason: string }[];
  readonly sessions: Readonly<Record<string, number>>;
  readonly messages: number;
  readonly skippedLines: number;
  readonly skipped: readonly SkippedExample[];
  readonly unknownTypes: readonly UnknownTypeCount[];
  readonly forgotten: number;
  readonly unsettled: number;
}

const maxExamples = 5;
const path = "root.path || '/' || transcript.path as path";

export function readHealth(store: Store): Health {
  const { db } = store;
  const all = <T>(sql: string) => db.prepare(sql).all() as T[];
  const count = (sql: string) => Number(db.prepare(sql).pluck().get());
  const inTranscripts = 'from transcript join root on root.id = transcript.root_id';
  return {
    sizeBytes: statSync(store.path).size,
    problems: checkIntegrity(store),
    wordProblems: checkWords(db),
    files: {
      known: count('select count(*) from transcript'),
      gone: count("select count(*) from transcript where state = 'gone'"),
      failed: count("select count(*) from transcript where state = 'failed'"),
    },
    failures: all(
      `select ${path}, error as reason ${inTranscripts} where state = 'failed' limit ${maxExamples}`,
    ),
    sessions: Object.fromEntries(
      all<{ kind: string; n: number }>('select kind, count(*) as n from session group by kind').map((row) => [
        row.kind,
        row.n,
      ]),
    ),
    messages: count('select count(*) from message'),
    skippedLines: count('select coalesce(sum(skipped_lines), 0) from transcript'),
    skipped: all(
      `select ${path}, line, reason ${inTranscripts} join skipped_line on transcript_id = transcript.id
      order by transcript.mtime_ms desc, line limit ${maxExamples}`,
    ),
    unknownTypes: all(
      `select type, version, sum(count) as count from unknown_type group by type, version order by count desc, type, version`,
    ),
    forgotten: count('select count(*) from tombstone'),
    unsettled: count('select count(*) from session where is_unsettled = 1'),
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

/** Main sessions of one root whose file Claude Code will delete between now and `before`, the soonest first. */
export function readExpiring(
  store: Store,
  root: string,
  cleanupDays: number,
  nowMs: number,
  withinDays: number,
): ExpiringSession[] {
  const dayMs = 86_400_000;
  const rows = store.db
    .prepare(
      `select session.claude_id as id, session.title, transcript.mtime_ms as mtimeMs
      from transcript join root on root.id = transcript.root_id join session on session.transcript_id = transcript.id
      where root.path = ? and transcript.state = 'current' and session.kind = 'main' and session.is_empty = 0
        and transcript.mtime_ms between 0 and ?
      order by transcript.mtime_ms`,
    )
    .all(root, nowMs + (withinDays - cleanupDays) * dayMs) as {
    id: string;
    title: string | null;
    mtimeMs: number;
  }[];
  return rows.map(({ id, title, mtimeMs }) => ({
    id,
    title,
    deletedAt: new Date(mtimeMs + cleanupDays * dayMs).toISOString(),
  }));
}
