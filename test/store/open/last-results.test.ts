// The numbers of the last search survive the program, and nothing they meet there can break it.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readLastResults, saveLastResults } from '../../../src/store/open/last-results.ts';
import { TempHome } from '../../support/home.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

test('what was saved last is read', () => {
  expect(readLastResults(home.indexPath)).toEqual([]);
  saveLastResults(home.indexPath, ['aaaaaaaa', 'odd "id"\n']);
  expect(readLastResults(home.indexPath)).toEqual(['aaaaaaaa', 'odd "id"\n']);
  saveLastResults(home.indexPath, []);
  expect(readLastResults(home.indexPath)).toEqual([]);
});

test('anything else in the file is not a result', () => {
  mkdirSync(dirname(home.indexPath), { recursive: true });
  for (const [content, expected] of [
    ['', []],
    ['{"torn', []],
    ['{"0":"x"}', []],
    ['null', []],
    ['[1,null,"aaaaaaaa",["b"]]', ['aaaaaaaa']],
  ] as const) {
    writeFileSync(`${home.indexPath}.last`, content);
    expect(readLastResults(home.indexPath)).toEqual(expected);
  }
});

test('a place that cannot be written costs the numbers only', () => {
  writeFileSync(`${home.path}/file`, '');
  expect(() => saveLastResults(`${home.path}/file/recall.db`, ['aaaaaaaa'])).not.toThrow();
});
