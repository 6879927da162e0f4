// Reads and writes for settling: what a session is once everything that describes it, in whatever file, is taken
// together, and which sessions are given up for another that holds the same. indexing/settle.ts decides what it is.

import { unpackHashes } from '../../batch.ts';
import type { AgentName } from '../../records.ts';
import type { WordForms } from '../../text/words.ts';
import { type Database, type Prepared, prepareAll } from '../open/database.ts';
import type { Store } from '../open/open-store.ts';
import { isMessageOf, sessionOfMessage } from '../row-ids.ts';
import type { HintTable, SessionTable, SidecarTable } from '../schema.ts';
import { dropSnapshot } from './saved-snapshot.ts';
import { TranscriptWriter } from './transcript-writer.ts';
import { insertSessionWords, listSessionWords, type NamedSession, type StoredLabel } from './words.ts';

/** What a session's own transcript says, and when the file was written. */
export interface UnsettledSession
  extends Pick<
      SessionTable,
      'root_id' | 'native_id' | 'kind' | 'slug' | 'first_cwd' | 'relocated_cwd' | 'tag' | 'branch'
    >,
    Pick<SessionTable, 'first_timestamp' | 'last_timestamp' | 'custom_title' | 'named_title' | 'ai_title'>,
    Pick<SessionTable, 'pr_number' | 'pr_url' | 'pr_repository'> {
  readonly id: number;
  readonly agent: AgentName;
  readonly first_prompt: string | null;
  readonly mtime_ms: number | null;
  /** Times of messages that do not count as the session's own. */
  readonly first_message_at: string | null;
  readonly last_message_at: string | null;
}

export type StoredSidecar = Pick<
  SidecarTable,
  'custom_title' | 'subagent_type' | 'subagent_description' | 'tool_use_id'
>;

/** One of several sessions that share entries. */
export interface ConversationMember {
  readonly id: number;
  readonly nativeId: string;
  /** The session that it was branched from, as its transcript says. */
  readonly origin: string | null;
  readonly startedAt: string | null;
  readonly name: string | null;
}

export interface Belonging {
  readonly conversationId: number;
  readonly branchedFrom: string | null;
}

export interface SettledSession extends NamedSession {
  readonly id: number;
  readonly subagentToolUseId: string | null;
  readonly createdAt: string | null;
  readonly modifiedAt: string | null;
  readonly isWarmup: boolean;
  readonly prUrl: string | null;
}

const settlementSql = {
  hasUnsettled: 'select 1 from session where is_unsettled = 1',
  unsettled: `
    select session.id, session.root_id, session.agent, session.native_id, session.kind, session.slug, first_cwd, relocated_cwd, tag, own_branch as branch,
      first_timestamp, last_timestamp, own_first_prompt as first_prompt, custom_title, named_title, ai_title,
      own_pr_number as pr_number, own_pr_url as pr_url, own_pr_repository as pr_repository,
      transcript.mtime_ms,
      iif(first_timestamp is null, (select min(timestamp) from message where ${isMessageOf('session.id', 'message.id')}), null)
        as first_message_at,
      iif(last_timestamp is null, (select max(timestamp) from message where ${isMessageOf('session.id', 'message.id')}), null)
        as last_message_at
    from session left join transcript on transcript.id = session.transcript_id
    where is_unsettled = 1 order by session.id limit ?`,
  unsoughtLeaves: 'select leaf_hash from summary where is_sought = 0',
  entryBlocks: `select ${sessionOfMessage('id')}, hashes from entry_block`,
  insertLeaf: 'insert into leaf (leaf_hash, session_id) values (?, ?) on conflict do nothing',
  unsettle: 'update session set is_unsettled = 1 where id = ?',
  markSought: 'update summary set is_sought = 1 where is_sought = 0',
  summary: `
    select summary.text from leaf
    join summary on summary.leaf_hash = leaf.leaf_hash
    join session source on source.id = summary.session_id
    where leaf.session_id = ?
    order by source.last_timestamp desc, source.native_id desc, summary.seq desc limit 1`,
  prompts: `
    select substr(text, 1, 2000) from message
    where ${isMessageOf('@sessionId')} and role = 'user' and kind in ('prompt', 'queued') and is_sidechain = 0
    order by id limit 20`,
  sidecars: `
    select custom_title, subagent_type, subagent_description, tool_use_id from sidecar
    where native_id = ? and +root_id = ? and slug = coalesce(?, '') order by path`,
  hint: `
    select * from hint
    where native_id = @native_id and root_id in (select id from root where agent = @agent)
    order by root_id = @root_id desc, slug is @slug desc, modified_at desc, root_id, slug limit 1`,
  conversation: `
    with recursive member (id) as (
      values (?) union select session_link.other_id from member join session_link on session_link.session_id = member.id)
    select id from member`,
  members: `
    select id, native_id as nativeId, own_branched_from as origin, first_timestamp as startedAt,
      coalesce(
        (select sidecar.custom_title from sidecar where sidecar.native_id = session.native_id
          and +sidecar.root_id = session.root_id and sidecar.slug = coalesce(session.slug, '')
          and sidecar.custom_title is not null order by sidecar.path limit 1),
        custom_title,
        (select hint.custom_title from hint where hint.native_id = session.native_id
          and +hint.root_id = session.root_id and hint.custom_title is not null limit 1)) as name
    from session where id in (select value from json_each(?))`,
  holdsAll: `
    select not exists (
      select 1 from entry_uuid theirs where theirs.session_id = @otherId and not exists (
        select 1 from entry_uuid where uuid_hash = theirs.uuid_hash and session_id = @id))`,
  saveConversation: 'update session set conversation_id = ?, branched_from = ? where id = ?',
  insertProject: 'insert into project (path) values (?) on conflict do nothing',
  projectId: 'select id from project where path = ?',
  save: `
    update session set title = @title, title_source = @titleSource, summary = @summary,
      hinted_first_prompt = iif(own_first_prompt is null, @firstPrompt, null),
      branch = @branch, pr_number = @prNumber, pr_url = @prUrl, pr_repository = @prRepository, subagent_type = @subagentType, subagent_description = @subagentDescription,
      subagent_tool_use_id = @subagentToolUseId, is_warmup = @isWarmup,
      fallback_created_at = iif(first_timestamp is null, @createdAt, null),
      fallback_modified_at = iif(last_timestamp is null, @modifiedAt, null),
      conversation_id = @conversationId, branched_from = @branchedFrom, project_id = @projectId,
      is_empty = message_count = 0,
      is_hidden = is_machinery or @isWarmup or (message_count = 0 and kind <> 'history'),
      is_unsettled = 0
    where id = @id`,
  labels: 'select field, value from label where agent = @agent and native_id = @native_id',
  saveWords: insertSessionWords,
} as const;

export class Settlement {
  private readonly sql: Prepared<typeof settlementSql>;
  private readonly projectIds = new Map<string, number>();

  constructor(db: Database) {
    this.sql = prepareAll(db, settlementSql);
  }

  hasUnsettled(): boolean {
    return this.sql.hasUnsettled.get() !== undefined;
  }

  takeUnsettled(limit: number): UnsettledSession[] {
    return this.sql.unsettled.all(limit) as UnsettledSession[];
  }

  /** One walk for all: a summary is often in another file than the session it describes, and either may be read first. */
  seekLeaves(): void {
    const unsought = new Set(this.sql.unsoughtLeaves.pluck().all() as number[]);
    if (unsought.size === 0) return;
    const found: [hash: number, sessionId: number][] = [];
    for (const [sessionId, hashes] of this.sql.entryBlocks.raw().iterate() as Iterable<[number, Buffer]>)
      for (const hash of unpackHashes(hashes)) if (unsought.has(hash)) found.push([hash, sessionId]);
    for (const [hash, sessionId] of found) {
      this.sql.insertLeaf.run(hash, sessionId);
      this.sql.unsettle.run(sessionId);
    }
    this.sql.markSought.run();
  }

  findSummary(sessionId: number): string | null {
    return (this.sql.summary.pluck().get(sessionId) as string | undefined) ?? null;
  }

  findPrompt(sessionId: number, isWanted: (text: string) => boolean): string | undefined {
    return (this.sql.prompts.pluck().all({ sessionId }) as string[]).find(isWanted);
  }

  findSidecars(session: UnsettledSession): StoredSidecar[] {
    return this.sql.sidecars.all(session.native_id, session.root_id, session.slug) as StoredSidecar[];
  }

  findHint(session: UnsettledSession): HintTable | undefined {
    return this.sql.hint.get(session) as HintTable | undefined;
  }

  readLabels(session: UnsettledSession): StoredLabel[] {
    return this.sql.labels.all(session) as StoredLabel[];
  }

  /** Every session that is a copy of this one, or a copy of a copy; itself too. */
  findConversation(sessionId: number): number[] {
    return this.sql.conversation.pluck().all(sessionId) as number[];
  }

  readMembers(ids: readonly number[]): ConversationMember[] {
    return this.sql.members.all(JSON.stringify(ids)) as ConversationMember[];
  }

  /** Whether every message of the other session is in this one. */
  holdsAll(id: number, otherId: number): boolean {
    return this.sql.holdsAll.pluck().get({ id, otherId }) === 1;
  }

  saveConversation(sessionId: number, { conversationId, branchedFrom }: Belonging): void {
    this.sql.saveConversation.run(conversationId, branchedFrom, sessionId);
  }

  /** With the words it is found by; their forms are left in `forms`. */
  save(settled: SettledSession, belonging: Belonging, forms: WordForms): void {
    const projectId = settled.projectPath === null ? null : this.getProjectId(settled.projectPath);
    this.sql.save.run({ ...settled, ...belonging, projectId, isWarmup: Number(settled.isWarmup) });
    this.sql.saveWords.run(settled.id, ...listSessionWords(settled, forms));
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

export function saveTotals(db: Database): void {
  db.exec(`
    insert or replace into total
    select 1, count(*), coalesce(sum(message_count > 0), 0), coalesce(sum(message_count), 0), coalesce(sum(text_chars), 0),
      coalesce(sum(tool_call_count), 0)
    from session indexed by session_size`);
}

/** Those whose transcript is gone while another one has at least as many messages of the same session, and all of theirs. */
const moved = `
  select id, transcript_id from session
  where root_id = @rootId and is_gone = 1 and transcript_id is not null and native_id in (
    select native_id from session where id in (select value from json_each(@touched))
    union select native_id from transcript where id in (select value from json_each(@gone)))
  and exists (
    select 1 from session heir join transcript on transcript.id = heir.transcript_id
    where heir.native_id = session.native_id and heir.agent = session.agent and heir.root_id = session.root_id
      and heir.is_gone = 0 and transcript.state = 'current' and heir.message_count >= session.message_count
      and not exists (select 1 from entry_uuid mine where mine.session_id = session.id and not exists (
        select 1 from entry_uuid where uuid_hash = mine.uuid_hash and session_id = heir.id)))`;

/**
 * An agent has moved their transcript to another place in the same root: they were read again from there. Looked for among those
 * of the sessions that were touched, and of the transcripts that were just seen to be gone.
 */
export function dropMovedSessions(
  db: Database,
  writer: TranscriptWriter,
  rootId: number,
  changed: { readonly touched: Iterable<number>; readonly gone: readonly number[] },
): void {
  const [touched, gone] = [changed.touched, changed.gone].map((ids) => JSON.stringify([...ids]));
  const found = db.prepare(moved).raw().all({ rootId, touched, gone });
  const sessions = found as [sessionId: number, transcriptId: number][];
  if (sessions.length === 0) return;
  const deleteTranscript = db.prepare('delete from transcript where id = ?');
  const drop = db.transaction(() => {
    dropSnapshot(db, rootId);
    for (const [sessionId, transcriptId] of sessions) {
      writer.clearFindings(transcriptId);
      writer.deleteSession(sessionId);
      deleteTranscript.run(transcriptId);
    }
  });
  drop.immediate();
}

/** Of sessions that salvage.ts makes for messages whose own session was lost in a damaged index. */
export const orphanPrefix = 'lost-';

/** Takes away those of which every entry is in another session as well. What they were tied to waits to be settled. */
export function dropCoveredOrphans({ db }: Store): void {
  const isCovered = `exists (select 1 from entry_uuid where session_id = session.id) and not exists (
    select 1 from entry_uuid mine where mine.session_id = session.id and not exists (
      select 1 from entry_uuid other where other.uuid_hash = mine.uuid_hash and other.session_id <> mine.session_id))`;
  const drop = db.transaction(() => {
    const sql = `select id from session where native_id >= '${orphanPrefix}' and native_id < '${orphanPrefix}:'
      and kind = 'history' and native_id = '${orphanPrefix}' || id and ${isCovered}`;
    const ids = db.prepare(sql).pluck().all() as number[];
    if (ids.length === 0) return;
    const writer = new TranscriptWriter(db);
    for (const id of ids) writer.deleteSession(id);
    saveTotals(db);
  });
  drop.immediate();
}
