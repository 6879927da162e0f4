// Yardstick: the least that making an index can cost. Takes a finished index and inserts the same rows into the
// tables of a new one, full text included. Reading the rows and splitting words is not counted, only the inserting.
// Arguments: the finished index, the index to make. Prints the milliseconds.

import Database from 'better-sqlite3';
import { openStore } from '../../src/store/open/open-store.ts';
import { Stopwatch } from './stopwatch.ts';
import { readTables, type Table } from './tables.ts';
import { toWordRows, wordTables } from './word-rows.ts';

/** Rows read ahead of each stretch of inserting. */
const pageRows = 5000;
/** Rows of one transaction. */
const transactionRows = 50_000;

const [sourcePath = '', targetPath = ''] = process.argv.slice(2);
const source = new Database(sourcePath, { readonly: true });
const store = await openStore(targetPath);
const watch = new Stopwatch();

// Room for the pages that are written to again and again, as a writer in earnest would ask for.
store.db.pragma('cache_size = -64000');
for (const { name, columns } of readTables(source)) {
  // A new index may come with rows.
  store.db.exec(`delete from "${name}"`);
  copyRows({ name, columns }, readRows(name, columns));
}
for (const words of wordTables(source)) {
  for (const [key, value] of words.settings)
    store.db.prepare(`insert into ${words.name} (${words.name}, rank) values (?, ?)`).run(key, value);
  copyRows({ name: words.name, columns: ['rowid', ...words.columns] }, toWordRows(source, words));
}
watch.time(() => store.close());
console.log(watch.ms);

function readRows(name: string, columns: readonly string[]): IterableIterator<unknown[]> {
  const sql = `select ${columns.map((column) => `"${column}"`).join(', ')} from "${name}"`;
  return source.prepare(sql).raw().iterate() as IterableIterator<unknown[]>;
}

function copyRows({ name, columns }: Table, rows: Iterable<unknown[]>): void {
  const places = columns.map(() => '?').join(', ');
  const names = columns.map((column) => `"${column}"`).join(', ');
  const insert = store.db.prepare(`insert into "${name}" (${names}) values (${places})`);
  let page: unknown[][] = [];
  let inTransaction = 0;
  const insertPage = () =>
    watch.time(() => {
      if (inTransaction === 0) store.db.exec('begin');
      for (const row of page) insert.run(row);
      inTransaction += page.length;
      if (inTransaction < transactionRows) return;
      store.db.exec('commit');
      inTransaction = 0;
    });
  for (const row of rows) {
    page.push(row);
    if (page.length < pageRows) continue;
    insertPage();
    page = [];
  }
  insertPage();
  if (store.db.inTransaction) watch.time(() => store.db.exec('commit'));
}
