// What doctor looks at: whether the file is sound, and what the index knows about the files it was made from.

import { statSync } from 'node:fs';
import type { Compilable } from 'kysely';
import { type Database, openDatabase } from '../open/database.ts';
import { migrate } from '../open/migrate.ts';
import type { Store } from '../open/open-store.ts';
import { all, first, query } from '../open/typed-query.ts';
import type { TranscriptState } from '../schema.ts';
import { checkWords } from './words-index.ts';

interface SkippedExample {
  readonly path: string;
  readonly line: number;
  readonly reason: string;
}

interface UnknownTypeCount {
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

export async function readHealth(store: Store): Promise<Health> {
  const { db } = store;
  const countOf = (built: Compilable<{ n: number }>) => first(db, built)?.n ?? 0;
  const count = (table: 'transcript' | 'message' | 'tombstone') =>
    query.selectFrom(table).select((q) => q.fn.countAll<number>().as('n'));
  const inState = (state: TranscriptState) =>
    query
      .selectFrom('transcript')
      .select((q) => q.fn.countAll<number>().as('n'))
      .where('state', '=', state);
  const unsettled = query
    .selectFrom('session')
    .select((q) => q.fn.countAll<number>().as('n'))
    .where('is_unsettled', '=', 1);
  const located = query
    .selectFrom('transcript')
    .innerJoin('root', 'root.id', 'transcript.root_id')
    .select((q) => q.fn<string>('concat', ['root.path', q.val('/'), 'transcript.path']).as('path'));
  const byKind = query
    .selectFrom('session')
    .select((q) => ['kind', q.fn.countAll<number>().as('n')])
    .groupBy('kind');
  const failures = located
    .select((q) => q.fn.coalesce('transcript.error', q.val('')).as('reason'))
    .where('state', '=', 'failed')
    .limit(maxExamples);
  const skippedLines = query
    .selectFrom('transcript')
    .select((q) => q.fn.coalesce(q.fn.sum<number>('skipped_lines'), q.lit(0)).as('n'));
  const skipped = located
    .innerJoin('skipped_line', 'skipped_line.transcript_id', 'transcript.id')
    .select(['line', 'reason'])
    .orderBy('transcript.mtime_ms', 'desc')
    .orderBy('line')
    .limit(maxExamples);
  const unknownTypes = query
    .selectFrom('unknown_type')
    .select((q) => ['type', 'version', q.fn.sum<number>('count').as('count')])
    .groupBy(['type', 'version'])
    .orderBy('count', 'desc')
    .orderBy('type')
    .orderBy('version');
  return {
    sizeBytes: statSync(store.path).size,
    problems: [...checkIntegrity(store), ...(await checkSchema(db))],
    wordProblems: checkWords(db),
    files: {
      known: countOf(count('transcript')),
      gone: countOf(inState('gone')),
      failed: countOf(inState('failed')),
    },
    failures: all(db, failures),
    sessions: Object.fromEntries(all(db, byKind).map(({ kind, n }) => [kind, n])),
    messages: countOf(count('message')),
    skippedLines: countOf(skippedLines),
    skipped: all(db, skipped),
    unknownTypes: all(db, unknownTypes),
    forgotten: countOf(count('tombstone')),
    unsettled: countOf(unsettled),
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

/** Main sessions of one root whose file its program will delete within so many days, the soonest first. */
export function readExpiring(
  store: Store,
  root: string,
  cleanupDays: number,
  nowMs: number,
  withinDays: number,
): ExpiringSession[] {
  const dayMs = 86_400_000;
  const old = query
    .selectFrom('transcript')
    .innerJoin('root', 'root.id', 'transcript.root_id')
    .innerJoin('session', 'session.transcript_id', 'transcript.id')
    .select(['session.native_id as id', 'session.title', 'transcript.mtime_ms as mtimeMs'])
    .where('root.path', '=', root)
    .where('transcript.state', '=', 'current')
    .where('session.kind', '=', 'main')
    .where('session.is_empty', '=', 0)
    .where((q) => q.between('transcript.mtime_ms', 0, nowMs + (withinDays - cleanupDays) * dayMs))
    .orderBy('transcript.mtime_ms');
  return all(store.db, old).map(({ id, title, mtimeMs }) => ({
    id,
    title,
    deletedAt: new Date(mtimeMs + cleanupDays * dayMs).toISOString(),
  }));
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
