// A question with everything that a front end gives besides its words.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Recall } from '../../src/api/recall.ts';
import type { SearchRequest } from '../../src/api/requests.ts';
import { assistantLine, at, type Line, TempHome, toolUse, userLine } from '../support/home.ts';
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
  const cwd = '/home/u/farm';
  const use = (tool: string, input: Line) => assistantLine([toolUse(tool, input)], { timestamp: at(4), cwd });
  home.writeSession(toId('d'), [
    userLine('please', { timestamp: at(3), cwd }),
    use('Bash', { command: 'load tapir' }),
  ]);
  home.writeSession(toId('e'), [
    userLine('please, without the heron', { timestamp: at(3), cwd }),
    use('Bash', { command: 'load tapir' }),
    use('Read', { file_path: '/srv/ibex.ts' }),
    use('Write', { file_path: '/srv/new.ts', content: 'a stoat' }),
  ]);
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
    expect(await find({ query: '-migration', since: '2026-01-01' })).toBe('bcde');
  });

  test('without a filter, are what is looked for', async () => {
    expect(await find({ query: '-migration' })).toBe('a');
    expect(await find({ query: '-migration', subagents: true, all: true })).toBe('a');
  });
});

// Only what was said was looked at, of which in:done has nothing.
describe('a word to exclude from what was done', () => {
  test.each(['ibex', 'stoat'])('%s', async (word) => {
    expect(await find({ query: 'tapir in:done' })).toBe('de');
    expect(await find({ query: `tapir -${word} in:done` })).toBe('d');
    expect(await find({ query: `tapir -${word}`, in: 'done' })).toBe('d');
  });

  test('is not looked for in what was said, nor in what was done without in:', async () => {
    expect(await find({ query: 'tapir -heron in:done' })).toBe('de');
    expect(await find({ query: 'tapir -stoat' })).toBe('de');
  });
});
