// The work text as a whole. It is not stored, so what is dropped of it comes back only from transcripts that are still there.

import type { Database } from '../open/database.ts';
import type { Store } from '../open/open-store.ts';
import { wipe } from './wipe.ts';

/** As the migration makes it, in place of whatever is there. */
const emptyTables = `
  delete from work;
  drop table if exists work_fts;
  create virtual table work_fts using fts5 (
    text, part,
    content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  );
  insert into work_fts (work_fts, rank) values ('hashsize', ${8 * 1024 * 1024});`;

/** How many rows there were. The caller is in a transaction. */
export function dropWork(db: Database): number {
  const rows = Number(db.prepare('select count(*) from work').pluck().get());
  db.exec(emptyTables);
  return rows;
}

/** The next update reads every transcript that is still there again. */
export function readWorkAgain(db: Database): void {
  db.exec("update transcript set parser_version = 0 where state <> 'gone'; delete from snapshot");
}

export function startKeepingWork(db: Database): void {
  db.transaction(() => {
    setKeepsWork(db, true);
    readWorkAgain(db);
  }).immediate();
}

/** From now on, and no byte of what is there stays. False as wipe() has it. The caller holds the index lock. */
export function stopKeepingWork(store: Store): boolean {
  const { db } = store;
  db.pragma('secure_delete = on');
  const stop = db.transaction(() => {
    setKeepsWork(db, false);
    return dropWork(db);
  });
  return stop.immediate() === 0 || wipe(store);
}

function setKeepsWork(db: Database, keeps: boolean): void {
  db.prepare('update setting set keeps_work = ?').run(Number(keeps));
}
