// Reads and writes for sessions recovered without a transcript. Prepared SQL, because history.jsonl grows with every prompt,
// so the refresh before most searches comes here.

import { createHash } from 'node:crypto';
import { maxSeq } from '../../records.ts';
import type { Database } from '../open/database.ts';
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

/** Where the next prompts of a session go. */
export class PromptPlaces {
  private readonly keys: Set<string>;
  private lastSeq: number;

  constructor(prompts: readonly Prompt[]) {
    this.keys = new Set(prompts.map(({ timestamp, text }) => toKey(timestamp, text)));
    this.lastSeq = prompts.reduce((last, { seq }) => Math.max(last, seq), 0);
  }

  /** Null when the session has this prompt already. */
  take(timestamp: string | null, text: string): number | null {
    const key = toKey(timestamp, text);
    if (this.keys.has(key) || this.lastSeq >= maxSeq) return null;
    this.keys.add(key);
    this.lastSeq++;
    return this.lastSeq;
  }
}

function toKey(timestamp: string | null, text: string): string {
  return `${timestamp}\n${text}`;
}

/** A prompt is written to the history a moment before or after its session. */
const slackMs = 60_000;

export class RecoveryWriter {
  private readonly agent: string;
  private readonly sql: ReturnType<typeof prepareStatements>;
  private readonly spans = new Map<string, Span[]>();

  /** For sessions of this agent. */
  constructor(db: Database, agent: string) {
    this.agent = agent;
    this.sql = prepareStatements(db);
  }

  findHintsWithoutSession(rootId: number): LostSession[] {
    return this.sql.hintsWithoutSession.all({ rootId, agent: this.agent }) as LostSession[];
  }

  /** Whether a session of this id was ever read from a transcript, which then holds its prompts. */
  hasTranscript(nativeId: string): boolean {
    return this.sql.withTranscript.get(this.agent, nativeId) !== undefined;
  }

  /** Whether a session with a transcript, or a forgotten one, ran in this project at this time. */
  isCovered(project: string, timestamp: string): boolean {
    let spans = this.spans.get(project);
    if (spans === undefined) {
      const rows = this.sql.spans.all({
        agent: this.agent,
        project,
        projectHash: toProjectHash(project),
      }) as SpanRow[];
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
    return (this.sql.recovered.get(this.agent, nativeId) as { id: number } | undefined)?.id;
  }

  readPlaces(sessionId: number): PromptPlaces {
    return new PromptPlaces(this.sql.prompts.all({ sessionId }) as Prompt[]);
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

function prepareStatements(db: Database) {
  return {
    hintsWithoutSession: db.prepare(`
      select native_id as nativeId, min(slug) as slug from hint
      where root_id = @rootId and coalesce(first_prompt, summary) is not null
        and not exists (select 1 from session where session.agent = @agent and session.native_id = hint.native_id)
      group by native_id`),
    withTranscript: db.prepare(
      "select 1 from session where agent = ? and native_id = ? and kind <> 'history' limit 1",
    ),
    spans: db.prepare(`
      select first_timestamp as first, last_timestamp as last from session
      where agent = @agent and first_cwd = @project and kind <> 'history' and first_timestamp is not null
      union all
      select first_timestamp, last_timestamp from tombstone
      where agent = @agent and project_hash = @projectHash and first_timestamp is not null`),
    recovered: db.prepare("select id from session where agent = ? and native_id = ? and kind = 'history'"),
    prompts: db.prepare(`select seq, timestamp, text from message where ${isMessageOf('@sessionId')}`),
    markGone: db.prepare('update session set is_gone = 1 where id = ?'),
  };
}
