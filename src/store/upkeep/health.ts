// What doctor looks at: whether the file is sound, and what the index knows about the files it was made from.

import { statSync } from 'node:fs';
import type { Store } from '../open/open-store.ts';
import { openQuery } from '../open/typed-query.ts';
import type { TranscriptState } from '../schema.ts';
import { checkSchema } from './check-schema.ts';
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

export async function readHealth(store: Store): Promise<Health> {
  const query = await openQuery(store);
  const countOf = async (table: 'transcript' | 'message' | 'tombstone') =>
    Number(
      (
        await query
          .selectFrom(table)
          .select((q) => q.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    );
  const inState = async (state: TranscriptState) => {
    const found = query
      .selectFrom('transcript')
      .select((q) => q.fn.countAll<number>().as('n'))
      .where('state', '=', state);
    return Number((await found.executeTakeFirstOrThrow()).n);
  };
  const located = query
    .selectFrom('transcript')
    .innerJoin('root', 'root.id', 'transcript.root_id')
    .select((q) => q.fn<string>('concat', ['root.path', q.val('/'), 'transcript.path']).as('path'));
  const byKind = await query
    .selectFrom('session')
    .select(['kind'])
    .select((q) => q.fn.countAll<number>().as('n'))
    .groupBy('kind')
    .execute();
  const skipped = await query
    .selectFrom('transcript')
    .select((q) => q.fn.sum<number | null>('skipped_lines').as('n'))
    .executeTakeFirstOrThrow();
  const unsettled = query
    .selectFrom('session')
    .select((q) => q.fn.countAll<number>().as('n'))
    .where('is_unsettled', '=', 1);
  return {
    sizeBytes: statSync(store.path).size,
    problems: [...checkIntegrity(store), ...(await checkSchema(store.db))],
    wordProblems: checkWords(store.db),
    files: {
      known: await countOf('transcript'),
      gone: await inState('gone'),
      failed: await inState('failed'),
    },
    failures: await located
      .select((q) => q.fn.coalesce('transcript.error', q.val('')).as('reason'))
      .where('state', '=', 'failed')
      .limit(maxExamples)
      .execute(),
    sessions: Object.fromEntries(byKind.map(({ kind, n }) => [kind, n])),
    messages: await countOf('message'),
    skippedLines: skipped.n ?? 0,
    skipped: await located
      .innerJoin('skipped_line', 'skipped_line.transcript_id', 'transcript.id')
      .select(['line', 'reason'])
      .orderBy('transcript.mtime_ms', 'desc')
      .orderBy('line')
      .limit(maxExamples)
      .execute(),
    unknownTypes: await query
      .selectFrom('unknown_type')
      .select((q) => ['type', 'version', q.fn.sum<number>('count').as('count')])
      .groupBy(['type', 'version'])
      .orderBy('count', 'desc')
      .orderBy('type')
      .orderBy('version')
      .execute(),
    forgotten: await countOf('tombstone'),
    unsettled: Number((await unsettled.executeTakeFirstOrThrow()).n),
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

/** Main sessions of one root whose file Claude Code will delete within so many days, the soonest first. */
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
      `select session.native_id as id, session.title, transcript.mtime_ms as mtimeMs
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
