// The yardstick that inserts the same rows again asks the index what tables it has, so that it follows the schema.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTables } from '../../bench/yardsticks/tables.ts';
import { toWordRows, wordTables } from '../../bench/yardsticks/word-rows.ts';
import { openStore, type Store } from '../../src/store/open/open-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'recall-yardstick-'));
let store: Store;

beforeAll(async () => {
  store = await openStore(join(folder, 'recall.db'));
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

test('every ordinary table is copied, and none that belongs to another', () => {
  const names = readTables(store.db).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['transcript', 'session', 'message', 'tool_call']));
  expect(names.filter((name) => /_fts|^sqlite_|^kysely_/.test(name))).toEqual([]);
});

test('every full-text table is filled, but for rows that have no words', () => {
  const words = wordTables(store.db);
  expect(words.map(({ name }) => name)).toContain('message_fts');
  const message = words.find(({ name }) => name === 'message_fts');
  if (message === undefined) throw new Error('no full-text table of messages');
  const text = message.columns[0];
  store.db.exec(`
    insert into message (id, session_id, seq, role, kind, text)
      values (1, 1, 1, 'user', 'prompt', 'getUserById fails'), (2, 1, 2, 'user', 'prompt', 'left out');
    insert into message_fts (rowid, ${text}) values (1, 'getUserById fails')`);
  const rows = [...toWordRows(store.db, message)];
  expect(rows).toHaveLength(1);
  expect(rows[0]?.slice(0, 2)).toEqual([1, 'getUserById fails']);
  expect(String(rows[0])).toContain('get user by id');
});
