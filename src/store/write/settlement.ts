// Reads and writes for settling: what a session is once everything that describes it, in whatever file, is taken
// together. The decisions are made in indexing/settle.ts.

import type { AgentName, SessionKind } from '../../records.ts';
import type { WordForms } from '../../text/words.ts';
import type { Database } from '../open/database.ts';
import { isMessageOf, sessionOfMessage } from '../row-ids.ts';
import { unpackHashes } from './entry-writer.ts';
import { insertSessionWords, type NamedSession, toSessionWords } from './session-words.ts';

export interface UnsettledSession {
  readonly id: number;
  readonly root_id: number;
  readonly agent: AgentName;
  readonly native_id: string;
  readonly kind: SessionKind;
  readonly slug: string | null;
  readonly first_cwd: string | null;
  readonly branch: string | null;
  readonly first_timestamp: string | null;
  readonly last_timestamp: string | null;
  readonly first_prompt: string | null;
  readonly custom_title: string | null;
  readonly named_title: string | null;
  readonly ai_title: string | null;
  readonly pr_number: number | null;
  readonly pr_url: string | null;
  readonly pr_repository: string | null;
  readonly mtime_ms: number | null;
  /** Times of messages that do not count as the session's own. */
  readonly first_message_at: string | null;
  readonly last_message_at: string | null;
}

export interface SidecarSays {
  readonly custom_title: string | null;
  readonly subagent_type: string | null;
  readonly subagent_description: string | null;
  readonly tool_use_id: string | null;
}

export interface HintSays {
  readonly first_prompt: string | null;
  readonly summary: string | null;
  readonly custom_title: string | null;
  readonly created_at: string | null;
  readonly modified_at: string | null;
  readonly branch: string | null;
  readonly project_path: string | null;
  readonly pr_number: number | null;
  readonly pr_url: string | null;
  readonly pr_repository: string | null;
}

export interface SettledSession extends NamedSession {
  readonly id: number;
  readonly subagentToolUseId: string | null;
  readonly createdAt: string | null;
  readonly modifiedAt: string | null;
  readonly isWarmup: boolean;
  readonly prUrl: string | null;
}

export class Settlement {
  private readonly sql: ReturnType<typeof prepareStatements>;
  private readonly projectIds = new Map<string, number>();

  constructor(db: Database) {
    this.sql = prepareStatements(db);
  }

  countUnsettled(): number {
    return (this.sql.countUnsettled.get() as { n: number }).n;
  }

  takeUnsettled(limit: number): UnsettledSession[] {
    return this.sql.unsettled.all(limit) as UnsettledSession[];
  }

  /**
   * Looks in all sessions for the entries that new summaries name. One walk through them for all of these: a summary
   * is often in another file than the session it describes, and either may be read first.
   */
  seekLeaves(): void {
    const unsought = new Set(this.sql.unsoughtLeaves.pluck().all() as number[]);
    if (unsought.size === 0) return;
    const found: [hash: number, sessionId: number][] = [];
    for (const { sessionId, hashes } of this.sql.entryBlocks.iterate() as Iterable<{
      sessionId: number;
      hashes: Buffer;
    }>) {
      for (const hash of unpackHashes(hashes)) if (unsought.has(hash)) found.push([hash, sessionId]);
    }
    for (const [hash, sessionId] of found) {
      this.sql.insertLeaf.run(hash, sessionId);
      this.sql.unsettle.run(sessionId);
    }
    this.sql.markSought.run();
  }

  /** The latest summary that names one of the session's entries. */
  findSummary(sessionId: number): string | null {
    return (this.sql.summary.pluck().get(sessionId) as string | undefined) ?? null;
  }

  /** The first of its early prompts that is wanted. */
  findPrompt(sessionId: number, isWanted: (text: string) => boolean): string | undefined {
    return (this.sql.prompts.pluck().all({ sessionId }) as string[]).find(isWanted);
  }

  findSidecars(session: UnsettledSession): SidecarSays[] {
    return this.sql.sidecars.all(session.native_id, session.root_id, session.slug) as SidecarSays[];
  }

  findHint(session: UnsettledSession): HintSays | undefined {
    return this.sql.hint.get(session) as HintSays | undefined;
  }

  /** Every session that is a copy of this one, or a copy of a copy; itself too. */
  findConversation(sessionId: number): number[] {
    return (this.sql.conversation.all(sessionId) as { id: number }[]).map((row) => row.id);
  }

  saveConversation(conversationId: number, sessionId: number): void {
    this.sql.saveConversation.run(conversationId, sessionId);
  }

  /** With the words it is found by; their forms are left in `forms`. */
  save(settled: SettledSession, conversationId: number, forms: WordForms): void {
    const projectId = settled.projectPath === null ? null : this.getProjectId(settled.projectPath);
    this.sql.save.run({ ...settled, conversationId, projectId, isWarmup: Number(settled.isWarmup) });
    const { title, summary, firstPrompt, context, part } = toSessionWords(settled, forms);
    this.sql.saveWords.run(settled.id, title, summary, firstPrompt, context, part);
  }

  private getProjectId(path: string): number {
    let id = this.projectIds.get(path);
    if (id === undefined) {
      this.sql.insertProject.run(path);
      id = this.sql.projectId.pluck().get(path) as number;
      this.projectIds.set(path, id);
    }
    return id;
  }
}

function prepareStatements(db: Database) {
  return {
    countUnsettled: db.prepare('select count(*) as n from session where is_unsettled = 1'),
    unsettled: db.prepare(`
      select session.id, session.root_id, session.agent, session.native_id, session.kind, session.slug, first_cwd, own_branch as branch,
        first_timestamp, last_timestamp, own_first_prompt as first_prompt, custom_title, named_title, ai_title,
        own_pr_number as pr_number, own_pr_url as pr_url, own_pr_repository as pr_repository,
        transcript.mtime_ms,
        iif(first_timestamp is null, (select min(timestamp) from message where ${isMessageOf('session.id', 'message.id')}), null)
          as first_message_at,
        iif(last_timestamp is null, (select max(timestamp) from message where ${isMessageOf('session.id', 'message.id')}), null)
          as last_message_at
      from session left join transcript on transcript.id = session.transcript_id
      where is_unsettled = 1 order by session.id limit ?`),
    unsoughtLeaves: db.prepare('select leaf_hash from summary where is_sought = 0'),
    entryBlocks: db.prepare(`select ${sessionOfMessage('id')} as sessionId, hashes from entry_block`),
    insertLeaf: db.prepare('insert into leaf (leaf_hash, session_id) values (?, ?) on conflict do nothing'),
    unsettle: db.prepare('update session set is_unsettled = 1 where id = ?'),
    markSought: db.prepare('update summary set is_sought = 1 where is_sought = 0'),
    summary: db.prepare(`
      select summary.text from leaf
      join summary on summary.leaf_hash = leaf.leaf_hash
      join session source on source.id = summary.session_id
      where leaf.session_id = ?
      order by source.last_timestamp desc, source.native_id desc, summary.seq desc limit 1`),
    prompts: db.prepare(`
      select substr(text, 1, 2000) from message
      where ${isMessageOf('@sessionId')} and role = 'user' and kind in ('prompt', 'queued') and is_sidechain = 0
      order by id limit 20`),
    sidecars: db.prepare(`
      select custom_title, subagent_type, subagent_description, tool_use_id from sidecar
      where native_id = ? and +root_id = ? and slug = coalesce(?, '') order by path`),
    hint: db.prepare(`
      select * from hint
      where native_id = @native_id and root_id in (select id from root where agent = @agent)
      order by root_id = @root_id desc, slug is @slug desc, modified_at desc, root_id, slug limit 1`),
    conversation: db.prepare(`
      with recursive member (id) as (
        values (?) union select session_link.other_id from member join session_link on session_link.session_id = member.id)
      select id from member`),
    saveConversation: db.prepare('update session set conversation_id = ? where id = ?'),
    insertProject: db.prepare('insert into project (path) values (?) on conflict do nothing'),
    projectId: db.prepare('select id from project where path = ?'),
    save: db.prepare(`
      update session set title = @title, title_source = @titleSource, summary = @summary,
        hinted_first_prompt = iif(own_first_prompt is null, @firstPrompt, null),
        branch = @branch, pr_number = @prNumber, pr_url = @prUrl, pr_repository = @prRepository, subagent_type = @subagentType, subagent_description = @subagentDescription,
        subagent_tool_use_id = @subagentToolUseId, is_warmup = @isWarmup,
        fallback_created_at = iif(first_timestamp is null, @createdAt, null),
        fallback_modified_at = iif(last_timestamp is null, @modifiedAt, null),
        conversation_id = @conversationId, project_id = @projectId,
        is_empty = message_count = 0,
        is_hidden = is_machinery or @isWarmup or (message_count = 0 and kind <> 'history'),
        is_unsettled = 0
      where id = @id`),
    saveWords: db.prepare(insertSessionWords),
  };
}

/** Counts again what the index holds; called in the transaction that settles the last session. */
export function saveTotals(db: Database): void {
  db.exec(`
    insert or replace into total
    select 1, count(*), coalesce(sum(message_count > 0), 0), coalesce(sum(message_count), 0), coalesce(sum(text_chars), 0),
      coalesce(sum(tool_call_count), 0)
    from session indexed by session_size`);
}
