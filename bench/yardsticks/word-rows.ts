// The rows of the full-text tables. They hold no text, so it is taken again from the table they belong to, and the
// words beside it are made as the program makes them.

import type Database from 'better-sqlite3';
import { toPartTokens, toSearchable, WordForms } from '../../src/text/words.ts';
import { listTables, readColumns } from './tables.ts';

export interface WordTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** FTS5's own settings that the index keeps, such as the size of its buffer. */
  readonly settings: readonly (readonly [string, unknown])[];
}

export function wordTables(db: Database.Database): WordTable[] {
  return listTables(db, 'virtual').map((name) => {
    // FTS5 takes only whole numbers for its settings, and a JavaScript number goes in as a fraction.
    const config = db.prepare(`select k, v from "${name}_config" where k <> 'version'`).raw().safeIntegers();
    return { name, columns: readColumns(db, name), settings: config.all() as [string, unknown][] };
  });
}

/** `message_fts` has the words of `message`, in the rows it has words for. */
export function* toWordRows(db: Database.Database, words: WordTable): Generator<unknown[]> {
  const base = words.name.replace(/_fts$/, '');
  // With the columns that are computed.
  const select = db.prepare(
    `select * from "${base}"
    where rowid in (select id from "${words.name}_docsize") order by rowid`,
  );
  for (const row of select.iterate() as IterableIterator<Record<string, unknown>>)
    yield [row.id, ...toCells(words.columns, row)];
}

const forms = new WordForms();

/** What a column of words is made of, where the table has no column of that name. */
const contextColumns = ['branch', 'subagent_type', 'subagent_description', 'last_prompt', 'first_cwd'];

function toCells(columns: readonly string[], row: Record<string, unknown>): string[] {
  const texts = columns.map((column) => {
    if (column === 'part') return '';
    if (column in row) return toSearchable(toText(row[column]));
    return contextColumns.map((name) => toText(row[name])).join(' ');
  });
  const part = toPartTokens(texts.join(' ').trim(), forms);
  forms.take();
  return columns.map((column, i) => (column === 'part' ? part : (texts[i] ?? '')));
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
