// The word index in SQLite keeps the contract of every engine, and the FTS5 expression for what is searched for.

import { describe, expect, test } from 'vitest';
import { type FormMode, toForms } from '../../../src/search/query/forms.ts';
import { openStore } from '../../../src/store/open/open-store.ts';
import { readProjects } from '../../../src/store/read/index-facts.ts';
import { openWordIndex, writeMatch } from '../../../src/store/read/sqlite-word-index.ts';
import type { Expression } from '../../../src/store/word-index.ts';
import { describeEngine } from '../../search/contract.ts';
import { indexHome } from '../../support/index-home.ts';

describeEngine('SQLite', async (home, roots) => {
  const update = async () => {
    await indexHome(home, { at: roots });
  };
  await update();
  const store = await openStore(home.indexPath);
  const projects = new Map(readProjects(store.db).map(({ id, path }) => [path, id]));
  return { index: openWordIndex(store.db), projects, update, close: () => store.close() };
});

const findWords = (stem: string) => (stem === 'run' ? ['running', 'runs'] : []);
const word = (text: string, mode: FormMode = 'word'): Expression => ({ forms: toForms(text, mode) });
const matchOf = (expression: Expression) => writeMatch(expression, findWords);

describe('words', () => {
  test.each([
    ['redis', '"redis" OR "redi"'],
    ['jwt', '"jwt"'],
    ['Running', '"running" OR "run" OR "runs"'],
    ['run', '"run" OR "running" OR "runs"'],
    ['Café', '"cafe"'],
    ['jwt-auth.ts', '"jwt auth ts"'],
    ['getUserById', '"getuserbyid" OR "get user by id"'],
    ['get_user_by_id', '"get user by id" OR "getuserbyid"'],
    ["don't", '"don t"'],
    ['2.17.3', '"2 17 3" OR "v2 17 3"'],
    ['v2.17.3-beta', '"v2 17 3 beta" OR "2 17 3 beta"'],
    ['(v20.1)', '"v20 1" OR "20 1"'],
    ['v20', '"v20"'],
    ['ещё', '"ещё" OR "еще"'],
    ['Σφάλμα', '"σφάλμα" OR "σφαλμα"'],
    ['AND', '"and"'],
    ['"', ''],
    ['…', ''],
  ])('%s → %s', (text, expression) => {
    expect(matchOf(word(text))).toBe(expression);
  });

  test('a phrase is exact and a prefix is open at its end', () => {
    expect(matchOf(word('Running jobs', 'exact'))).toBe('"running jobs"');
    expect(matchOf(word('run', 'prefix'))).toBe('"run" *');
    expect(matchOf(word('jwt-au', 'prefix'))).toBe('"jwt au" *');
  });
});

describe('Chinese, Japanese and Korean', () => {
  test.each([
    ['数', '(part : "数" *)'],
    ['数据', '(part : "数据")'],
    ['数据库', '(part : "数据 据库")'],
    ['用Redis', '(part : "用" * AND "redis")'],
    ['한국어', '(part : "한국 국어")'],
  ])('%s → %s', (text, expression) => {
    expect(matchOf(word(text))).toBe(expression);
  });
});

test.each([
  ['C++', '"cplusplus"'],
  ['c#,', '"csharp"'],
  ['.NET', '"dotnet"'],
  ['.network', '"network"'],
])('the symbol %s → %s', (text, expression) => {
  expect(matchOf(word(text))).toBe(expression);
});

test('any and all of several, one inside the other', () => {
  const either = { any: [word('run'), word('jwt')] };
  expect(matchOf(either)).toBe('("run" OR "running" OR "runs") OR ("jwt")');
  expect(matchOf({ all: [either, word('jwt-auth')] })).toBe(
    '(("run" OR "running" OR "runs") OR ("jwt")) AND ("jwt auth")',
  );
});

test('of a stem with very many words, only some are searched for', () => {
  const many = Array.from({ length: 100 }, (_, i) => `run${i}`);
  const match = writeMatch(word('running'), () => many);
  expect(match.split(' OR ')).toHaveLength(48);
  expect(match).toMatch(/^"running" OR "run" OR "run0" OR /);
});

test('a quotation mark cannot end the word that it is in', () => {
  expect(matchOf({ forms: [{ tokens: ['a" OR "b\0'], match: 'exact' }] })).toBe('"a"" OR ""b"');
});
