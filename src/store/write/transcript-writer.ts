// Writes what was read from transcripts: files, sessions, messages; tool calls and entries have writers of their own.
// Prepared statements only, because this is the hot loop of indexing. What follows from several files together
// (titles, copies) is not decided here; a session that was touched is marked unsettled instead.

import type { Batch, IndexedMessage, SkippedLine } from '../../batch.ts';
import type { SessionFacts, TranscriptFile } from '../../records.ts';
import { toSearchable } from '../../text/words.ts';
import { type Database, type Prepared, prepareAll, type Statement } from '../open/database.ts';
import type { TranscriptProgress } from '../read/known-files.ts';
import { isMessageOf, isToolCallOf, isToolTextOf, messageId } from '../row-ids.ts';
import { EntryWriter, entrySql, ToolCallWriter } from './entry-writer.ts';
import { findRootId } from './saved-snapshot.ts';
import { findUsedWords, WordFormWriter } from './words.ts';

export interface RootRow {
  readonly id: number;
  readonly agent: string;
}

export type AddedCounts = Readonly<Record<'messages' | 'chars' | 'toolCalls', number>>;

const progressColumns: Readonly<Record<keyof TranscriptProgress, string>> = {
  sizeBytes: 'size_bytes',
  mtimeMs: 'mtime_ms',
  ctimeMs: 'ctime_ms',
  inode: 'inode',
  bytesRead: 'bytes_read',
  linesRead: 'lines_read',
  lastVersion: 'last_version',
  isUnterminated: 'is_unterminated',
  fingerprint: 'fingerprint',
  parserVersion: 'parser_version',
  state: 'state',
  error: 'error',
};

/** The columns of what a transcript says of its session. Whoever adds a fact gives it a column here. */
const factColumns: Readonly<Record<keyof SessionFacts, string>> = {
  parentNativeId: 'parent_native_id',
  firstCwd: 'first_cwd',
  lastCwd: 'last_cwd',
  relocatedCwd: 'relocated_cwd',
  continuedIn: 'continued_in',
  branchedFrom: 'own_branched_from',
  originalCwd: 'original_cwd',
  branch: 'own_branch',
  versions: 'versions',
  models: 'models',
  createdAt: 'first_timestamp',
  modifiedAt: 'last_timestamp',
  firstPrompt: 'own_first_prompt',
  lastPrompt: 'last_prompt',
  customTitle: 'custom_title',
  agentName: 'named_title',
  aiTitle: 'ai_title',
  tag: 'tag',
  prNumber: 'own_pr_number',
  prUrl: 'own_pr_url',
  prRepository: 'own_pr_repository',
  compactionCount: 'compaction_count',
};

const facts = Object.entries(factColumns);
/** Most subagents have only one prompt, and it is stored once. */
const storedFacts = facts.map(([name, column]) =>
  name === 'lastPrompt' ? ['own_last_prompt', 'nullif(@lastPrompt, @firstPrompt)'] : [column, `@${name}`],
);

/** Where each statement writes one row: entry-writer.ts says why. */
const transcriptSql = {
  insertRoot: 'insert into root (agent, path, machine_id) values (?, ?, ?)',
  transcriptId: 'select id from transcript where root_id = ? and path = ?',
  insertTranscript: `
    insert into transcript (root_id, path, kind, native_id, is_machinery, ${Object.values(progressColumns).join(', ')})
    values (@rootId, @path, @kind, @nativeId, @isMachinery, ${Object.keys(progressColumns)
      .map((name) => `@${name}`)
      .join(', ')})`,
  updateTranscript: `
    update transcript set ${Object.entries(progressColumns)
      .map(([name, column]) => `${column} = @${name}`)
      .join(', ')}
    where id = @id`,
  markFailed: "update transcript set state = 'failed', error = ? where root_id = ? and path = ?",
  markTranscriptGone: "update transcript set state = 'gone' where id = ?",
  markSessionGone: 'update session set is_gone = 1 where id = ?',
  recoveredOf: `
    select id from session where agent = ? and native_id = ? and (kind = 'history' or transcript_id is null)`,
  sessionOfTranscript: 'select id from session where transcript_id = ?',
  insertSession: `
    insert into session (id, root_id, transcript_id, agent, native_id, kind, slug, is_machinery,
      message_count, text_chars, tool_call_count, ${storedFacts.map(([column]) => column).join(', ')})
    values (@id, @rootId, @transcriptId, @agent, @nativeId, @kind, @slug, @isMachinery,
      @messages, @chars, @toolCalls, ${storedFacts.map(([, value]) => value).join(', ')})`,
  identifySession: 'update session set kind = ?, native_id = ? where id = ?',
  identifyTranscript: 'update transcript set kind = ?, native_id = ? where id = ?',
  insertRecovered:
    "insert into session (root_id, agent, native_id, kind, slug, is_gone) values (?, ?, ?, 'history', ?, 1)",
  deleteSession: 'delete from session where id = ?',
  deleteSessionFts: 'delete from session_fts where rowid = ?',
  insertMessage: `
    insert into message (id, session_id, seq, uuid, role, kind, timestamp, is_sidechain, text)
    values (${messageId('?', '?')}, ?, ?, ?, ?, ?, ?, ?, ?)`,
  insertMessageFts: `insert into message_fts (rowid, text, part) values (${messageId('?', '?')}, ?, ?)`,
  deleteOneMessageFts: 'delete from message_fts where rowid = ?',
  deleteOneMessage: 'delete from message where id = ?',
  queued: "select id, text from message where session_id = @sessionId and kind = 'queued'",
  typed: `
    select text from message where ${isMessageOf('@sessionId')} and role = 'user' and kind <> 'queued'`,
  uncountMessage:
    'update session set message_count = message_count - 1, text_chars = text_chars - ? where id = ?',
  resetCounts: 'update session set message_count = 0, text_chars = 0, tool_call_count = 0 where id = ?',
  deleteSummaries: 'delete from summary where session_id = ?',
  readFacts: `select ${facts.map(([name, column]) => `${column} as ${name}`).join(', ')} from session where id = ?`,
  saveFacts: `update session set ${storedFacts.map(([column, value]) => `${column} = ${value}`).join(', ')},
      message_count = message_count + @messages, text_chars = text_chars + @chars,
      tool_call_count = tool_call_count + @toolCalls, is_unsettled = 1, is_gone = 0
    where id = @sessionId`,
  countSkipped: 'update transcript set skipped_lines = skipped_lines + ? where id = ?',
  skippedKept: 'select count(*) from skipped_line where transcript_id = ?',
  insertSkipped:
    'insert into skipped_line (transcript_id, line, reason) values (?, ?, ?) on conflict do nothing',
  addUnknown: `
    insert into unknown_type (transcript_id, type, version, count) values (?, ?, ?, ?)
    on conflict do update set count = count + excluded.count`,
} as const;

/** All that is written of a session's lines, but for its entries and summaries. */
const deletedWithText = [
  `delete from message_fts where rowid in (select id from message where ${isMessageOf('@sessionId')})`,
  `delete from message where ${isMessageOf('@sessionId')}`,
  `delete from tool_call_fts where rowid in (
    select id from tool_call where ${isToolCallOf('@sessionId')} and target is not null)`,
  `delete from tool_call where ${isToolCallOf('@sessionId')}`,
  `delete from work_fts where rowid in (select id from work where ${isToolTextOf('@sessionId')})`,
  `delete from work where ${isToolTextOf('@sessionId')}`,
  `delete from tool_text where ${isMessageOf('@sessionId')}`,
];

const deletedFindings = [
  'delete from skipped_line where transcript_id = @transcriptId',
  'delete from unknown_type where transcript_id = @transcriptId',
  'update transcript set skipped_lines = 0 where id = @transcriptId',
];

/** Bad lines kept with their reason, for each transcript; the rest are only counted. */
const maxSkippedLinesKept = 20;

export class TranscriptWriter {
  private readonly db: Database;
  private readonly sql: Prepared<typeof transcriptSql & typeof entrySql>;
  private readonly deletedWithText: readonly Statement[];
  private readonly deletedFindings: readonly Statement[];
  readonly forms: WordFormWriter;
  readonly toolCalls: ToolCallWriter;
  readonly entries: EntryWriter;

  constructor(db: Database) {
    this.db = db;
    // Entry uuids are written all over their table: with SQLite's usual 2 MB most cost a page read from disk.
    db.pragma('cache_size = -8192');
    this.sql = prepareAll(db, { ...transcriptSql, ...entrySql });
    this.deletedWithText = deletedWithText.map((sql) => db.prepare(sql));
    this.deletedFindings = deletedFindings.map((sql) => db.prepare(sql));
    this.forms = new WordFormWriter(db);
    this.toolCalls = new ToolCallWriter(this.sql);
    this.entries = new EntryWriter(this.sql);
  }

  getRoot(agent: string, path: string, machineId = 0): RootRow {
    const known = findRootId(this.db, agent, path, machineId);
    return { agent, id: known ?? Number(this.sql.insertRoot.run(agent, path, machineId).lastInsertRowid) };
  }

  saveTranscript(rootId: number, file: TranscriptFile, progress: TranscriptProgress): number {
    const row = { ...progress, isUnterminated: Number(progress.isUnterminated) };
    const id = this.sql.transcriptId.pluck().get(rootId, file.path) as number | undefined;
    if (id !== undefined) {
      this.sql.updateTranscript.run({ ...row, id });
      return id;
    }
    const { path, kind, nativeId } = file;
    const isMachinery = Number(file.isMachinery);
    const inserted = this.sql.insertTranscript.run({ ...row, rootId, path, kind, nativeId, isMachinery });
    return Number(inserted.lastInsertRowid);
  }

  /** A file that could not be read: what is known of it stays, and the reason is kept. False when it is not known. */
  markFailed(rootId: number, path: string, reason: string): boolean {
    return this.sql.markFailed.run(reason, rootId, path).changes > 0;
  }

  markGone(transcriptId: number): void {
    this.sql.markTranscriptGone.run(transcriptId);
    for (const id of this.sql.sessionOfTranscript.pluck().all(transcriptId) as number[])
      this.sql.markSessionGone.run(id);
  }

  findSessionId(transcriptId: number): number | undefined {
    return this.sql.sessionOfTranscript.pluck().get(transcriptId) as number | undefined;
  }

  insertSession(
    session: { id: number; root: RootRow; transcriptId: number; file: TranscriptFile },
    facts: SessionFacts,
    added: AddedCounts,
  ): void {
    const { id, root, transcriptId, file } = session;
    const { nativeId, kind, slug } = file;
    // The transcript itself replaces what was recovered of it.
    for (const recovered of this.sql.recoveredOf.pluck().all(root.agent, nativeId) as number[])
      this.deleteSession(recovered);
    const place = { id, rootId: root.id, transcriptId, agent: root.agent, nativeId, kind, slug };
    const isMachinery = Number(file.isMachinery);
    this.sql.insertSession.run({ ...toFactValues(facts), ...added, ...place, isMachinery });
  }

  /** What its transcript now says that it is; the start of one may have been half written when it was first read. */
  saveIdentity(sessionId: number, transcriptId: number, { kind, nativeId }: TranscriptFile): void {
    this.sql.identifySession.run(kind, nativeId, sessionId);
    this.sql.identifyTranscript.run(kind, nativeId, transcriptId);
  }

  insertRecovered({ id, agent }: RootRow, nativeId: string, slug: string | null): number {
    return Number(this.sql.insertRecovered.run(id, agent, nativeId, slug).lastInsertRowid);
  }

  clearFindings(transcriptId: number): void {
    for (const statement of this.deletedFindings) statement.run({ transcriptId });
  }

  /** Removes all text of a session; the session itself stays. Its entries are removed by `entries.unlink`. */
  clearSession(sessionId: number): void {
    for (const statement of this.deletedWithText) statement.run({ sessionId });
    this.entries.unsettleSummarised(sessionId);
    this.sql.deleteSummaries.run(sessionId);
    this.sql.resetCounts.run(sessionId);
  }

  deleteSession(sessionId: number): void {
    this.clearSession(sessionId);
    this.entries.unlink(sessionId);
    this.sql.deleteSessionFts.run(sessionId);
    this.sql.deleteSession.run(sessionId);
  }

  addMessages(sessionId: number, messages: readonly IndexedMessage[]): void {
    for (const { seq, uuid, role, kind, timestamp, isSidechain, text, part } of messages) {
      const place = [sessionId, seq, sessionId, seq] as const;
      this.sql.insertMessage.run(...place, uuid, role, kind, timestamp, Number(isSidechain), text);
      this.sql.insertMessageFts.run(sessionId, seq, toSearchable(text), part);
    }
  }

  /** Only words that occur in the index: others would reveal what was withheld. */
  addUsedForms(words: readonly string[]): void {
    this.forms.add(findUsedWords(this.db, words));
  }

  /** A queued prompt that also came through as an ordinary one was typed once. `added` are the latest messages. */
  dropQueuedCopies(sessionId: number, added: readonly IndexedMessage[]): void {
    const queued = this.sql.queued.all({ sessionId }) as { id: number; text: string }[];
    if (queued.length === 0) return;
    // Of what was there before, only a prompt that is queued now can have its copy.
    const typed = new Set(
      added.some(({ kind }) => kind === 'queued')
        ? (this.sql.typed.pluck().all({ sessionId }) as string[])
        : added.filter(({ role }) => role === 'user').map(({ text }) => text),
    );
    for (const { id, text } of queued) {
      if (!typed.has(text)) continue;
      this.sql.deleteOneMessageFts.run(id);
      this.sql.deleteOneMessage.run(id);
      this.sql.uncountMessage.run(text.length, sessionId);
    }
  }

  readFacts(sessionId: number): SessionFacts {
    const row = this.sql.readFacts.get(sessionId) as StoredFacts;
    return { ...row, versions: JSON.parse(row.versions), models: JSON.parse(row.models) };
  }

  /** Together with the counts, so that the session's row is written once. */
  saveFacts(sessionId: number, facts: SessionFacts, added: AddedCounts): void {
    this.sql.saveFacts.run({ ...toFactValues(facts), ...added, sessionId });
  }

  addSkipped(transcriptId: number, count: number, lines: readonly SkippedLine[]): void {
    if (count === 0) return;
    this.sql.countSkipped.run(count, transcriptId);
    const kept = this.sql.skippedKept.pluck().get(transcriptId) as number;
    for (const { line, reason } of lines.slice(0, Math.max(0, maxSkippedLinesKept - kept)))
      this.sql.insertSkipped.run(transcriptId, line, reason);
  }

  addUnknownTypes(transcriptId: number, types: Batch['unknownTypes']): void {
    for (const found of types) this.sql.addUnknown.run(transcriptId, ...found);
  }
}

type StoredFacts = Omit<SessionFacts, 'versions' | 'models'> & { versions: string; models: string };

function toFactValues(facts: SessionFacts): StoredFacts {
  return { ...facts, versions: JSON.stringify(facts.versions), models: JSON.stringify(facts.models) };
}
