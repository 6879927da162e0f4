// What tools were given and answered, as a whole: kept or not, and without secrets.

import { pack, redactToolText } from '../../text/tool-text.ts';
import type { Database } from '../open/database.ts';
import type { Store } from '../open/open-store.ts';
import { type BlockRow, unpackBlock } from '../read/tool-texts.ts';
import { wipe } from './wipe.ts';

/** As the migration makes it, in place of whatever is there. */
export const emptyWorkWords = `
  drop table if exists work_fts;
  create virtual table work_fts using fts5 (
    text, part,
    content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  );
  insert into work_fts (work_fts, rank) values ('hashsize', ${8 * 1024 * 1024});`;

/** How many rows there were. The caller is in a transaction. */
export function dropWork(db: Database): number {
  const rows = Number(db.prepare('select count(*) from work').pluck().get());
  db.exec(`delete from work; delete from tool_text; ${emptyWorkWords}`);
  return rows;
}

/** In all texts that are stored; of the others only words are known, and they are dropped. How many rows were changed. */
export function redactWork(db: Database): number {
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
  readWorkAgain(db);
  return changed + dropped;
}

/** After words were built of all texts there are: the text of these is lost. */
export function dropWorkWithoutWords(db: Database): void {
  db.exec('delete from work where id not in (select id from work_fts_docsize)');
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
