// Writes what lines hold beside messages: tool calls and what was given and answered there, the entries by which copies are
// recognised, and the summaries that name entries of any session.
// Around a statement that may write several rows and then fail, SQLite sets a savepoint, at which FTS5 writes out its words: a third of the
// inserting. So here, and in transcript-writer.ts, each statement writes one row, with values by position where there are many.

import {
  type Batch,
  type IndexedToolCall,
  type IndexedToolText,
  packHashes,
  unpackHashes,
} from '../../batch.ts';
import type { SummaryRecord } from '../../records.ts';
import { packTexts, toSearchedText } from '../../text/tool-text.ts';
import { toSearchable } from '../../text/words.ts';
import type { Prepared } from '../open/database.ts';
import { isMessageOf, isToolCallOf, messageId, toolCallId, toolTextId } from '../row-ids.ts';

export const entrySql = {
  insertToolCall: `
    insert into tool_call (id, session_id, seq, tool_use_id, name, target, is_error)
    values (${toolCallId('?', '?', '?')}, ?, ?, ?, ?, ?, ?)`,
  insertToolCallFts: `insert into tool_call_fts (rowid, target, part) values (${toolCallId('?', '?', '?')}, ?, ?)`,
  openToolCalls: `select id, tool_use_id as toolUseId, name from tool_call
    where ${isToolCallOf('@sessionId')} and tool_use_id is not null order by id`,
  closeToolCall: `update tool_call set is_error = max(is_error, @isError),
      tool_use_id = iif(@keepsId, tool_use_id, null)
    where id = @id`,
  insertToolText: `
    insert into work (id, call_id, at_ms, has_text)
    values (${toolTextId('?', '?', '?', '?')}, ${toolCallId('?', '?', '?')}, ?, 1)`,
  /** For a call that was stored earlier, or is not known. */
  insertLateToolText: `
    insert into work (id, call_id, at_ms, has_text) values (${toolTextId('?', '?', '?', '?')}, ?, ?, 1)`,
  insertPackedTexts: `insert into tool_text (id, texts) values (${messageId('?', '?')}, ?)`,
  insertToolTextFts: `insert into work_fts (rowid, text, part) values (${toolTextId('?', '?', '?', '?')}, ?, ?)`,
  isForgottenLeaf: 'select 1 from forgotten_leaf where leaf_hash = ?',
  insertSummary: `
    insert into summary (session_id, seq, leaf_hash, text) values (@sessionId, @seq, @leafHash, @text)
    on conflict do nothing`,
  summarised: `
    select distinct leaf.session_id from summary join leaf on leaf.leaf_hash = summary.leaf_hash
    where summary.session_id = ?`,
  unsettle: 'update session set is_unsettled = 1 where id = ?',
  soughtLeaves: 'select distinct leaf_hash from summary where is_sought = 1',
  insertLeaf: 'insert into leaf (leaf_hash, session_id) values (?, ?) on conflict do nothing',
  deleteLeaves: 'delete from leaf where session_id = ?',
  insertEntryBlock: `insert or replace into entry_block (id, hashes, whole_hashes) values (${messageId('?', '?')}, ?, ?)`,
  wholeHashes: `select whole_hashes from entry_block where ${isMessageOf('@sessionId')} and whole_hashes is not null`,
  entryBlocks: `select hashes from entry_block where ${isMessageOf('@sessionId')}`,
  deleteEntryBlocks: `delete from entry_block where ${isMessageOf('@sessionId')}`,
  insertEntryUuid: 'insert into entry_uuid (uuid_hash, session_id) values (?, ?) on conflict do nothing',
  deleteEntryUuids: `
    delete from entry_uuid where session_id = @sessionId and uuid_hash in (select value from json_each(@hashes))`,
  sessionsSharing: `
    select distinct other.id from json_each(@hashes) hash
    cross join entry_uuid on entry_uuid.uuid_hash = hash.value and entry_uuid.session_id <> @sessionId
    cross join session other on other.id = entry_uuid.session_id
    where other.kind = (select kind from session where id = @sessionId)`,
  insertLink: 'insert into session_link (session_id, other_id) values (?, ?) on conflict do nothing',
  conversationOf: `
    select id from session where conversation_id = (select conversation_id from session where id = @sessionId)
    union select other_id from session_link where session_id = @sessionId`,
  deleteLinksTo: `
    delete from session_link where other_id = @sessionId
      and session_id in (select other_id from session_link where session_id = @sessionId)`,
  deleteLinks: 'delete from session_link where session_id = ?',
} as const;

type EntryStatements = Prepared<typeof entrySql>;

type OpenCall = { readonly id: number; readonly toolUseId: string; readonly name: string };

const toPlace = (seq: number, nth: number) => `${seq} ${nth}`;

export class ToolCallWriter {
  private readonly sql: EntryStatements;

  constructor(sql: EntryStatements) {
    this.sql = sql;
  }

  add(sessionId: number, calls: readonly IndexedToolCall[]): void {
    for (const { seq, nth, toolUseId, name, target, part, isError } of calls) {
      const place = [sessionId, seq, nth, sessionId, seq] as const;
      this.sql.insertToolCall.run(...place, toolUseId, name, target, Number(isError));
      if (target !== null) this.sql.insertToolCallFts.run(sessionId, seq, nth, target, part);
    }
  }

  /** What the tools were given and answered. `earlier` are the ids of calls that were stored before, by the place of their result. */
  addToolTexts(sessionId: number, texts: readonly IndexedToolText[], earlier: ReadonlyMap<string, number>) {
    for (const { isOutput, seq, nth, atMs, call, text, part } of texts) {
      const id = [sessionId, seq, nth, Number(isOutput)] as const;
      if (call !== null) this.sql.insertToolText.run(...id, sessionId, call.seq, call.nth, atMs);
      else this.sql.insertLateToolText.run(...id, earlier.get(toPlace(seq, nth)) ?? null, atMs);
      this.sql.insertToolTextFts.run(...id, toSearchable(toSearchedText(text)), part);
    }
    for (const { lastSeq, packed } of packTexts(texts))
      this.sql.insertPackedTexts.run(sessionId, lastSeq, packed);
  }

  /** The first result decides. Call before adding a batch's own calls. Gives the ids of these calls by the place of their result. */
  close(sessionId: number, { toolResults, subagentTools }: Pick<Batch, 'toolResults' | 'subagentTools'>) {
    const closed = new Map<string, number>();
    if (toolResults.length === 0) return closed;
    const open = new Map<string, OpenCall[]>();
    for (const call of this.sql.openToolCalls.all({ sessionId }) as OpenCall[]) {
      const calls = open.get(call.toolUseId);
      if (calls === undefined) open.set(call.toolUseId, [call]);
      else calls.push(call);
    }
    for (const { id, isError, seq, nth } of toolResults) {
      const calls = open.get(id);
      if (calls === undefined) continue;
      const kept = calls.filter((call) => subagentTools.includes(call.name));
      for (const call of calls) {
        const keepsId = Number(kept.includes(call));
        this.sql.closeToolCall.run({ id: call.id, isError: Number(isError), keepsId });
      }
      const last = calls.at(-1);
      if (last !== undefined) closed.set(toPlace(seq, nth), last.id);
      open.set(id, kept);
    }
    return closed;
  }
}

export class EntryWriter {
  private readonly sql: EntryStatements;
  /** Entries that summaries name and that were looked for in all sessions there were. */
  private soughtLeaves: Set<number> | null = null;

  constructor(sql: EntryStatements) {
    this.sql = sql;
  }

  addSummaries(sessionId: number, summaries: readonly SummaryRecord[], toHash: (uuid: string) => number) {
    for (const { seq, text, leafUuid } of summaries) {
      const leafHash = toHash(leafUuid);
      const isForgotten = this.sql.isForgottenLeaf.get(leafHash) !== undefined;
      if (!isForgotten) this.sql.insertSummary.run({ sessionId, seq, text, leafHash });
    }
    if (summaries.length > 0) this.unsettleSummarised(sessionId);
  }

  /** The sessions that this one's summaries describe may get another title. */
  unsettleSummarised(sessionId: number): void {
    for (const id of this.sql.summarised.pluck().all(sessionId) as number[]) this.sql.unsettle.run(id);
  }

  /** By entries with a message, a session is linked with those of its kind that hold one of them too. */
  add(
    sessionId: number,
    seq: number,
    {
      uuidHashes: hashes,
      messageHashes,
      wholeHashes,
    }: Pick<Batch, 'uuidHashes' | 'messageHashes' | 'wholeHashes'>,
  ): void {
    if (hashes.length === 0) return;
    const whole = wholeHashes.length === 0 ? null : packHashes(wholeHashes);
    this.sql.insertEntryBlock.run(sessionId, seq, packHashes(hashes), whole);
    this.soughtLeaves ??= new Set(this.sql.soughtLeaves.pluck().all() as number[]);
    if (this.soughtLeaves.size > 0) {
      for (const hash of hashes) if (this.soughtLeaves.has(hash)) this.sql.insertLeaf.run(hash, sessionId);
    }
    if (messageHashes.length === 0) return;
    for (const hash of messageHashes) this.sql.insertEntryUuid.run(hash, sessionId);
    const rows = { sessionId, hashes: JSON.stringify(messageHashes) };
    for (const id of this.sql.sessionsSharing.pluck().all(rows) as number[]) {
      this.sql.insertLink.run(sessionId, id);
      this.sql.insertLink.run(id, sessionId);
    }
  }

  /** The hashes of a session's entries, packed, where the agent may write an entry again. */
  readWholeHashes(sessionId: number): Buffer {
    return Buffer.concat(this.sql.wholeHashes.pluck().all({ sessionId }) as Buffer[]);
  }

  /** Forgets which entries a session holds and which sessions are copies of it; those are settled again. */
  unlink(sessionId: number): void {
    for (const id of this.sql.conversationOf.pluck().all({ sessionId }) as number[])
      this.sql.unsettle.run(id);
    this.sql.deleteLinksTo.run({ sessionId });
    this.sql.deleteLinks.run(sessionId);
    for (const block of this.sql.entryBlocks.pluck().all({ sessionId }) as Buffer[])
      this.sql.deleteEntryUuids.run({ sessionId, hashes: JSON.stringify(unpackHashes(block)) });
    this.sql.deleteEntryBlocks.run({ sessionId });
    this.sql.deleteLeaves.run(sessionId);
  }
}
