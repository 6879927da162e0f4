// Reads and writes for sessions recovered without a transcript. Prepared SQL, because history.jsonl grows with every prompt,
// so the refresh before most searches comes here.

import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import { maxSeq } from '../../records.ts';
import { isMessageOf } from '../row-ids.ts';

export interface LostSession {
  readonly nativeId: string;
  readonly slug: string;
}

interface SpanRow {
  readonly first: string;
  readonly last: string | null;
}

interface Span {
  readonly fromMs: number;
  toMs: number;
}

interface Prompt {
  readonly seq: number;
  readonly timestamp: string | null;
  readonly text: string;
}

interface HeldPrompts {
  readonly keys: Set<string>;
  lastSeq: number;
}

/** Few sessions are open at the same time, so their lines alternate. */
const maxSessionsHeld = 50;

/** A prompt is written to the history a moment before or after its session. */
const slackMs = 60_000;

export class RecoveryWriter {
  private readonly sql: ReturnType<typeof prepareStatements>;
  private readonly spans = new Map<string, Span[]>();
  private readonly prompts = new Map<number, HeldPrompts>();

  constructor(db: Database.Database) {
    this.sql = prepareStatements(db);
  }

  findHintsWithoutSession(rootId: number): LostSession[] {
    return this.sql.hintsWithoutSession.all(rootId) as LostSession[];
  }

  /** Whether a session of this id was ever read from a transcript, which then holds its prompts. */
  hasTranscript(nativeId: string): boolean {
    return this.sql.withTranscript.get(nativeId) !== undefined;
  }

  /** Whether a session with a transcript, or a forgotten one, ran in this project at this time. */
  isCovered(project: string, timestamp: string): boolean {
    let spans = this.spans.get(project);
    if (spans === undefined) {
      const rows = this.sql.spans.all({ project, projectHash: toProjectHash(project) }) as SpanRow[];
      spans = joinSpans(rows);
      this.spans.set(project, spans);
    }
    const at = Date.parse(timestamp);
    // The last that starts before: they do not overlap, so no other can reach as far.
    let [low, high] = [0, spans.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((spans[middle]?.fromMs ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return at <= (spans[low - 1]?.toMs ?? Number.NEGATIVE_INFINITY);
  }

  findRecovered(nativeId: string): number | undefined {
    return (this.sql.recovered.get(nativeId) as { id: number } | undefined)?.id;
  }

  /** Where to put a prompt that is new to its session; null when the session has it already. */
  takePlace(sessionId: number, timestamp: string | null, text: string): number | null {
    const held = this.promptsOf(sessionId);
    const key = `${timestamp}\n${text}`;
    if (held.keys.has(key) || held.lastSeq >= maxSeq) return null;
    held.keys.add(key);
    held.lastSeq++;
    return held.lastSeq;
  }

  /** Read once: looking through all prompts of a session for each of its prompts took minutes for a long one. */
  private promptsOf(sessionId: number): HeldPrompts {
    let held = this.prompts.get(sessionId);
    if (held === undefined) {
      const rows = this.sql.prompts.all({ sessionId }) as Prompt[];
      held = {
        keys: new Set(rows.map(({ timestamp, text }) => `${timestamp}\n${text}`)),
        lastSeq: rows.reduce((last, { seq }) => Math.max(last, seq), 0),
      };
      if (this.prompts.size >= maxSessionsHeld) this.prompts.clear();
      this.prompts.set(sessionId, held);
    }
    return held;
  }

  markGone(sessionId: number): void {
    this.sql.markGone.run(sessionId);
  }
}

/** In order and without overlaps, with the slack on both sides. */
function joinSpans(rows: readonly SpanRow[]): Span[] {
  const spans = rows
    .map(({ first, last }) => ({
      fromMs: Date.parse(first) - slackMs,
      toMs: Date.parse(last ?? '') + slackMs,
    }))
    .filter(({ fromMs, toMs }) => fromMs <= toMs)
    .sort((a, b) => a.fromMs - b.fromMs);
  const joined: Span[] = [];
  for (const span of spans) {
    const before = joined.at(-1);
    if (before === undefined || span.fromMs > before.toMs) joined.push(span);
    else before.toMs = Math.max(before.toMs, span.toMs);
  }
  return joined;
}

/** A project's path where only its sameness matters: a forgotten session must not be named by its directory either. */
export function toProjectHash(path: string): string {
  return createHash('sha1').update(path).digest('hex').slice(0, 16);
}

function prepareStatements(db: Database.Database) {
  return {
    hintsWithoutSession: db.prepare(`
      select native_id as nativeId, min(slug) as slug from hint
      where root_id = ? and not exists (select 1 from session where session.native_id = hint.native_id)
      group by native_id`),
    withTranscript: db.prepare("select 1 from session where native_id = ? and kind <> 'history' limit 1"),
    spans: db.prepare(`
      select first_timestamp as first, last_timestamp as last from session
      where first_cwd = @project and kind <> 'history' and first_timestamp is not null
      union all
      select first_timestamp, last_timestamp from tombstone where project_hash = @projectHash and first_timestamp is not null`),
    recovered: db.prepare("select id from session where native_id = ? and kind = 'history'"),
    prompts: db.prepare(`select seq, timestamp, text from message where ${isMessageOf('@sessionId')}`),
    markGone: db.prepare('update session set is_gone = 1 where id = ?'),
  };
}
