// The ways in which one typed word may occur in a text.

import { describe, expect, test } from 'vitest';
import { type FormMode, shortenCompound, toForms } from '../../../src/search/query/forms.ts';

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
    ['node-v2.5', ['exact: node v2 5']],
    ['ключ_пула', ['exact: ключ пула', 'exact: ключпула']],
    ['cafe\u0301s', ['stem: cafes']],
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

  test('of a long phrase the beginning is searched for', () => {
    const [form] = toForms(Array.from({ length: 40 }, (_, i) => `w${i}`).join(' '), 'exact');
    expect(form?.tokens).toEqual(Array.from({ length: 32 }, (_, i) => `w${i}`));
  });
});

test.each([
  ['数据库', ['cjk: 数据库']],
  ['用Redis', ['cjk: 用 redis']],
  ['redis-数据库', ['cjk: redis 数据库']],
  ['한국어', ['cjk: 한국어']],
])('Chinese, Japanese and Korean: %s → %j', (text, forms) => {
  expect(formsOf(text)).toEqual(forms);
});

test.each([
  ['C++', 'cplusplus'],
  ['c#,', 'csharp'],
  ['.NET', 'dotnet'],
  ['((C++))', 'cplusplus'],
  ['«C++»', 'cplusplus'],
])('the symbol %s → %s', (text, name) => {
  expect(formsOf(text)).toEqual([`symbol: ${name}`]);
});

test.each([
  ['.network', ['stem: network']],
  ['objc++', ['stem: objc']],
])('%s is no symbol', (text, forms) => {
  expect(formsOf(text)).toEqual(forms);
});

describe('what a pasted name is shortened to', () => {
  test.each<[string, string[]]>([
    ['src/api/server.ts:120:14', ['src/api/server.ts', 'api/server.ts', 'server.ts']],
    ['src/api/server.ts#L12-L20', ['src/api/server.ts', 'api/server.ts', 'server.ts']],
    ['(src/server.ts:12:5)', ['src/server.ts', 'server.ts']],
    ['(src/server.cs(12,5)),', ['src/server.cs', 'server.cs']],
    ['src\\server.cs(12,5)', ['src\\server.cs', 'server.cs']],
    ['server.ts(7)', ['server.ts']],
    ['`/home/maya/shop/`,', ['/home/maya/shop/', 'home/maya/shop/', 'maya/shop/', 'shop/']],
    ['~/shop', ['shop']],
    ['../shop', ['shop']],
    ['C:\\shop', ['shop']],
    ['and/or', []],
    ['handle_call/3', ['handle_call']],
    ['getUser(id)', ['getUser']],
    ['(getUser(id)', ['getUser(id)', 'getUser']],
    ['redis', []],
    ['redis:', ['redis']],
    ['https://a.example/b?c=1#d', ['https://a.example/b', 'a.example/b']],
    ['https://a.example/b//', ['https://a.example/b', 'a.example/b']],
    ['https://a.example', ['a.example']],
  ])('%s → %j', (text, shorter) => {
    expect(shortenCompound(text)).toEqual(shorter);
  });

  test('of many folders the last are taken off', () => {
    const shorter = shortenCompound(`/${Array.from({ length: 40 }, (_, i) => `f${i}`).join('/')}`);
    expect(shorter).toHaveLength(16);
    expect([shorter[0]?.split('/')[0], shorter.at(-1)]).toEqual(['f24', 'f39']);
  });
});
