// Whoever changes how words are made, or the tables they are in, has to raise wordsVersion: otherwise indexes that exist
// keep words that a search no longer asks for.

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/store/open/database.ts';
import { migrate } from '../../../src/store/open/migrate.ts';
import { createToolTextWords, wordsVersion, wordTables } from '../../../src/store/open/versions.ts';
import { toStem } from '../../../src/text/word-parts.ts';
import { toPartTokens, toSearchable, WordForms } from '../../../src/text/words.ts';

const text = `getUserById fails in src/middleware/jwt-auth.ts: don't call parse_HTML2Text() or C++ twice.
  Naïve cafés, running queues, 数据库连接池 超时, データベース接続, 데이터베이스 연결, Привет, миры таблиц. v2.1.325 #42 a/b\\c $HOME`;
const words = 'running queues cafés connections databases parsed answers happily таблицами'.split(' ');

/** By version. When the words change, raise the version and put its line here. */
const recorded: Readonly<Record<number, string>> = {
  1: '2947de555f141edf17d81584aaa0807bb5e35297ad33959cc2afa7ab7df4128b',
  2: '728e64b57a4bff93be72b5cd16acc28af631af782f2180de6d618be0fc61a73c',
  3: 'e1141c4741d7b4cafa805b2dea76966cb91db438dba52522e4ada563ea5497ba',
};

test('other words, or other tables for them, have another version', () => {
  const forms = new WordForms();
  const made = [toSearchable(text), toPartTokens(text, forms), forms.take(), words.map(toStem), wordTables];
  const hash = createHash('sha256').update(JSON.stringify(made)).digest('hex');
  expect(hash, 'raise wordsVersion in src/store/open/versions.ts').toBe(recorded[wordsVersion]);
});

test('the words of tools are made again as the migrations made them', async () => {
  const db = openDatabase(':memory:');
  await migrate(db);
  const definition = db.prepare("select sql from sqlite_schema where name = 'work_fts'").pluck();
  const made = definition.get();
  createToolTextWords(db);
  expect(definition.get()).toBe(made);
  db.close();
});
