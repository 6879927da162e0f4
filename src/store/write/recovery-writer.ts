// What is known of sessions from elsewhere than their transcripts: the prompt history and the small files beside transcripts.
// Prepared SQL, because history.jsonl grows with every prompt, so the refresh before most searches comes here.

import { createHash } from 'node:crypto';
import { maxSeq, type SessionHint, type SidecarFile, type SubagentMeta } from '../../records.ts';
import { type Database, type Prepared, prepareAll } from '../open/database.ts';
import { isMessageOf } from '../row-ids.ts';

interface LostSession {
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
class PromptPlaces {
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
  markGone: 'update session set is_gone = 1 where id = ?',
} as const;

export class RecoveryWriter {
  private readonly agent: string;
  private readonly sql: Prepared<typeof recoverySql>;
  private readonly spans = new Map<string, Span[]>();

  /** For sessions of this agent. */
  constructor(db: Database, agent: string) {
    this.agent = agent;
    this.sql = prepareAll(db, recoverySql);
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

const stampColumns = {
  size_bytes: 'sizeBytes',
  mtime_ms: 'mtimeMs',
  ctime_ms: 'ctimeMs',
  inode: 'inode',
} as const;

const sidecarColumns = {
  custom_title: 'customTitle',
  subagent_type: 'subagentType',
  subagent_description: 'subagentDescription',
  tool_use_id: 'toolUseId',
} as const;

const hintColumns = {
  first_prompt: 'firstPrompt',
  summary: 'summary',
  custom_title: 'customTitle',
  created_at: 'createdAt',
  modified_at: 'modifiedAt',
  branch: 'branch',
  project_path: 'projectPath',
  pr_number: 'prNumber',
  pr_url: 'prUrl',
  pr_repository: 'prRepository',
} as const;

const listColumns = (columns: object) => Object.keys(columns).join(', ');
const listValues = (columns: object) =>
  Object.values(columns)
    .map((name) => `@${name}`)
    .join(', ');
const assign = (columns: object, toValue = (column: string) => `excluded.${column}`) =>
  Object.keys(columns)
    .map((column) => `${column} = ${toValue(column)}`)
    .join(', ');

const sidecarSql = {
  saveSidecar: `
    insert into sidecar (root_id, path, kind, slug, native_id, ${listColumns(stampColumns)}, ${listColumns(sidecarColumns)})
    values (@rootId, @path, @kind, @slug, @nativeId, ${listValues(stampColumns)}, ${listValues(sidecarColumns)})
    on conflict (root_id, path) do update set ${assign(stampColumns)},
      ${assign(sidecarColumns, (column) => `coalesce(excluded.${column}, sidecar.${column})`)}`,
  saveHint: `
    insert into hint (root_id, slug, native_id, ${listColumns(hintColumns)})
    values (@rootId, @slug, @nativeId, ${listValues(hintColumns)})
    on conflict do update set ${assign(hintColumns)}`,
  unsettle: 'update session set is_unsettled = 1 where native_id = ?',
} as const;

/** Nothing of it is taken back when a sidecar disappears, because it disappears together with the session that the index keeps. */
export class SidecarWriter {
  private readonly sql: Prepared<typeof sidecarSql>;

  constructor(db: Database) {
    this.sql = prepareAll(db, sidecarSql);
  }

  saveSidecar(
    rootId: number,
    { parentNativeId: _, ...file }: SidecarFile,
    said: { customTitle: string | null; meta: SubagentMeta | null },
  ): void {
    this.sql.saveSidecar.run({
      ...file,
      rootId,
      customTitle: said.customTitle,
      subagentType: said.meta?.subagentType ?? null,
      subagentDescription: said.meta?.description ?? null,
      toolUseId: said.meta?.toolUseId ?? null,
    });
    if (file.nativeId !== null) this.sql.unsettle.run(file.nativeId);
  }

  saveHint(rootId: number, slug: string, { pullRequest, ...hint }: SessionHint): void {
    this.sql.saveHint.run({
      ...hint,
      rootId,
      slug,
      prNumber: pullRequest?.number ?? null,
      prUrl: pullRequest?.url ?? null,
      prRepository: pullRequest?.repository ?? null,
    });
    this.sql.unsettle.run(hint.nativeId);
  }
}
