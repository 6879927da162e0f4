// What must not be in the index: sessions that were forgotten, secrets, and what tools did where nobody wants it. What is
// taken out leaves no byte in the file (wipe).

import type { AgentName } from '../../records.ts';
import { redact, redactCut, redactionVersion } from '../../text/redact.ts';
import { pack } from '../../text/tool-text.ts';
import { type Database, transact } from '../open/database.ts';
import type { Store } from '../open/open-store.ts';
import { createToolTextWords } from '../open/versions.ts';
import { isOfKind } from '../read/scope.ts';
import { minPrefixChars } from '../read/sessions.ts';
import { type BlockRow, unpackBlock } from '../read/tool-texts.ts';
import { isMessageOf } from '../row-ids.ts';
import type { Tables } from '../schema.ts';
import { toProjectHash } from '../write/recovery-writer.ts';
import { saveTotals } from '../write/settlement.ts';
import { TranscriptWriter } from '../write/transcript-writer.ts';
import { dropUnusedForms } from '../write/words.ts';
import { fillWords, optimizeWords } from './words-index.ts';

export interface SessionKey {
  readonly agent: AgentName;
  readonly nativeId: string;
}

export interface Forgotten {
  readonly nativeIds: readonly string[];
  readonly sessions: number;
  readonly messages: number;
}

/** The session, its subagents, subagents of those, and histories saved before its compactions. */
export function findFamily({ db }: Store, key: SessionKey): string[] {
  return db
    .prepare(
      `with recursive family (native_id) as (
        values (@nativeId) union
        select session.native_id from family join session on session.parent_native_id = family.native_id
        where session.agent = @agent and ${isOfKind('isChild', 'session.kind')})
      select native_id from family`,
    )
    .pluck()
    .all(key) as string[];
}

/** Other sessions that hold entries of this one: forgetting it leaves their text. */
export function findCopies({ db }: Store, key: SessionKey): string[] {
  return db
    .prepare(
      `select distinct other.native_id from session mine join session other on other.conversation_id = mine.conversation_id
      where mine.agent = @agent and mine.native_id = @nativeId and other.native_id <> mine.native_id`,
    )
    .pluck()
    .all(key) as string[];
}

interface Family extends Pick<SessionKey, 'agent'> {
  readonly nativeIds: readonly string[];
  /** By which paths name these sessions, where they are others: whoever looks at paths only must not take one back either. */
  readonly namedIds: readonly string[];
}

export function readFamily(
  store: Store,
  key: SessionKey,
  findNamedId: (path: string) => string | null = () => null,
): Family {
  const { agent } = key;
  const nativeIds = findFamily(store, key);
  const paths = store.db
    .prepare(pathsOfFamily)
    .pluck()
    .all({ agent, ids: JSON.stringify(nativeIds) });
  const namedIds = (paths as string[])
    .map(findNamedId)
    .filter((id) => id !== null && !nativeIds.includes(id));
  return { agent, nativeIds, namedIds: namedIds as string[] };
}

/**
 * 1. With secure_delete on, SQLite overwrites what it deletes.
 * 2. The rows go, tombstones keep the ids from coming back, and what is due after that is noted, in one transaction. Sessions
 *    that took something from them, a summary say, are left unsettled.
 */
export function forgetSession(
  { db }: Store,
  { agent, nativeIds, namedIds }: Family,
  forgottenAt: string,
): Forgotten {
  const family = { agent, ids: JSON.stringify(nativeIds), forgottenAt };
  db.pragma('secure_delete = on');
  const forget = db.transaction(() => {
    const found = db.prepare(`select id, message_count from ${ofFamily}`).raw().all(family);
    const sessions = found as [id: number, messages: number][];
    for (const nativeId of [...nativeIds, ...namedIds]) saveTombstone(db, agent, nativeId, forgottenAt);
    for (const sql of whatOthersSay) db.prepare(sql).run(family);
    const writer = new TranscriptWriter(db);
    for (const [id] of sessions) writer.deleteSession(id);
    for (const sql of whatFilesSay) db.prepare(sql).run(family);
    db.exec(
      'delete from project where id not in (select project_id from session where project_id is not null)',
    );
    // A look at the files leaves others, which do not name it; those of an archive name nothing.
    db.exec('delete from snapshot where length(names) > 0');
    setWipeDue(db);
    saveTotals(db);
    return sessions;
  });
  const sessions = forget.immediate();
  const messages = sessions.reduce((sum, [, count]) => sum + count, 0);
  return { nativeIds, sessions: sessions.length, messages };
}

const inFamily = 'native_id in (select value from json_each(@ids))';
const ofFamily = `session where session.agent = @agent and session.${inFamily}`;

const pathsOfFamily = `
  select transcript.path from session join transcript on transcript.id = session.transcript_id
  where session.agent = @agent and session.${inFamily}`;

const leavesOfFamily = `select leaf_hash from leaf where session_id in (select id from ${ofFamily})`;

/** What other sessions say of these, now and when it is read again. */
const whatOthersSay = [
  `insert into forgotten_leaf (leaf_hash) select distinct leaf_hash from summary where leaf_hash in (${leavesOfFamily})
    on conflict do nothing`,
  `delete from summary where leaf_hash in (${leavesOfFamily})`,
];

const ofFiles = `root_id in (select id from root where agent = @agent) and ${inFamily}`;
const whatFilesSay = [
  `delete from skipped_line where transcript_id in (select id from transcript where ${ofFiles})`,
  `delete from unknown_type where transcript_id in (select id from transcript where ${ofFiles})`,
  `delete from transcript where ${ofFiles}`,
  `delete from sidecar where ${ofFiles}`,
  `delete from hint where ${ofFiles}`,
  `delete from label where agent = @agent and ${inFamily}`,
];

/** With where and when it ran: older lines of history.jsonl name no session, only that. */
function saveTombstone(db: Database, agent: string, nativeId: string, forgottenAt: string): void {
  const row = db
    .prepare(
      `select first_cwd, first_timestamp, last_timestamp from session
      where agent = ? and native_id = ? and kind <> 'history' order by last_timestamp desc limit 1`,
    )
    .raw()
    .get(agent, nativeId) as (string | null)[] | undefined;
  const [cwd = null, first = null, last = null] = row ?? [];
  db.prepare(
    `insert into tombstone (agent, native_id, forgotten_at, project_hash, first_timestamp, last_timestamp)
    values (?, ?, ?, ?, ?, ?) on conflict do nothing`,
  ).run(agent, nativeId, forgottenAt, cwd === null ? null : toProjectHash(cwd), first, last);
}

/** Every column that holds what people, assistants or files beside the transcripts said. All but messages may have been cut. */
const texts = {
  message: ['text'],
  tool_call: ['target'],
  summary: ['text'],
  label: ['value'],
  hint: ['first_prompt', 'summary', 'custom_title'],
  sidecar: ['custom_title', 'subagent_description'],
  session: [
    'own_first_prompt',
    'own_last_prompt',
    'custom_title',
    'named_title',
    'ai_title',
    'tag',
    'title',
    'summary',
    'hinted_first_prompt',
    'subagent_description',
  ],
} as const satisfies { readonly [Table in keyof Tables]?: readonly (keyof Tables[Table])[] };

export function stopRedacting(db: Database): void {
  db.exec('update setting set is_redacting = 0');
}

/**
 * From now on, and in all that is stored already. The caller holds the index lock; sessions are settled by the next update.
 * In how many rows a secret was found, and whether wipe() was complete.
 */
export async function startRedacting(store: Store): Promise<{ rows: number; isWiped: boolean }> {
  const { db } = store;
  const define = (name: string, clean: (text: string) => string) =>
    db.function(name, { deterministic: true }, (text) => (typeof text === 'string' ? clean(text) : text));
  define('redact', (text) => redact(text));
  define('redact_cut', redactCut);
  db.pragma('secure_delete = on');
  const rows = await transact(db, () => redactStored(db));
  // Also where no row has a secret: free pages may have those of rows that are gone.
  return { rows, isWiped: wipe(store) };
}

async function redactStored(db: Database): Promise<number> {
  db.prepare('update setting set is_redacting = ?').run(redactionVersion);
  let rows = redactToolTexts(db);
  for (const [table, columns] of Object.entries(texts)) {
    const clean = table === 'message' ? 'redact' : 'redact_cut';
    for (const column of columns)
      rows += db
        .prepare(
          `update ${table} set ${column} = ${clean}(${column}) where ${column} is not ${clean}(${column})`,
        )
        .run().changes;
  }
  setWipeDue(db);
  if (rows === 0) return 0;
  // The next update settles every session: it must not think that it has nothing to do.
  db.exec(`
    update session set is_unsettled = 1, text_chars = (
      select coalesce(sum(length(text)), 0) from message where ${isMessageOf('session.id', 'message.id')});
    delete from snapshot`);
  saveTotals(db);
  await fillWords(db);
  return rows;
}

/** The caller is in a transaction. */
export function dropToolTexts(db: Database): void {
  db.exec('delete from work; delete from tool_text');
  createToolTextWords(db);
}

/** In all texts that are stored; of the others only words are known, and they are dropped. How many rows were changed. */
function redactToolTexts(db: Database): number {
  const update = db.prepare('update tool_text set texts = ? where id = ?');
  const ids = db.prepare('select id from tool_text').pluck().all() as number[];
  const read = db.prepare('select id, texts from tool_text where id = ?');
  let changed = 0;
  for (const id of ids) {
    const texts = unpackBlock(read.get(id) as BlockRow);
    const clean = texts.map((each) => ({ ...each, text: redactToolText(each.text) }));
    const count = clean.filter(({ text }, i) => text !== texts[i]?.text).length;
    if (count > 0) update.run(pack(clean), id);
    changed += count;
  }
  const withoutText = 'select id from work where has_text = 0';
  const dropped = Number(db.prepare(`select count(*) from (${withoutText})`).pluck().get());
  if (dropped === 0) return changed;
  db.exec(`delete from work_fts where rowid in (${withoutText}); delete from work where has_text = 0`);
  readTranscriptsAgain(db);
  return changed + dropped;
}

/** After words were built of all texts there are: the text of these is lost. */
export function dropToolTextsWithoutWords(db: Database): void {
  db.exec('delete from work where id not in (select id from work_fts_docsize)');
}

/** The next update reads every transcript that is still there again. */
export function readTranscriptsAgain(db: Database): void {
  db.exec("update transcript set parser_version = 0 where state <> 'gone'; delete from snapshot");
}

export function startKeepingToolTexts(db: Database): void {
  db.transaction(() => {
    db.exec('update setting set keeps_work = 1');
    readTranscriptsAgain(db);
  }).immediate();
}

/** From now on, and no byte of what is there stays. False as wipe() has it. The caller holds the index lock. */
export function stopKeepingToolTexts(store: Store): boolean {
  const { db } = store;
  db.pragma('secure_delete = on');
  const stop = db.transaction(() => {
    db.exec('update setting set keeps_work = 0');
    dropToolTexts(db);
    setWipeDue(db);
  });
  stop.immediate();
  return wipe(store);
}

/** Noted with what is deleted, so that it is wiped by a later run where this one is killed. */
export function setWipeDue(db: Database): void {
  db.exec('update setting set is_wipe_due = 1');
}

export function saveCleaned(db: Database, archive: string, tombstones: number): void {
  db.prepare('insert or replace into cleaned_archive values (?, ?)').run(archive, tombstones);
}

/** Those that were forgotten by this id, or by one that starts with it. */
export function findTombstones(db: Database, ref: string): readonly (SessionKey & { forgottenAt: string })[] {
  const columns = 'select agent, native_id as nativeId, forgotten_at as forgottenAt from tombstone';
  const exact = db.prepare(`${columns} where native_id = ?`).all(ref);
  const found =
    exact.length > 0 || ref.length < minPrefixChars
      ? exact
      : db.prepare(`${columns} where substr(native_id, 1, length(@ref)) = @ref`).all({ ref });
  return found as (SessionKey & { forgottenAt: string })[];
}

/**
 * 1. Merging the full-text segments drops the words of deleted rows from them, and words that occur nowhere are removed.
 * 2. Older versions of pages may lie in free pages from before; only a new file is without them.
 * 3. The write-ahead log is emptied into it.
 *
 * False when another process kept the log, which still holds older pages, from being emptied.
 */
export function wipe(store: Store): boolean {
  const { db } = store;
  optimizeWords(store);
  dropUnusedForms(db);
  db.exec('vacuum');
  const [checkpoint] = db.pragma('wal_checkpoint(truncate)') as { busy: number }[];
  db.pragma('secure_delete = off');
  if (checkpoint?.busy !== 0) return false;
  db.exec('update setting set is_wipe_due = 0');
  return true;
}

/** What separates the two parts of a stored text that was cut: the count of what was left out, what was found there, and the rest. */
const gap = /(\n\f… \d+ characters left out …\v\x1d|\x1d\n)/;

/** A stored text without secrets. Each piece of one that was cut may hold the start of a secret, and the last the end of one. */
export function redactToolText(stored: string): string {
  const pieces = stored.split(gap);
  if (pieces.length === 1) return redact(stored);
  const [start = '', count, found = '', end, rest = ''] = pieces;
  return [
    redactCut(start),
    count,
    found.split('\n').map(redactCut).join('\n'),
    end,
    redact(rest).replace(restOfKey, '[redacted private-key]').replace(restOfSecret, '[redacted]'),
  ].join('');
}

/** What may be the end of a secret whose start was left out. */
const restOfKey = /^(?:(?!-----BEGIN)[\s\S])*-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const restOfSecret = /^(?:\s*[\w+/=.-]{20,}(?!\S))+/;
