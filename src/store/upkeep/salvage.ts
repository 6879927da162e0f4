// Saves what can still be read from a damaged index into a new one beside it, then puts the new one in its place.
// What is on disk will be read again anyway; this is for the sessions that live on only in the index. Rows that were saved are
// made to fit together again: what refers to a lost row lets go of it, and messages whose session was lost get one.

import { copyFileSync, existsSync, linkSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Migration, migrations } from '../../../migrations/index.ts';
import { type Database, openDatabase, type Statement } from '../open/database.ts';
import { migrate } from '../open/migrate.ts';
import { openStore } from '../open/open-store.ts';
import { readSchemaVersion, toTooNewError } from '../open/versions.ts';
import { isMessageOf, isToolCallOf, sessionOfMessage } from '../row-ids.ts';
import { orphanPrefix } from '../write/settlement.ts';
import { dropToolTextsWithoutWords, readTranscriptsAgain, startRedacting } from './privacy.ts';
import { rebuildWords } from './words-index.ts';

/** What a person has asked for, as far as it could not be read: to keep secrets out, to forget sessions. */
export type LostSetting = 'redaction' | 'forgotten';

/** What is found again when transcripts are read, what is counted or built from the other tables, and what may no longer be true. */
const notCopied = [
  'skipped_line',
  'unknown_type',
  'snapshot',
  'total',
  'word_form',
  'cleaned_archive',
  'label',
  'label_copy',
];

/** How much was saved, where the damaged file was put, and which settings could not be read. */
export async function salvageIndex(
  path: string,
  nowMs: number,
  list: readonly Migration[] = migrations,
): Promise<{ rows: number; sessions: number; damagedPath: string; lost: readonly LostSetting[] }> {
  const damaged = openDamaged(path);
  const version = damaged === null ? null : readDamagedVersion(damaged, path, list);
  const freshPath = `${path}.repair`;
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${freshPath}${suffix}`, { force: true });
  // Rows fit the tables of the recall that wrote them, which may be an older one; they are upgraded with the tables.
  const fresh = await openStore(freshPath, { migrations: list.slice(0, version ?? list.length) });
  const copied = new Map<string, number>();
  let lost: LostSetting[] = ['redaction', 'forgotten'];
  let sessions = 0;
  try {
    if (damaged !== null) {
      for (const table of listTables(fresh.db)) copied.set(table, copyTable(damaged, fresh.db, table));
      lost = findLostSettings(damaged, copied);
      damaged.close();
    }
    await migrate(fresh.db, {}, list);
    for (const sql of fitTogether) fresh.db.exec(sql);
    await rebuildWords(fresh.db);
    dropToolTextsWithoutWords(fresh.db);
    readTranscriptsAgain(fresh.db);
    // Before it takes the place of the old one: whoever indexes next must not read secrets that were to be kept out.
    if (lost.includes('redaction')) await startRedacting(fresh);
    sessions = Number(fresh.db.prepare('select count(*) from session').pluck().get());
    fresh.db.pragma('wal_checkpoint(truncate)');
  } finally {
    fresh.close();
  }
  const damagedPath = `${path}.damaged-${new Date(nowMs).toISOString().replace(/[:.]/g, '-')}`;
  if (existsSync(path)) keepAs(path, damagedPath);
  // The log of the damaged file must not be applied to the new one.
  for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  renameSync(freshPath, path);
  const rows = [...copied.values()].reduce((sum, count) => sum + count, 0);
  return { rows, sessions, damagedPath, lost };
}

function findLostSettings(damaged: Database, copied: ReadonlyMap<string, number>): LostSetting[] {
  const isLost = (table: string) => !isTableSound(damaged, table, copied.get(table) ?? 0);
  const lost: LostSetting[] = [];
  if (isLost('setting') || copied.get('setting') === 0) lost.push('redaction');
  if (isLost('tombstone') || isLost('forgotten_leaf')) lost.push('forgotten');
  return lost;
}

/** Whether the table is undamaged and this is all of it: reading a damaged page does not always fail. */
function isTableSound(damaged: Database, table: string, copied: number): boolean {
  try {
    const found = damaged.pragma(`integrity_check(${table})`) as { integrity_check: string }[];
    const isUndamaged = found.length === 1 && found[0]?.integrity_check === 'ok';
    return isUndamaged && damaged.prepare(`select count(*) from ${table}`).pluck().get() === copied;
  } catch {
    return false;
  }
}

/** More migrations than there will ever be: such a number is damage too. */
const implausibleVersion = 1000;

/** Null when it cannot be right; the tables are then taken to be of this recall. */
function readDamagedVersion(damaged: Database, path: string, list: readonly Migration[]): number | null {
  const version = readSchemaVersion(damaged);
  if (version <= 0 || version >= implausibleVersion) return null;
  if (version <= list.length) return version;
  damaged.close();
  throw toTooNewError(path, `schema ${version}, this one knows ${list.length}`);
}

/**
 * A second name, so that the index has one at every moment: a process that finds none makes an empty one, which
 * would replace all that was saved.
 */
function keepAs(path: string, damagedPath: string): void {
  try {
    linkSync(path, damagedPath);
  } catch {
    // Some file systems have no second names.
    copyFileSync(path, damagedPath);
  }
}

export function findDamaged(path: string): string[] {
  const prefix = `${basename(path)}.damaged-`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(dirname(path), name));
}

function openDamaged(path: string): Database | null {
  if (!existsSync(path)) return null;
  try {
    const db = openDatabase(path, { readOnly: true });
    // One definition that cannot be understood would otherwise make all tables unreadable.
    db.unsafeMode(true);
    db.pragma('writable_schema = on');
    db.pragma('user_version');
    return db;
  } catch {
    return null;
  }
}

function listTables(db: Database): string[] {
  const named = db.prepare("select name from pragma_table_list where schema = 'main' and type = 'table'");
  return (named.pluck().all() as string[]).filter(
    (name) => !/^sqlite_/.test(name) && !notCopied.includes(name),
  );
}

/** Row by row from both ends, so that a bad page in the middle costs only what is on it. */
function copyTable(from: Database, to: Database, table: string): number {
  const found = to.prepare('select name, hidden from pragma_table_xinfo(?)').raw().all(table);
  const all = found as [name: string, hidden: number][];
  // Those that are computed from others cannot be inserted.
  const isStored = (_: unknown, i: number) => all[i]?.[1] === 0;
  const columns = all.filter(isStored).map(([name]) => name);
  const insert = to.prepare(
    `insert or ${table === 'setting' ? 'replace' : 'ignore'} into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  );
  // By place and not by name, since a bit of a name may be wrong; unordered, it is in the order of its key.
  const key = to.prepare(keyOfTable).pluck().all({ table }) as string[];
  const descending = (key.length > 0 ? key : ['rowid']).map((column) => `${column} desc`).join(', ');
  let copied = 0;
  const copy = to.transaction(() => {
    for (const order of ['', `order by ${descending}`]) {
      try {
        const rows = from.prepare(`select * from ${table} not indexed ${order}`).raw();
        if (rows.columns().length !== all.length) return;
        for (const row of rows.iterate() as IterableIterator<unknown[]>)
          copied += insertWhole(insert, row.filter(isStored));
        return;
      } catch (error) {
        if (!isDamage(error)) throw error;
      }
    }
  });
  copy();
  return copied;
}

/** None where rows have an id of their own. */
const keyOfTable = `
  select name from pragma_table_info(@table)
  where pk > 0 and (select wr from pragma_table_list where schema = 'main' and name = @table) order by pk`;

function insertWhole(insert: Statement, row: readonly unknown[]): number {
  try {
    return insert.run(...row).changes;
  } catch (error) {
    if (String((error as { code?: string }).code).startsWith('SQLITE_CONSTRAINT')) return 0;
    throw error;
  }
}

function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|IOERR|NOTADB$|ERROR$)/.test((error as { code?: string }).code ?? '');
}

/** Of a session whose row was lost, nothing else is known than what was said, and when. */
const adoptOrphans = `
  insert into session (id, root_id, agent, native_id, kind, first_timestamp, last_timestamp, own_first_prompt, is_gone)
  select session_id, (select coalesce(min(id), 1) from root), (select coalesce(min(agent), 'lost') from root),
    '${orphanPrefix}' || session_id, 'history', min(timestamp), max(timestamp),
    (select substr(text, 1, 2000) from message first
      where first.session_id = message.session_id and first.role = 'user' order by first.id limit 1),
    1
  from message where session_id not in (select id from session) group by session_id`;

/** What refers to a lost row lets go of it; everything on disk is read again and every session settled by the next update. */
const fitTogether = [
  adoptOrphans,
  'update transcript set parser_version = 0',
  'delete from tool_call where session_id not in (select id from session)',
  'delete from work where session_id not in (select id from session)',
  `delete from tool_text where ${sessionOfMessage('id')} not in (select id from session)`,
  'delete from transcript where root_id not in (select id from root)',
  `update session set transcript_id = null, is_gone = 1
    where transcript_id is not null and transcript_id not in (select id from transcript)`,
  'update session set project_id = null where project_id not in (select id from project)',
  `update session set is_unsettled = 1,
    message_count = (select count(*) from message where ${isMessageOf('session.id', 'message.id')}),
    text_chars = (select coalesce(sum(length(text)), 0) from message where ${isMessageOf('session.id', 'message.id')}),
    tool_call_count = (select count(*) from tool_call where ${isToolCallOf('session.id', 'tool_call.id')})`,
  "insert or ignore into root (id, agent, path) select root_id, min(agent), 'lost-root-' || root_id from session group by root_id",
];
