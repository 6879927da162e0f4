// A question with everything that a front end gives besides its words.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Recall } from '../../src/api/recall.ts';
import type { SearchRequest } from '../../src/api/search.ts';
import { at, TempHome, userLine } from '../support/home.ts';
import { toHost } from '../support/host.ts';

let home: TempHome;
let recall: Recall;

const toId = (letter: string) => `${letter.repeat(8)}-0000-4000-8000-000000000001`;

beforeAll(async () => {
  home = new TempHome();
  home.writeSession(toId('a'), [userLine('the okapi migration', { timestamp: at(0) })]);
  home.writeSession(toId('b'), [userLine('the okapi fence', { timestamp: at(1) })]);
  home.writeSession(
    toId('c'),
    [userLine('the gate', { timestamp: at(2), cwd: '/home/u/zoo' })],
    '-home-u-zoo',
  );
  recall = new Recall(toHost(home));
  await recall.index();
});
afterAll(() => {
  recall.close();
  home.remove();
});

async function find(request: SearchRequest): Promise<string> {
  const { hits } = await recall.search(request, { refresh: false });
  return hits
    .map(({ session }) => session.nativeId[0])
    .sort()
    .join('');
}

describe('words to exclude, and nothing else', () => {
  // A filter that was not part of the query did not count, so the words after a minus were looked for.
  test('with a filter, list what it leaves without them', async () => {
    expect(await find({ query: 'project:shop -migration' })).toBe('b');
    expect(await find({ query: '-migration', project: 'shop' })).toBe('b');
    expect(await find({ query: '-migration', since: '2026-01-01' })).toBe('bc');
  });

  test('without a filter, are what is looked for', async () => {
    expect(await find({ query: '-migration' })).toBe('a');
    expect(await find({ query: '-migration', subagents: true, all: true })).toBe('a');
  });
});
