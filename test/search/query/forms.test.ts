// The ways in which one typed word may occur in a text.

import { describe, expect, test } from 'vitest';
import { type FormMode, toForms } from '../../../src/search/query/forms.ts';

/** `stem: redis`, one for each form. */
const formsOf = (text: string, mode: FormMode = 'word') =>
  toForms(text, mode).map(({ tokens, match }) => `${match}: ${tokens.join(' ')}`);

describe('words', () => {
  test.each([
    ['redis', ['stem: redis']],
    ['Running', ['stem: running']],
    ['Café', ['stem: cafe']],
    ['jwt-auth.ts', ['exact: jwt auth ts']],
    ['getUserById', ['stem: getuserbyid', 'exact: get user by id']],
    ['get_user_by_id', ['exact: get user by id', 'exact: getuserbyid']],
    ["don't", ['exact: don t']],
    ['2.17.3', ['exact: 2 17 3', 'exact: v2 17 3']],
    ['v2.17.3-beta', ['exact: v2 17 3 beta', 'exact: 2 17 3 beta']],
    ['(v20.1)', ['exact: v20 1', 'exact: 20 1']],
    ['v20', ['stem: v20']],
    ['AND', ['stem: and']],
    ['"', []],
    ['…', []],
  ])('%s → %j', (text, forms) => {
    expect(formsOf(text)).toEqual(forms);
  });

  test('a phrase is exact and a prefix is open at its end', () => {
    expect(formsOf('Running jobs', 'exact')).toEqual(['exact: running jobs']);
    expect(formsOf('run', 'prefix')).toEqual(['prefix: run']);
    expect(formsOf('jwt-au', 'prefix')).toEqual(['prefix: jwt au']);
  });
});

test.each([
  ['数据库', ['cjk: 数据库']],
  ['用Redis', ['cjk: 用 redis']],
  ['한국어', ['cjk: 한국어']],
])('Chinese, Japanese and Korean: %s → %j', (text, forms) => {
  expect(formsOf(text)).toEqual(forms);
});

test.each([
  ['C++', 'cplusplus'],
  ['c#,', 'csharp'],
  ['.NET', 'dotnet'],
])('the symbol %s → %s', (text, name) => {
  expect(formsOf(text)).toEqual([`symbol: ${name}`]);
});

test('.network is no symbol', () => {
  expect(formsOf('.network')).toEqual(['stem: network']);
});
