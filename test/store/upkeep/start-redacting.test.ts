// Taking secrets out of an index that has them leaves none in any of its files, nor among the words of tools.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startRedacting, stopKeepingToolTexts } from '../../../src/store/upkeep/privacy.ts';
import { checkWords } from '../../../src/store/upkeep/words-index.ts';
import { redactionVersion } from '../../../src/text/redact.ts';
import { assistantLine, TempHome, toolUse, userLine } from '../../support/home.ts';
import { indexHome, rowsOf, withStore } from '../../support/index-home.ts';

const body = 'a8Kd93mZpQ7xT2vB5nW1cR6yL4hJ0gF9sE3u';
const secret = `ghp_${body}`;

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

const filesHolding = (text: string) => {
  const folder = dirname(home.indexPath);
  return readdirSync(folder).filter((name) =>
    [text, text.toLowerCase()].some((each) => readFileSync(join(folder, name)).includes(each)),
  );
};
const lines = (text: string, count: number) =>
  Array.from({ length: count }, (_, i) => userLine(`${text} ${i} ${'filler words '.repeat(15)}`));

test('also not in free pages, where an older version of the text was', async () => {
  home.writeSession('aaaaaaaa', lines(`token ${secret}`, 300));
  await indexHome(home);
  home.writeSession('aaaaaaaa', lines(`token ${secret}`, 3));
  await indexHome(home);
  expect(filesHolding(body)).toContain('recall.db');
  const { rows, isWiped } = await withStore(home, startRedacting);
  expect([rows >= 3, isWiped]).toEqual([true, true]);
  expect(filesHolding(body)).toEqual([]);
  expect(await rowsOf(home, 'select is_redacting from setting')).toEqual([
    { is_redacting: redactionVersion },
  ]);
});

// Free pages used to keep the secrets of rows that were gone, where no other row had one.
test('also where no text has a secret any more', async () => {
  home.writeSession('aaaaaaaa', lines(`token ${secret}`, 300));
  await indexHome(home);
  home.writeSession('aaaaaaaa', lines('harmless', 3));
  await indexHome(home);
  expect(filesHolding(body)).toContain('recall.db');
  expect(await withStore(home, startRedacting)).toEqual({ rows: 0, isWiped: true });
  expect(filesHolding(body)).toEqual([]);
});

test('and what tools did leaves none where it is no longer kept', async () => {
  const runs = (text: string) => [
    userLine('go'),
    assistantLine(Array.from({ length: 50 }, (_, i) => toolUse('Bash', { command: `echo ${i} ${text}` }))),
  ];
  home.writeSession('aaaaaaaa', runs('pangolinAlpha'));
  await indexHome(home);
  home.writeSession('aaaaaaaa', [userLine('harmless')]);
  await indexHome(home);
  expect(await withStore(home, stopKeepingToolTexts)).toBe(true);
  expect(filesHolding('pangolinAlpha')).toEqual([]);
});

test('where only the words of a tool are known, they are given up, and its transcript is read again', async () => {
  home.writeSession('aaaaaaaa', [
    userLine('go'),
    assistantLine([toolUse('Bash', { command: `echo ${secret}` })]),
  ]);
  await indexHome(home);
  await withStore(home, ({ db }) => db.exec('update work set has_text = 0; delete from tool_text'));
  await withStore(home, startRedacting);
  expect(filesHolding(body)).toEqual([]);
  expect(await rowsOf(home, 'select id from work')).toEqual([]);
  await withStore(home, ({ db }) => expect(checkWords(db)).toEqual([]));
  await indexHome(home);
  expect(await rowsOf(home, 'select has_text from work')).toEqual([{ has_text: 1 }]);
  expect(filesHolding(body)).toEqual([]);
});

test('nothing to take out leaves all as it was', async () => {
  home.writeSession('aaaaaaaa', lines('harmless', 3));
  await indexHome(home);
  expect(await withStore(home, startRedacting)).toEqual({ rows: 0, isWiped: true });
  expect(await rowsOf(home, 'select count(*) as count from message')).toEqual([{ count: 3 }]);
});
