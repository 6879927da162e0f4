// The FTS5 expression for one typed word.

import { describe, expect, test } from 'vitest';
import { toForms, toMatchExpression } from '../../../src/search/query/forms.ts';

const findWords = (stem: string) => (stem === 'run' ? ['running', 'runs'] : []);
const expressionOf = (text: string) => toMatchExpression(toForms(text, 'word'), findWords);

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
    expect(expressionOf(text)).toBe(expression);
  });

  test('a phrase is exact and a prefix is open at its end', () => {
    expect(toMatchExpression(toForms('Running jobs', 'exact'), findWords)).toBe('"running jobs"');
    expect(toMatchExpression(toForms('run', 'prefix'), findWords)).toBe('"run" *');
    expect(toMatchExpression(toForms('jwt-au', 'prefix'), findWords)).toBe('"jwt au" *');
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
    expect(expressionOf(text)).toBe(expression);
  });
});

test.each([
  ['C++', '"cplusplus"'],
  ['c#,', '"csharp"'],
  ['.NET', '"dotnet"'],
  ['.network', '"network"'],
])('the symbol %s → %s', (text, expression) => {
  expect(expressionOf(text)).toBe(expression);
});
