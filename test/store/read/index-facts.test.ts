// A format that is no longer understood shows in how many messages transcripts give, and in nothing else.

import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readPoorYields } from '../../../src/store/read/index-facts.ts';
import { type Line, TempHome, userLine } from '../../support/home.ts';
import { indexHome, withStore } from '../../support/index-home.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

const understood = (count: number) => Array.from({ length: count }, (_, n) => userLine(`question ${n}`));
const changed = (count: number): Line[] =>
  Array.from({ length: count }, (_, n) => ({
    type: 'utterance',
    version: '9.9.9',
    words: `question ${n}`.repeat(20),
  }));

/** Sessions of so many lines, each written on the day after the one before. */
async function poorAfter(...sessions: readonly Line[][]) {
  for (const [day, lines] of sessions.entries()) {
    const path = home.writeSession(`${day}`.padStart(8, 'a'), lines);
    const seconds = 1_770_000_000 + day * 86_400;
    utimesSync(join(home.claudeDir, path), seconds, seconds);
  }
  await indexHome(home);
  return withStore(home, ({ db }) => readPoorYields(db));
}

const years = Array.from({ length: 6 }, () => understood(30));

test('as long as messages are found there is nothing to say', async () => {
  expect(await poorAfter(...years)).toEqual([]);
});

test('nothing at all, from transcripts that hold something', async () => {
  const poor = await poorAfter(changed(20), changed(20));
  expect(poor).toEqual([{ agent: 'claude', version: '9.9.9', files: 2, what: 'none' }]);
});

test('suddenly far fewer, with the version that writes them', async () => {
  const poor = await poorAfter(
    ...years,
    ...Array.from({ length: 5 }, () => [...changed(40), userLine('one')]),
  );
  expect(poor).toEqual([{ agent: 'claude', version: expect.any(String), files: 5, what: 'fewer' }]);
});

test('sessions that were opened and left again are no sign of anything', async () => {
  const empty: Line[] = [{ type: 'system', version: '2.1.100', subtype: 'init' }];
  expect(await poorAfter(...years, empty, empty, empty, empty, empty)).toEqual([]);
});
