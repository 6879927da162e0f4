// Saves what can still be read from a damaged index into a new one beside it, then puts the new one in its place.
// What is on disk will be read again anyway; this is for the sessions that live on only in the index. Rows that were saved are
// made to fit together again: what refers to a lost row lets go of it, and messages whose session was lost get one.

import { copyFileSync, existsSync, linkSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { sql } from 'kysely';
import { type Migration, migrations } from '../../../migrations/index.ts';
import { type Database, openDatabase, type Statement } from '../open/database.ts';
import { migrate } from '../open/migrate.ts';
import { openStore } from '../open/open-store.ts';
import { condition, get, query, run } from '../open/typed-query.ts';
import { readSchemaVersion, toTooNewError } from '../open/versions.ts';
import { isMessageOf, isToolCallOf, sessionOfMessage } from '../row-ids.ts';
import { orphanPrefix } from '../write/settlement.ts';
import { dropWorkWithoutWords, readWorkAgain, startRedacting } from './privacy.ts';
import { rebuildWords } from './words-index.ts';

interface Salvaged {
  readonly rows: number;
  readonly sessions: number;
  /** Where the damaged file was put. */
  readonly damagedPath: string;
  readonly lost: readonly LostSetting[];
}

/** What a person has asked for, as far as it could not be read: to keep secrets out, to forget sessions. */
export type LostSetting = 'redaction' | 'forgotten';

/** In the order in which rows refer to each other. */
const tables = [
  'setting',
  'tombstone',
  'forgotten_leaf',
  'root',
  'project',
  'transcript',
  'sidecar',
  'hint',
  'session',
  'message',
  'tool_call',
  'work',
  'tool_text',
  'summary',
  'entry_uuid',
  'entry_block',
  'leaf',
  'session_link',
];

/** Tables without a rowid are read in the order of their key. */
const keys: Readonly<Record<string, readonly string[]>> = {
  tombstone: ['native_id', 'agent'],
  forgotten_leaf: ['leaf_hash'],
  hint: ['native_id', 'root_id', 'slug'],
  summary: ['leaf_hash', 'session_id', 'seq'],
  entry_uuid: ['uuid_hash', 'session_id'],
  leaf: ['leaf_hash', 'session_id'],
  session_link: ['session_id', 'other_id'],
};

const countSessions = query.selectFrom('session').select((q) => q.fn.countAll<number>().as('n'));

export async function salvageIndex(
  path: string,
  nowMs: number,
  list: readonly Migration[] = migrations,
): Promise<Salvaged> {
  const damaged = openDamaged(path);
  const version = damaged === null ? null : readDamagedVersion(damaged, path, list);
  const freshPath = `${path}.repair`;
  removeIndex(freshPath);
  // Rows fit the tables of the recall that wrote them, which may be an older one; they are upgraded with the tables.
  const fresh = await openStore(freshPath, { migrations: list.slice(0, version ?? list.length) });
  const copied = new Map<string, number>();
  let lost: LostSetting[] = ['redaction', 'forgotten'];
  let sessions = 0;
  try {
    if (damaged !== null) {
      for (const table of tables) copied.set(table, copyTable(damaged, fresh.db, table));
      lost = findLostSettings(damaged, copied);
      damaged.close();
    }
    await migrate(fresh.db, {}, list);
    repairRows(fresh.db);
    await rebuildWords(fresh.db);
    dropWorkWithoutWords(fresh.db);
    readWorkAgain(fresh.db);
    // Before it takes the place of the old one: whoever indexes next must not read secrets that were to be kept out.
    if (lost.includes('redaction')) await startRedacting(fresh);
    sessions = get(fresh.db, countSessions).n;
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

/** Damaged files that earlier repairs have left beside the index. */
export function findDamaged(path: string): string[] {
  const prefix = `${basename(path)}.damaged-`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(dirname(path), name));
}

function removeIndex(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
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

interface Column {
  readonly name: string;
  readonly hidden: number;
}

/** Row by row from both ends, so that a bad page in the middle costs only what is on it. */
function copyTable(from: Database, to: Database, table: string): number {
  const all = to.prepare('select name, hidden from pragma_table_xinfo(?)').all(table) as Column[];
  // Older indexes did not have every table.
  if (all.length === 0) return 0;
  // Those that are computed from others cannot be inserted.
  const isStored = (_: unknown, i: number) => all[i]?.hidden === 0;
  const columns = all.filter(isStored).map(({ name }) => name);
  const insert = to.prepare(
    `insert or ${table === 'setting' ? 'replace' : 'ignore'} into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  );
  // By place and not by name, since a bit of a name may be wrong; unordered, it is in the order of its key.
  const descending = (keys[table] ?? ['rowid']).map((key) => `${key} desc`).join(', ');
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

function insertWhole(insert: Statement, row: readonly unknown[]): number {
  try {
    return insert.run(...row).changes;
  } catch (error) {
    // A row whose values no longer fit their columns.
    if (String((error as { code?: string }).code).startsWith('SQLITE_CONSTRAINT')) return 0;
    throw error;
  }
}

function isDamage(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? '';
  return (
    code.startsWith('SQLITE_CORRUPT') ||
    code === 'SQLITE_NOTADB' ||
    code.startsWith('SQLITE_IOERR') ||
    code === 'SQLITE_ERROR'
  );
}

/** Everything on disk is read again and every session settled by the next update. */
function repairRows(db: Database): void {
  adoptOrphans(db);
  const sessions = query.selectFrom('session').select('id');
  const transcripts = query.selectFrom('transcript').select('id');
  run(db, query.updateTable('transcript').set({ parser_version: 0 }));
  for (const table of ['tool_call', 'work'] as const)
    run(db, query.deleteFrom(table).where('session_id', 'not in', sessions));
  run(
    db,
    query.deleteFrom('tool_text').where(sql<number>`${sql.raw(sessionOfMessage('id'))}`, 'not in', sessions),
  );
  run(db, query.deleteFrom('transcript').where('root_id', 'not in', query.selectFrom('root').select('id')));
  run(
    db,
    query
      .updateTable('session')
      .set({ transcript_id: null, is_gone: 1 })
      .where('transcript_id', 'is not', null)
      .where('transcript_id', 'not in', transcripts),
  );
  run(
    db,
    query
      .updateTable('session')
      .set({ project_id: null })
      .where('project_id', 'not in', query.selectFrom('project').select('id')),
  );
  recount(db);
  const lostRoots = query
    .selectFrom('session')
    .select((q) => [
      'root_id',
      q.fn.min('agent').as('agent'),
      sql<string>`'lost-root-' || root_id`.as('path'),
    ])
    .groupBy('root_id');
  run(db, query.insertInto('root').orIgnore().columns(['id', 'agent', 'path']).expression(lostRoots));
}

/** Of a session whose row was lost, nothing else is known than what was said, and when. */
function adoptOrphans(db: Database): void {
  const orphans = query
    .selectFrom('message')
    .select((q) => [
      'session_id',
      q.selectFrom('root').select(sql<number>`coalesce(min(id), 1)`.as('id')).as('root_id'),
      q.selectFrom('root').select(sql<string>`coalesce(min(agent), 'lost')`.as('agent')).as('agent'),
      sql<string>`${sql.lit(orphanPrefix)} || session_id`.as('native_id'),
      sql.lit('history').as('kind'),
      q.fn.min('timestamp').as('first_timestamp'),
      q.fn.max('timestamp').as('last_timestamp'),
      q
        .selectFrom('message as first')
        .select(sql<string>`substr(text, 1, ${sql.lit(maxPromptChars)})`.as('prompt'))
        .whereRef('first.session_id', '=', 'message.session_id')
        .where('first.role', '=', 'user')
        .orderBy('first.id')
        .limit(1)
        .as('own_first_prompt'),
      sql.lit(1).as('is_gone'),
    ])
    .where('session_id', 'not in', query.selectFrom('session').select('id'))
    .groupBy('session_id');
  run(
    db,
    query
      .insertInto('session')
      .columns([
        ...(['id', 'root_id', 'agent', 'native_id', 'kind', 'first_timestamp'] as const),
        ...(['last_timestamp', 'own_first_prompt', 'is_gone'] as const),
      ])
      .expression(orphans),
  );
}

const maxPromptChars = 2000;

function recount(db: Database): void {
  const messages = query.selectFrom('message').where(condition(isMessageOf('session.id', 'message.id')));
  const calls = query.selectFrom('tool_call').where(condition(isToolCallOf('session.id', 'tool_call.id')));
  run(
    db,
    query.updateTable('session').set({
      is_unsettled: 1,
      message_count: messages.select((q) => q.fn.countAll<number>().as('n')),
      text_chars: messages.select(sql<number>`coalesce(sum(length(text)), 0)`.as('n')),
      tool_call_count: calls.select((q) => q.fn.countAll<number>().as('n')),
    }),
  );
}
