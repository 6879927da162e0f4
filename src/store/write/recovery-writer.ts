// What is known of sessions from elsewhere than their transcripts: the prompt history and the small files beside transcripts.
// Prepared SQL, because history.jsonl grows with every prompt, so the refresh before most searches comes here.

import { createHash } from 'node:crypto';
import { maxSeq, type SessionHint, type SidecarFacts, type SidecarFile } from '../../records.ts';
import { type Database, type Prepared, prepareAll } from '../open/database.ts';
import { isMessageOf } from '../row-ids.ts';
import type { MessageTable } from '../schema.ts';

interface Span {
  readonly fromMs: number;
  toMs: number;
}

/** A prompt is written to the history a moment before or after its session. */
export const slackMs = 60_000;

const recoverySql = {
  hintsWithoutSession: `
    select native_id as nativeId, min(slug) as slug from hint
    where root_id = @rootId and coalesce(first_prompt, summary) is not null
      and not exists (select 1 from session where session.agent = @agent and session.native_id = hint.native_id)
    group by native_id`,
  withTranscript: "select 1 from session where agent = ? and native_id = ? and kind <> 'history' limit 1",
  spans: `
    select first_timestamp as first, last_timestamp as last from session
    where agent = @agent and first_cwd = @project and kind <> 'history' and first_timestamp is not null
    union all
    select first_timestamp, last_timestamp from tombstone
    where agent = @agent and project_hash = @projectHash and first_timestamp is not null`,
  recovered: "select id from session where agent = ? and native_id = ? and kind = 'history'",
  prompts: `select seq, timestamp, text from message where ${isMessageOf('@sessionId')}`,
  lastSaved: `
    select max(max(coalesce(last_timestamp, ''),
      coalesce((select max(timestamp) from message where ${isMessageOf('session.id', 'message.id')}), '')))
    from session where agent = ? and native_id = ? and kind = 'main' and is_gone = 0`,
  markDeleted: 'update session set is_gone = 1 where id = ?',
} as const;

export class RecoveryWriter {
  private readonly agent: string;
  private readonly sql: Prepared<typeof recoverySql>;
  private readonly spans = new Map<string, Span[]>();

  constructor(db: Database, agent: string) {
    this.agent = agent;
    this.sql = prepareAll(db, recoverySql);
  }

  findHintsWithoutSession(rootId: number) {
    const found = this.sql.hintsWithoutSession.all({ rootId, agent: this.agent });
    return found as { readonly nativeId: string; readonly slug: string }[];
  }

  /** Whether a session of this id was ever read from a transcript, which then holds its prompts. */
  hasTranscript(nativeId: string): boolean {
    return this.sql.withTranscript.get(this.agent, nativeId) !== undefined;
  }

  /** Whether a session with a transcript, or a forgotten one, ran in this project at this time. */
  isCovered(project: string, timestamp: string): boolean {
    let spans = this.spans.get(project);
    if (spans === undefined) {
      const where = { agent: this.agent, project, projectHash: toProjectHash(project) };
      spans = joinSpans(this.sql.spans.all(where) as SpanRow[]);
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

  /** The newest time in the transcripts of a session; null where it has none, or they have no times. */
  findLastSaved(nativeId: string): string | null {
    return (this.sql.lastSaved.pluck().get(this.agent, nativeId) as string | null) || null;
  }

  /** A function that gives each further prompt of a session its line; null when the session has it already. */
  placePrompts(sessionId: number): (timestamp: string | null, text: string) => number | null {
    const toKey = (timestamp: string | null, text: string) => `${timestamp}\n${text}`;
    const keys = new Set<string>();
    let lastSeq = 0;
    for (const { seq, timestamp, text } of this.sql.prompts.all({ sessionId }) as StoredPrompt[]) {
      keys.add(toKey(timestamp, text));
      lastSeq = Math.max(lastSeq, seq);
    }
    return (timestamp, text) => {
      const key = toKey(timestamp, text);
      if (keys.has(key) || lastSeq >= maxSeq) return null;
      keys.add(key);
      lastSeq++;
      return lastSeq;
    };
  }

  markDeleted(sessionId: number): void {
    this.sql.markDeleted.run(sessionId);
  }
}

type StoredPrompt = Pick<MessageTable, 'seq' | 'timestamp' | 'text'>;
type SpanRow = { readonly first: string; readonly last: string | null };

/** The spans in order, joined where they overlap, with the slack on both sides. */
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

const sidecarSql = {
  /** What an earlier version of the file said stays where this one says nothing. */
  saveSidecar: `
    insert into sidecar (root_id, path, kind, slug, native_id, size_bytes, mtime_ms, ctime_ms, inode,
      custom_title, subagent_type, subagent_description, tool_use_id)
    values (@rootId, @path, @kind, @slug, @nativeId, @sizeBytes, @mtimeMs, @ctimeMs, @inode,
      @customTitle, @subagentType, @subagentDescription, @toolUseId)
    on conflict (root_id, path) do update set
      size_bytes = @sizeBytes, mtime_ms = @mtimeMs, ctime_ms = @ctimeMs, inode = @inode,
      custom_title = coalesce(@customTitle, custom_title), subagent_type = coalesce(@subagentType, subagent_type),
      subagent_description = coalesce(@subagentDescription, subagent_description),
      tool_use_id = coalesce(@toolUseId, tool_use_id)`,
  saveHint: `
    insert or replace into hint (root_id, slug, native_id, first_prompt, summary, custom_title, created_at, modified_at,
      branch, project_path, pr_number, pr_url, pr_repository)
    values (@rootId, @slug, @nativeId, @firstPrompt, @summary, @customTitle, @createdAt, @modifiedAt,
      @branch, @projectPath, @prNumber, @prUrl, @prRepository)`,
  unsettle: 'update session set is_unsettled = 1 where native_id = ?',
} as const;

const emptyHint: Omit<SessionHint, 'nativeId'> = {
  firstPrompt: null,
  summary: null,
  customTitle: null,
  createdAt: null,
  modifiedAt: null,
  branch: null,
  projectPath: null,
  prNumber: null,
  prUrl: null,
  prRepository: null,
};

/** What a sidecar said stays when it disappears: it goes together with the session's transcript, which the index outlives. */
export class SidecarWriter {
  private readonly sql: Prepared<typeof sidecarSql>;

  constructor(db: Database) {
    this.sql = prepareAll(db, sidecarSql);
  }

  saveSidecar(
    rootId: number,
    { parentNativeId: _, ...file }: SidecarFile,
    said: Partial<SidecarFacts>,
  ): void {
    const { customTitle = null, subagentType = null, subagentDescription = null, toolUseId = null } = said;
    const facts = { customTitle, subagentType, subagentDescription, toolUseId };
    this.sql.saveSidecar.run({ ...file, ...facts, rootId });
    if (file.nativeId !== null) this.sql.unsettle.run(file.nativeId);
  }

  saveHint(rootId: number, slug: string, hint: Pick<SessionHint, 'nativeId'> & Partial<SessionHint>): void {
    this.sql.saveHint.run({ ...emptyHint, ...hint, rootId, slug });
    this.sql.unsettle.run(hint.nativeId);
  }
}
