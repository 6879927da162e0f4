// What people paste instead of typing: paths with a line number, addresses, names with their arity, whole errors.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shortenCompound } from '../../src/search/query/forms.ts';
import { parseQuery } from '../../src/search/query/parse-query.ts';
import { assistantLine, type Line, toolUse, userLine } from '../support/home.ts';
import { ask, type Indexed, idsOf, indexed } from './ask.ts';

let index: Indexed;

const talk = (text: string): Line[] => [userLine(text), assistantLine(`About that: ${text}`)];

beforeAll(async () => {
  index = await indexed((home) => {
    home.writeSession('masks', [
      ...talk('the masks come out empty'),
      assistantLine([toolUse('Write', { file_path: '/home/u/athena/extract_sam_results.py', content: 'x' })]),
    ]);
    home.writeSession('moved', talk('extract the results of another run of sam, in ten parts, py 10'));
    home.writeSession('pages', talk('the page https://example.org/docs/setup says so'));
    home.writeSession('elixir', talk('Chat.Room.join crashes when the room is full'));
    home.writeSession('yarl', talk('pip says that yarl has no RECORD file'));
    home.writeSession(
      'vpn',
      Array.from({ length: 10 }, (_, i) => userLine(`uninstall the vpn client, part ${i}`)),
    );
    for (let i = 0; i < 12; i++)
      home.writeSession(`other${i}`, talk(`the asyncio event loop and base_events, request ${i}, error`));
  });
});

afterAll(() => index.close());

const found = async (text: string) => idsOf(await ask(index.store, text));

describe('a compound', () => {
  test.each([
    ['extract_sam_results.py', 'masks'],
    ['extract_sam_results.py:10', 'masks'],
    ['extract_sam_results.py:10:3', 'masks'],
    ['src/moved/extract_sam_results.py', 'masks'],
    ['C:\\work\\extract_sam_results.py(10,3)', 'masks'],
    ['https://example.org/docs/setup?tab=2#top', 'pages'],
    ['http://example.org/docs/setup/', 'pages'],
    ['Chat.Room.join/1', 'elixir'],
    ['Chat.Room.join(room)', 'elixir'],
  ])('%s finds what its part without the place finds', async (text, id) => {
    const { tier, hits, shortened } = await ask(index.store, text);
    expect({ tier, ids: hits.map((hit) => hit.session.nativeId) }).toEqual({ tier: 'all', ids: [id] });
    expect(shortened.map(([typed]) => typed)).toEqual(text === 'extract_sam_results.py' ? [] : [text]);
  });

  test('two words with a slash stay two words', () => {
    expect(shortenCompound('client/server')).toEqual([]);
    expect(shortenCompound('and/or')).toEqual([]);
  });

  test('is shortened step by step', () => {
    expect(shortenCompound('/srv/app/src/main.rs:7')).toEqual([
      '/srv/app/src/main.rs',
      'srv/app/src/main.rs',
      'app/src/main.rs',
      'src/main.rs',
      'main.rs',
    ]);
    for (const text of ['', '/', '//', ':1', '?', 'http://', '(', '/1', '...'])
      expect(() => shortenCompound(text)).not.toThrow();
  });
});

describe('a pasted error', () => {
  const frames = Array.from(
    { length: 20 },
    (_, i) =>
      `  File "/usr/lib/python3.11/asyncio/base_events${i}.py", line ${600 + i}, in run_until_complete${i}\n    return future${i}.result()`,
  );
  const traceback = [
    'Traceback (most recent call last):',
    ...frames,
    '  File "/mnt/other/athena/extract_sam_results.py", line 10, in main',
    '    mask = decode(part) or -1',
    'ValueError: not enough values to unpack',
  ].join('\n');

  test('is found by the file it names, however long it is', async () => {
    expect((await found(traceback))[0]).toBe('masks');
  });

  test('keeps files, errors and names when there are too many words', () => {
    const { terms, excluded } = parseQuery(traceback);
    const texts = terms.map((term) => term.text);
    expect(texts.length).toBe(32);
    expect(texts).toContain('/mnt/other/athena/extract_sam_results.py');
    expect(texts).toContain('ValueError:');
    expect(excluded).toEqual([]);
  });
});

// The common word, said again and again, won.
test('the only session with the rare word comes before one that repeats the common one', async () => {
  expect((await found('uninstall yarl')).slice(0, 2)).toEqual(['yarl', 'vpn']);
});
