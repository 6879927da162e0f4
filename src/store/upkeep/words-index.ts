// The tables of words as a whole: checking, merging, and building them again from the stored text.

import { setImmediate } from 'node:timers/promises';
import { toSearchedText } from '../../text/tool-text.ts';
import { toPartTokens, toSearchable, WordForms } from '../../text/words.ts';
import { type Database, transact } from '../open/database.ts';
import type { Store, UpgradeOptions } from '../open/open-store.ts';
import { createToolTextWords, createWordTables, wordTables } from '../open/versions.ts';
import { type BlockRow, unpackBlock } from '../read/tool-texts.ts';
import {
  findUsedWords,
  insertSessionWords,
  listSessionWords,
  type NamedSession,
  WordFormWriter,
} from '../write/words.ts';

const tableNames = [...Object.keys(wordTables), 'work_fts'];

/** Merges every segment into one, which drops the words of deleted rows and makes reading cheapest. */
export function optimizeWords(store: Store): void {
  for (const table of tableNames) store.db.exec(`insert into ${table} (${table}) values ('optimize')`);
}

export function checkWords(db: Database): string[] {
  return [
    ...tableNames.flatMap((table) => (isSound(db, table) ? [] : [`${table} is damaged`])),
    ...checkRows(db),
  ];
}

function isSound(db: Database, table: string): boolean {
  try {
    db.exec(`insert into ${table} (${table}) values ('integrity-check')`);
    return true;
  } catch (error) {
    // Busy, read-only or full says nothing about the words; a table that is not there does.
    const code = String((error as { code?: string }).code);
    if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_ERROR') return false;
    throw error;
  }
}

const expectedRows: Readonly<Record<string, string>> = {
  message_fts: 'select id from message',
  tool_call_fts: 'select id from tool_call where target is not null',
  session_fts: 'select id from session where is_unsettled = 0',
  work_fts: 'select id from work',
};

/** In one transaction, so that an indexer at work is seen either before or after a change. */
function checkRows(db: Database): string[] {
  const check = db.transaction(() =>
    Object.entries(expectedRows).flatMap(([table, expected]) => {
      const count = (sql: string) => Number(db.prepare(`select count(*) from (${sql})`).pluck().get());
      try {
        const missing = count(`${expected} except select id from ${table}_docsize`);
        // A session that waits to be settled may still have the words it had.
        const known = table === 'session_fts' ? 'select id from session' : expected;
        const left = count(`select id from ${table}_docsize except ${known}`);
        return [
          ...(missing === 0 ? [] : [`${table} lacks ${missing} rows`]),
          ...(left === 0 ? [] : [`${table} has ${left} rows too many`]),
        ];
      } catch {
        return [`${table} cannot be counted`];
      }
    }),
  );
  return check();
}

/** Whether the words of tool texts are sound and complete. */
export function areToolWordsSound(db: Database): boolean {
  return checkWords(db).every((problem) => !problem.startsWith('work_fts'));
}

/**
 * Builds the tables of words again from the text in the index, also that of sessions which live only there. In one
 * transaction: searches of other processes find what they found before until it is done, and aborting leaves all as it was.
 */
export async function rebuildWords(db: Database, options: UpgradeOptions = {}): Promise<void> {
  await transact(db, async () => {
    // Words whose text is not stored are still there: what is known of their forms is kept.
    const forms = db.prepare('select word from word_form').pluck().all() as string[];
    await fillWords(db, options);
    new WordFormWriter(db).add(findUsedWords(db, forms));
  });
}

export async function fillWords(db: Database, { onProgress, signal }: UpgradeOptions = {}): Promise<void> {
  createWordTables(db);
  const forms = new WordForms();
  const formWriter = new WordFormWriter(db);
  const total = Number(db.prepare(countTexts).pluck().get());
  let done = 0;
  /**
   * In pages of ids, because better-sqlite3 allows no write while a statement is being stepped through, and a page of
   * texts may be as large as the texts are. In ascending order, or FTS5 would write out what it has gathered at every row.
   */
  const fill = async <Row>(ids: string, row: string, insert: (row: Row, id: number) => unknown) => {
    const readIds = db.prepare(`${ids} and id > ? order by id limit ${rowsPerPage}`).pluck();
    const readRow = db.prepare(row);
    for (let last: number | undefined = 0; last !== undefined; ) {
      const page = readIds.all(last) as number[];
      for (const id of page) insert(readRow.get(id) as Row, id);
      formWriter.add(forms.take());
      done += page.length;
      onProgress?.({ what: 'words', done: Math.min(done, total), total });
      last = page.at(-1);
      // Lets a signal arrive, and the progress be drawn.
      await setImmediate();
      signal?.throwIfAborted();
    }
  };
  const message = db.prepare('insert into message_fts (rowid, text, part) values (?, ?, ?)');
  await fill<TextRow>(
    'select id from message where true',
    'select text from message where id = ?',
    ({ text }, id) => message.run(id, toSearchable(text), toPartTokens(text, forms)),
  );
  const call = db.prepare('insert into tool_call_fts (rowid, target, part) values (?, ?, ?)');
  await fill<TextRow>(
    'select id from tool_call where target is not null',
    'select target as text from tool_call where id = ?',
    ({ text }, id) => call.run(id, text, toPartTokens(text, forms)),
  );
  const session = db.prepare(insertSessionWords);
  // Also those that wait to be settled: until then they are found by what they were called before.
  await fill<NamedSession>('select id from session where true', namedSession, (named, id) =>
    session.run(id, ...listSessionWords(named, forms)),
  );
  // Texts that are not stored keep the words that they have.
  const withoutText = db.prepare('select 1 from work where has_text = 0 limit 1');
  if (!isSound(db, 'work_fts') || withoutText.get() === undefined) createToolTextWords(db);
  const isKnown = db.prepare('select 1 from work where id = ?');
  const work = db.prepare('insert or replace into work_fts (rowid, text, part) values (?, ?, ?)');
  const block = 'select id, texts from tool_text where id = ?';
  await fill<BlockRow>('select id from tool_text where true', block, (row) => {
    for (const { id, text: stored } of unpackBlock(row).sort((a, b) => a.id - b.id)) {
      if (isKnown.get(id) === undefined) continue;
      const text = toSearchedText(stored);
      work.run(id, toSearchable(text), toPartTokens(text, forms));
    }
  });
}

type TextRow = { readonly text: string };

const rowsPerPage = 200;

/** By what the sessions say of themselves: going through all text would take a while of its own. */
const countTexts = `
  select coalesce(sum(message_count + tool_call_count), 0) + count(*) + (select count(*) from tool_text) from session`;

const namedSession = `
  select title, title_source as titleSource, summary, first_prompt as firstPrompt, project.path as projectPath, branch, tag,
    subagent_type as subagentType, subagent_description as subagentDescription, pr_repository as prRepository,
    pr_number as prNumber,
    iif(title_source = 'yours', coalesce(custom_title, named_title, ai_title), null) as otherTitle,
    (select group_concat(iif(field = 'note', value, substr(field, 5)), char(10)) from label
      where label.agent = session.agent and label.native_id = session.native_id and (field = 'note' or field like 'tag:%'))
      as labelText
  from session left join project on project.id = session.project_id where session.id = ?`;
