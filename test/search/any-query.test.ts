// Whatever is typed, SQLite accepts the expression made from it: a search never fails.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assistantLine, toolUse, userLine } from '../support/home.ts';
import { ask, type Indexed, indexed } from './ask.ts';
import { binaryQuery, graphemeQuery, madeQuery } from './queries.ts';

let index: Indexed;

beforeAll(async () => {
  index = await indexed((home) => {
    home.writeSession('aaaaaaaa-0000-4000-8000-000000000001', [
      userLine('add jwt middleware to src/middleware/jwt-auth.ts'),
      assistantLine('getUserById calls get_user_by_id; 用Redis做缓存, 数据库连接池'),
      assistantLine([toolUse('Read', { file_path: '/home/u/shop/src/middleware/jwt-auth.ts' })]),
    ]);
    home.writeSession('bbbbbbbb-0000-4000-8000-000000000002', [
      userLine('C++ build on Windows, don’t use café 한국어 टेस्ट'),
      assistantLine('a b c d e f g 0 1 2 3 4 5 6 7 8 9 the naïve résumé'),
    ]);
  });
});

afterAll(() => index.close());

test.each([
  ['any code points', binaryQuery],
  ['any characters', graphemeQuery],
  ['quotes, operators, filters, paths and ids', madeQuery],
])('%s', async (_, arbitrary) => {
  await fc.assert(
    fc.asyncProperty(arbitrary, async (text) => {
      const result = await ask(index.store, text);
      expect(result.hits.length).toBeLessThanOrEqual(2);
      expect(result.total).toBeGreaterThanOrEqual(result.hits.length);
    }),
    { numRuns: 100 },
  );
});

test.each([
  ['a long word', 'a'.repeat(10_000)],
  ['many words', Array.from({ length: 3000 }, (_, i) => `w${i}`).join(' ')],
  ['a long run of CJK', '数据库连接池'.repeat(1700)],
  ['a long name', `get${'UserById'.repeat(1200)}`],
  ['many joined by OR', Array.from({ length: 2000 }, (_, i) => `w${i}`).join(' OR ')],
  ['many quotes', '"a" '.repeat(2500)],
])('10,000 characters: %s', async (_, text) => {
  const start = performance.now();
  await ask(index.store, text);
  expect(performance.now() - start).toBeLessThan(2000);
});

test('any filter value', async () => {
  const value = fc.oneof(
    graphemeQuery,
    binaryQuery,
    fc.constantFrom('', '%', '_', "'", '\0', '\\', '/', '..'),
  );
  await fc.assert(
    fc.asyncProperty(value, value, async (a, b) => {
      await ask(index.store, 'jwt', { filters: { only: { branch: a, model: b, file: a } } });
      await ask(index.store, '', { filters: { only: { branch: b, file: b }, excludedNativeIds: [a] } });
    }),
    { numRuns: 100 },
  );
});
