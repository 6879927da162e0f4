// Where the words of a query occur in a text.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseQuery } from '../../src/search/query/parse-query.ts';
import { findOccurrences, foldText } from '../../src/text/occurrences.ts';
import { anyQuery } from '../search/queries.ts';

/** The text with what a query finds in square brackets; in round ones if only the stem is the same. */
function mark(text: string, query: string): string {
  const found = parseQuery(query).terms.flatMap((term) => findOccurrences(foldText(text), term.forms));
  let marked = '';
  let at = 0;
  for (const { start, end, isExact } of found.sort((a, b) => a.start - b.start)) {
    if (start < at) continue;
    const [open, close] = isExact ? '[]' : '()';
    marked += text.slice(at, start) + open + text.slice(start, end) + close;
    at = end;
  }
  return marked + text.slice(at);
}

describe('words', () => {
  test.each([
    ['redis', 'Redis and REDIS, not redistribution', '[Redis] and [REDIS], not redistribution'],
    ['migration', 'migrations migrated a migration', '(migrations) (migrated) a [migration]'],
    ['таблица', 'Таблицы и таблица, полётная табличка', '(Таблицы) и [таблица], полётная табличка'],
    ['queue', 'a dequeue of the queue', 'a dequeue of the [queue]'],
    ['resume', 'a naïve résumé', 'a naïve [résumé]'],
    ['istanbul', 'from İstanbul to ISTANBUL', 'from [İstanbul] to [ISTANBUL]'],
    ['Größe', 'die große GRÖßE', 'die [große] [GRÖßE]'],
    ['jwt-auth.ts', 'see src/jwt-auth.ts:41', 'see src/[jwt-auth.ts]:41'],
    ["don't", 'I don’t know', 'I [don’t] know'],
    [
      '"connection pool"',
      'connection pool, connection-pool, pool connection',
      '[connection pool], [connection-pool], pool connection',
    ],
    ['"pools"', 'pool pools', 'pool [pools]'],
    ['midd*', 'middleware in the middle, amid', '[middleware] in the [middle], amid'],
    ['redis OR postgres', 'postgres, then redis', '[postgres], then [redis]'],
    ['кэш', 'В КЭШЕ и кэш', 'В (КЭШЕ) и [кэш]'],
  ])('%s in %j', (query, text, marked) => {
    expect(mark(text, query)).toBe(marked);
  });
});

test('what is within another occurrence is not one more, however many are between them', () => {
  const [term] = parseQuery('"alpha beta gamma" OR alpha OR gamma').terms;
  const found = findOccurrences(foldText('alpha beta gamma'), term?.forms ?? []);
  expect(found.map(({ start, end }) => [start, end])).toEqual([[0, 16]]);
});

describe('names', () => {
  test.each([
    ['user', 'getUserById, user_name, superuser', 'get[User]ById, [user]_name, superuser'],
    ['getUserById', 'get_user_by_id and getUserById', '[get_user_by_id] and [getUserById]'],
    ['get_user_by_id', 'getUserById or get_user_by_id', '[getUserById] or [get_user_by_id]'],
    ['http', 'parseHTTPHeader XMLHttpRequest xhttp', 'parse[HTTP]Header XML[Http]Request xhttp'],
    ['applescript', 'AppleScript, an AppleScripts folder', '[AppleScript], an (AppleScripts) folder'],
    ['userbyid', 'getUserById, UserById', 'getUserById, [UserById]'],
    ['apples*', 'AppleScript', '[AppleScript]'],
  ])('%s in %j', (query, text, marked) => {
    expect(mark(text, query)).toBe(marked);
  });
});

describe('Chinese, Japanese and Korean, and symbols', () => {
  test.each([
    ['连接', '数据库连接池的连接', '数据库[连接]池的[连接]'],
    ['连', '连接', '[连]接'],
    ['用Redis', '请用Redis做缓存', '请[用][Redis]做缓存'],
    ['C++', 'the C++ sampler, not ABC++', 'the [C++] sampler, not ABC++'],
    ['c#', 'C# and F#', '[C#] and F#'],
    ['Redis', '请用Redis做缓存', '请用[Redis]做缓存'],
    ['.net', '.NET on Linux', '[.NET] on Linux'],
  ])('%s in %j', (query, text, marked) => {
    expect(mark(text, query)).toBe(marked);
  });
});

test('a folded text is as long as the original', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })), (text) => {
      expect(foldText(text).folded).toHaveLength(text.length);
    }),
    { numRuns: 500 },
  );
});

test('they are in order and inside the text, for any text and query', () => {
  fc.assert(
    fc.property(anyQuery, anyQuery, (query, extra) => {
      const text = `${query} ${extra} ${query}`;
      for (const term of parseQuery(query).terms) {
        let last = 0;
        for (const { start, end } of findOccurrences(foldText(text), term.forms)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          last = start;
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('a plain word is found wherever it occurs', () => {
  const word = fc.stringMatching(/^[a-z]{3,9}$/);
  fc.assert(
    fc.property(word, fc.array(word), fc.array(word), (word, before, after) => {
      const text = [...before, word, ...after].join(' ');
      const [term] = parseQuery(`"${word}"`).terms;
      const starts = findOccurrences(foldText(text), term?.forms ?? []).map((found) => found.start);
      expect(starts).toContain([...before, ''].join(' ').length);
    }),
  );
});

test('a hundred thousand repetitions take no longer than necessary', () => {
  const text = foldText('redis '.repeat(100_000));
  const start = performance.now();
  const [term] = parseQuery('redis').terms;
  expect(findOccurrences(text, term?.forms ?? []).length).toBeLessThan(1000);
  expect(performance.now() - start).toBeLessThan(500);
});
