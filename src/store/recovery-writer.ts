// Reads and writes for sessions recovered without a transcript.

import type Database from 'better-sqlite3';
import { toProjectHash } from './project-hash.ts';
import { isMessageOf } from './row-ids.ts';

export interface LostSession {
  readonly claudeId: string;
  readonly slug: string;
}

interface Span {
  readonly first: string;
  readonly last: string;
}

/** A prompt is written to the history a moment before or after its session. */
const slackMs = 60_000;

export class RecoveryWriter {
  private readonly sql: ReturnType<typeof prepareStatements>;
  private readonly spans = new Map<string, Span[]>();

  constructor(db: Database.Database) {
    this.sql = prepareStatements(db);
  }

  findHintsWithoutSession(rootId: number): LostSession[] {
    return this.sql.hintsWithoutSession.all(rootId) as LostSession[];
  }

  /** Whether a session of this id was ever read from a transcript, which then holds its prompts. */
  hasTranscript(claudeId: string): boolean {
    return this.sql.withTranscript.get(claudeId) !== undefined;
  }

  /** Whether a session with a transcript, or a forgotten one, ran in this project at this time. */
  isCovered(project: string, timestamp: string): boolean {
    let spans = this.spans.get(project);
    if (spans === undefined) {
      spans = this.sql.spans.all({ project, projectHash: toProjectHash(project) }) as Span[];
      this.spans.set(project, spans);
    }
    const at = Date.parse(timestamp);
    return spans.some(
      (span) => Date.parse(span.first) <= at + slackMs && Date.parse(span.last) >= at - slackMs,
    );
  }

  findRecovered(claudeId: string): number | undefined {
    return (this.sql.recovered.get(claudeId) as { id: number } | undefined)?.id;
  }

  hasPrompt(sessionId: number, timestamp: string | null, text: string): boolean {
    return this.sql.prompt.get({ sessionId, timestamp, text }) !== undefined;
  }

  nextSeq(sessionId: number): number {
    return (this.sql.nextSeq.get({ sessionId }) as { seq: number }).seq;
  }

  markGone(sessionId: number): void {
    this.sql.markGone.run(sessionId);
  }
}

function prepareStatements(db: Database.Database) {
  return {
    hintsWithoutSession: db.prepare(`
      select claude_id as claudeId, min(slug) as slug from hint
      where root_id = ? and not exists (select 1 from session where session.claude_id = hint.claude_id)
      group by claude_id`),
    withTranscript: db.prepare("select 1 from session where claude_id = ? and kind <> 'history' limit 1"),
    spans: db.prepare(`
      select first_timestamp as first, last_timestamp as last from session
      where first_cwd = @project and kind <> 'history' and first_timestamp is not null
      union all
      select first_timestamp, last_timestamp from tombstone where project_hash = @projectHash and first_timestamp is not null`),
    recovered: db.prepare("select id from session where claude_id = ? and kind = 'history'"),
    prompt: db.prepare(`
      select 1 from message where ${isMessageOf('@sessionId')} and timestamp is @timestamp and text = @text`),
    nextSeq: db.prepare(`
      select coalesce(max(seq), 0) + 1 as seq from message where ${isMessageOf('@sessionId')}`),
    markGone: db.prepare('update session set is_gone = 1 where id = ?'),
  };
}
