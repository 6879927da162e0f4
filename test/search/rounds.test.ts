// An engine behind a network answers a search in a few rounds: questions that do not depend on each other are asked together.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseQuery } from '../../src/search/query/parse-query.ts';
import { type SearchRequest, search } from '../../src/search/search.ts';
import { openWordIndex } from '../../src/store/read/sqlite-word-index.ts';
import { noFilters, type SessionFilters, type WordIndex } from '../../src/store/word-index.ts';
import { type Indexed, indexed, now } from './ask.ts';
import { anyQuery } from './queries.ts';
import { idOf, writeRoundsHome } from './rounds-home.ts';

const maxRounds = 8;

/** The same index, which answers all questions of one turn together in the next one, and counts these rounds. */
function countRounds(index: WordIndex): { readonly index: WordIndex; rounds: number } {
  const counted = { index: wrap(index), rounds: 0 };
  let answers: Promise<void> | null = null;
  function wait(): Promise<void> {
    answers ??= new Promise((resolve) => {
      counted.rounds++;
      setImmediate(() => {
        answers = null;
        resolve();
      });
    });
    return answers;
  }
  function wrap<T extends object>(asked: T): T {
    return new Proxy(asked, {
      get: (_, name) => {
        const question = asked[name as keyof T] as (...parameters: unknown[]) => unknown;
        if (name === 'scope') return (request: unknown) => wrap(question.call(asked, request) as object);
        return (...parameters: unknown[]) => wait().then(() => question.apply(asked, parameters));
      },
    });
  }
  return counted;
}

let index: Indexed;
let shop: number;

beforeAll(async () => {
  index = await indexed(writeRoundsHome);
  const { db } = index.store;
  shop = db.prepare("select id from project where path = '/home/u/shop'").pluck().get() as number;
});
afterAll(() => index.close());

type Choices = Partial<Omit<SearchRequest, 'filters'>> & { readonly filters?: Partial<SessionFilters> };

/** How many rounds it takes; the answer is the same as without them. */
async function roundsOf(text: string, { filters, ...choices }: Choices = {}): Promise<number> {
  const request: SearchRequest = {
    query: parseQuery(text),
    filters: { ...noFilters, ...filters },
    ...{ limit: 10, sort: 'relevance', listsSubagents: false, now },
    ...choices,
  };
  const words = openWordIndex(index.store.db);
  const counted = countRounds(words);
  expect(await search(counted.index, request)).toEqual(await search(words, request));
  return counted.rounds;
}

describe('a search asks in at most eight rounds', () => {
  test.each([
    ['a word', 'quokka'],
    ['several words', 'okapi migration'],
    ['a word that is nowhere', 'unicorn'],
    ['a misspelt word', 'zebrra'],
    ['a misspelt word beside common ones', 'alpha omega zebrra'],
    ['two misspelt words beside a common one', 'alpha zebrra walrsu'],
    ['the start of a word', 'quok*'],
    ['part of a word', 'migrat'],
    ['a path with a line', '/srv/src/jobs/poller.ts:10:3'],
    ['a call, and common words', 'alpha omega getUserById(1)'],
    ['a run of characters', '数据库连接'],
    ['a run that is nowhere', '数据库超时'],
    ['words that are everywhere', 'alpha omega'],
    ['words that are everywhere in what tools said', 'dockerd kubelet'],
    ['a common word, and one that few have', 'alpha okapi'],
    ['a common word, and one that only tools said', 'omega kubelet'],
    ['a sentence', 'where did the zebra go when alpha met the quokka in the zoo'],
    ['an id', idOf(90)],
    ['what could be an id', 'deadbee1'],
    ['an excluded word', 'alpha -omega'],
    ['one of two words', 'quokka OR zebra'],
    ['nothing', ''],
    ['only an exclusion', '-alpha'],
    [
      'a pasted page',
      `Traceback\n${'  File "/srv/src/jobs/poller.ts", line 3, in alpha\n'.repeat(30)}zebrra`,
    ],
  ])('for %s', async (_, text) => {
    expect(await roundsOf(text)).toBeLessThanOrEqual(maxRounds);
    expect(await roundsOf(text, { sort: 'recent' })).toBeLessThanOrEqual(maxRounds);
    expect(await roundsOf(text, { query: parseQuery(text, true) })).toBeLessThanOrEqual(maxRounds);
    expect(await roundsOf(text, { listsSubagents: true, limit: 3 })).toBeLessThanOrEqual(maxRounds);
  });

  test.each(['quokka', 'zebrra', 'alpha omega zebrra', 'alpha okapi', '数据库超时', 'kubelet', ''])(
    'for %j through filters, some of which hide it',
    async (text) => {
      const filters: Partial<SessionFilters>[] = [
        { only: { project: [shop] } },
        { only: { kind: 'main', since: '2026-04-01T00:00:00.000Z' } },
        { only: { role: 'assistant' } },
        { only: { in: 'said' } },
        { only: { in: 'done' } },
        { without: { project: [[shop]], file: ['poller.ts'] } },
        { includeAll: true, excludedNativeIds: [idOf(90)] },
      ];
      for (const each of filters)
        expect(await roundsOf(text, { filters: each })).toBeLessThanOrEqual(maxRounds);
    },
  );

  test('whatever is typed', async () => {
    const choices = fc.record({ isTyping: fc.boolean(), isRecent: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(anyQuery, choices, async (text, { isTyping, isRecent }) => {
        const sort = isRecent ? 'recent' : 'relevance';
        const rounds = await roundsOf(text, { query: parseQuery(text, isTyping), sort });
        expect(rounds).toBeLessThanOrEqual(maxRounds);
      }),
      { numRuns: 100 },
    );
  });
});

test('all eight are needed for a misspelt word beside common ones, of which not every place is listed', async () => {
  expect(await roundsOf('alpha omega zebrra')).toBe(maxRounds);
});

test('a search for words that there are takes five: places, the best of them, their sessions, the texts of these, what is shown beside them', async () => {
  for (const text of ['quokka', 'okapi migration', 'zebra walrus quokka', 'getUserById'])
    expect([text, await roundsOf(text)]).toEqual([text, 5]);
});
