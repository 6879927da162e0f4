// Labels: what a person says of sessions, and nobody else knows. They are kept in labels.db, a SQLite file beside the index, so that
// nothing that happens to the index can cost them; the index holds a copy (tables label, label_copy), which is made again whenever
// that file has changed. SQLite and not lines of JSON: kill -9, two writers and a full disk are its business, and what is taken away
// is overwritten in place; a text file would need a lock, a repair of torn lines and a safe rewrite of its own.
// A label that was taken away stays as a row without a value, so that an older copy from elsewhere does not bring it back.

import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toReason, UserError } from '../errors.ts';
import { hint, recall } from '../hints.ts';
import type { AgentName, LabelEntry } from '../records.ts';
import { type Database, openDatabase } from './open/database.ts';
import type { Store } from './open/open-store.ts';

const createTable = `
  create table if not exists label (
    agent text not null,
    id text not null,
    message text not null, -- the uuid of a message; empty for the session as a whole
    field text not null, -- name, star, note, or tag:<tag>
    value text, -- null once it was taken away
    changed_at text not null,
    primary key (agent, id, message, field)
  ) strict, without rowid`;

/** The newer wins; of two at the same moment the greater, so that machines agree in whatever order they meet. */
const mergeLabel = `
  insert into label (agent, id, message, field, value, changed_at) values (@agent, @id, @message, @field, @value, @changedAt)
  on conflict do update set value = excluded.value, changed_at = excluded.changed_at
  where (excluded.changed_at, coalesce(excluded.value, '')) > (label.changed_at, coalesce(label.value, ''))`;

export function findLabelsPath(indexPath: string): string {
  return join(dirname(indexPath), 'labels.db');
}

/** Differs after every change; empty where there is no file. */
function readStamp(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? '' : [found.ino, found.size, found.mtimeMs, found.ctimeMs].join(' ');
}

function withLabels<T>(path: string, use: (db: Database) => T): T {
  try {
    if (readStamp(path) === '') closeSync(openSync(path, 'a', 0o600));
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
    const db = openDatabase(path, { timeoutMs: 10_000 });
    try {
      db.pragma('secure_delete = on');
      db.exec(createTable);
      return use(db);
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof UserError || typeof (error as { code?: unknown }).code !== 'string') throw error;
    throw new UserError(`the labels in ${path} cannot be used: ${toReason(error)}`, {
      code: 'labels-unusable',
      hint: hint`free the space or fix the permissions; if the file is damaged, move it away and run ${recall('labels', 'import', '<file>')}`,
      cause: error,
    });
  }
}

interface LabelledSession {
  readonly agent: AgentName;
  readonly nativeId: string;
}

/** Of one session or of all, also those that were taken away. */
export function readLabelEntries(path: string, session?: LabelledSession): LabelEntry[] {
  if (readStamp(path) === '') return [];
  const where = session === undefined ? '' : 'where agent = @agent and id = @nativeId';
  const sql = `select agent, id, nullif(message, '') as message, field, value, changed_at as changedAt from label ${where}
    order by agent, id, message, field`;
  return withLabels(path, (db) => db.prepare(sql).all({ ...session }) as LabelEntry[]);
}

/** All of them or, where something fails, none. How many were newer than what was there. */
export function mergeLabels(path: string, entries: readonly LabelEntry[]): number {
  if (entries.length === 0) return 0;
  return withLabels(path, (db) => {
    const merge = db.prepare(mergeLabel);
    const mergeAll = db.transaction(() =>
      entries.reduce((sum, each) => sum + merge.run({ ...each, message: each.message ?? '' }).changes, 0),
    );
    return mergeAll.immediate();
  });
}

/** What a person says now is newer than anything that is there, whatever clock that was written by. */
export function saveLabels(
  path: string,
  session: LabelledSession,
  changes: readonly Pick<LabelEntry, 'message' | 'field' | 'value'>[],
  now: Date,
): void {
  const { agent, nativeId: id } = session;
  withLabels(path, (db) => {
    const read = db
      .prepare('select value, changed_at from label where (agent, id, message, field) = (?, ?, ?, ?)')
      .raw();
    const merge = db.prepare(mergeLabel);
    const save = db.transaction(() => {
      for (const { message, field, value } of changes) {
        const found = read.get(agent, id, message ?? '', field) as [string | null, string] | undefined;
        if ((found?.[0] ?? null) === value) continue;
        const atMs = Math.max(now.getTime(), found === undefined ? 0 : Date.parse(found[1]) + 1);
        const changedAt = new Date(atMs).toISOString();
        merge.run({ agent, id, message: message ?? '', field, value, changedAt });
      }
    });
    save.immediate();
  });
}

/** No byte of them is left in the file. */
export function deleteLabels(path: string, agent: AgentName, nativeIds: readonly string[]): void {
  if (readStamp(path) === '') return;
  const sql = 'delete from label where agent = ? and id in (select value from json_each(?))';
  withLabels(path, (db) => db.prepare(sql).run(agent, JSON.stringify(nativeIds)));
}

export function areLabelsCopied({ db, path }: Store): boolean {
  const copied = db.prepare('select stamp from label_copy').pluck().get() ?? '';
  return copied === readStamp(findLabelsPath(path));
}

/**
 * Brings the copy in the index up to date; sessions whose labels have changed wait to be settled. The caller holds the index lock.
 * The stamp is taken before the labels are read: what is written meanwhile is copied next time.
 */
export function copyLabels({ db, path }: Store, clean: (text: string) => string): void {
  const labelsPath = findLabelsPath(path);
  const stamp = readStamp(labelsPath);
  const rows = readLabelEntries(labelsPath).flatMap(({ agent, id, message, field, value }) =>
    value === null ? [] : [[agent, id, message ?? '', field, clean(value)]],
  );
  const copy = db.transaction(() => {
    db.exec('create temp table was as select * from label');
    db.exec('delete from label');
    const insert = db.prepare(
      'insert into label (agent, native_id, message, field, value) values (?, ?, ?, ?, ?)',
    );
    for (const row of rows) insert.run(...row);
    const changed = (a: string, b: string) =>
      `select agent, native_id from (select * from ${a} except select * from ${b})`;
    db.exec(`update session set is_unsettled = 1 where (agent, native_id) in (
      ${changed('label', 'temp.was')} union ${changed('temp.was', 'label')})`);
    db.exec('drop table temp.was');
    db.prepare('insert or replace into label_copy (id, stamp) values (1, ?)').run(stamp);
  });
  copy.immediate();
}
