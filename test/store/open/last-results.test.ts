// The numbers of the last list survive the program, belong to one terminal, and nothing they meet on disk can break it.

import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findLastResults, forgetLastResults, saveLastResults } from '../../../src/store/open/last-results.ts';
import { TempHome } from '../../support/home.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

const shownAt = '2026-03-05T10:00:00.000Z';
const folder = () => `${home.indexPath}.last`;
const save = (terminal: string | null, ...nativeIds: string[]) =>
  saveLastResults(home.indexPath, terminal, { shownAt, nativeIds });
const find = (terminal: string | null) => findLastResults(home.indexPath, terminal);
/** Files written within a millisecond are equally old. */
const age = (name: string, seconds: number) => utimesSync(join(folder(), name), seconds, seconds);

test('each terminal has its own list', () => {
  expect(find('1')).toBeUndefined();
  save('1', 'aaaaaaaa', 'odd "id"\n');
  save('2', 'bbbbbbbb');
  save('1', 'cccccccc');
  expect(find('1')).toEqual({ shownAt, nativeIds: ['cccccccc'], isOwn: true });
  expect(find('2')).toEqual({ shownAt, nativeIds: ['bbbbbbbb'], isOwn: true });
  expect(find('3')).toBeUndefined();
});

test('without a terminal, the latest list of any is meant', () => {
  save('1', 'aaaaaaaa');
  save(null, 'bbbbbbbb');
  age('tty-1.json', 2000);
  age('none.json', 1000);
  expect(find(null)).toEqual({ shownAt, nativeIds: ['aaaaaaaa'], isOwn: false });
  age('none.json', 3000);
  expect(find(null)).toEqual({ shownAt, nativeIds: ['bbbbbbbb'], isOwn: false });
});

test('terminals that are long gone do not pile up', () => {
  for (let i = 0; i < 60; i++) {
    save(`${i}`, 'aaaaaaaa');
    age(`tty-${i}.json`, 1000 + i);
  }
  expect(readdirSync(folder()).length).toBe(50);
  expect(find('59')).toBeDefined();
  expect(find('0')).toBeUndefined();
});

test('anything else in the place of a list is not one', () => {
  mkdirSync(dirname(home.indexPath), { recursive: true });
  writeFileSync(folder(), '["aaaaaaaa"]');
  expect([find('1'), find(null)]).toEqual([undefined, undefined]);
  save('1', 'bbbbbbbb');
  expect(find('1')?.nativeIds).toEqual(['bbbbbbbb']);
  for (const content of ['', '{"torn', 'null', '[]', '{"nativeIds":["x"]}']) {
    writeFileSync(join(folder(), 'tty-1.json'), content);
    expect([find('1'), find(null)]).toEqual([undefined, undefined]);
  }
});

test('no name of a terminal leads out of the folder', () => {
  save('../../x', 'aaaaaaaa');
  expect(find('../../x')?.nativeIds).toEqual(['aaaaaaaa']);
  expect(readdirSync(folder())).toEqual(['tty-.._.._x.json']);
});

test('forgetting forgets all of them', () => {
  save('1', 'aaaaaaaa');
  forgetLastResults(home.indexPath);
  expect([find('1'), find(null)]).toEqual([undefined, undefined]);
});

test('a place that cannot be written costs the numbers only', () => {
  writeFileSync(`${home.path}/file`, '');
  const list = { shownAt, nativeIds: ['aaaaaaaa'] };
  expect(() => saveLastResults(`${home.path}/file/recall.db`, '1', list)).not.toThrow();
});
